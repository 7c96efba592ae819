// @ts-check
/**
 * Says beside the button why no match can be started, or that the people who were chosen have one open already. Else two phones at one table open one
 * each, and tell different rounds.
 */
import { ask } from "../core/api.js";
import { given, say } from "../core/given.js";
import { computed, html, render, signal } from "../vendor/preact.js";

/** @typedef {{match: string, players: string[]}} Running */

const running = signal(/** @type {Running[]} */ (given.running));
/** The position of the newest opening that this page knows of, tables of tournaments included: those are no match beside the tournament. */
let newest = given.newest;

/**
 * @param {import("../vendor/preact.js").Signal<string[]>} seats
 * @param {{value: boolean}} mayPlay whether they are as many as may play
 */
export function warn(seats, mayPlay) {
  const chosen = computed(() => [...seats.value].sort().join(" "));
  const same = computed(() => running.value.find(({ players }) => [...players].sort().join(" ") === chosen.value));
  const Warning = () => {
    if (!mayPlay.value) return html`<p>${say("Choose 2 to 10 people.")}</p>`;
    return same.value !== undefined && html`<p class="notice">${say("These people have a match open already.")}${" "}
      <a href=${`/l/${given.league}/m/${same.value.match}/pad`}>${say("Go on with it")}</a></p>`;
  };
  render(html`<${Warning} />`, /** @type {HTMLElement} */ (document.getElementById("running")));

  /**
   * Look for a match of these people that somebody opened after this page was loaded. Once it was found the warning names it, and the next time
   * it is not new any more.
   * @returns {Promise<boolean>} whether there is a new one
   */
  return async function isNew() {
    const { items } = await ask(`/v1/leagues/${given.league}/matches?status=open&player=${seats.value[0]}&limit=100`);
    const fresh = items.filter((/** @type {any} */ { position }) => position > newest);
    newest = Math.max(newest, ...fresh.map((/** @type {any} */ { position }) => position));
    running.value = [...fresh, ...running.value];
    return fresh.includes(same.value);
  };
}
