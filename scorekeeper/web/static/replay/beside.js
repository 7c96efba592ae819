// @ts-check
/** "Side by side": the reading as recorded beside the reading as corrected. */
import { ask } from "../core/api.js";
import { given, say } from "../core/given.js";
import { why } from "../core/why.js";
import { html, signal, useEffect } from "../vendor/preact.js";
import { name } from "./hands.js";
import { at, explained, itemOf, notice, steps } from "./steps.js";

const OTHER = given.view === "corrected" ? "recorded" : "corrected";
/** @type {() => Record<string, string>} */
const views = () => ({ recorded: say("As recorded"), corrected: say("As corrected") });
/** @type {() => Record<string, string>} */
const verdicts = () => ({ legal: say("Legal"), illegal: say("Illegal"), unknown: say("Unknown") });

const other = signal(/** @type {{score: any, groups: any[][]} | null} */ (null));

/** @param {any} item */
const addressOf = ({ version, amendment, index }) => String(version ?? (amendment === undefined ? "" : [amendment, index]));

/**
 * Return the steps of the other reading for each step of this one. A step that both readings have gets the same entry, after the steps
 * that only the other reading has. Steps that only this reading has are paired one by one with those that only the other one has.
 * @param {any[]} items
 */
function grouped(items) {
  const here = new Set(steps.map((step) => String(step.at ?? "")));
  const places = new Map(items.map((item, place) => [addressOf(item), place]));
  let next = 0;
  const placeOf = (/** @type {import("./steps.js").Step | undefined} */ step) => (step === undefined || step.at === null ? -1 : (places.get(String(step.at)) ?? -1));
  const isTheirs = () => next < items.length && !here.has(addressOf(items[next]));
  return steps.map((step, place) => {
    const from = next;
    const same = placeOf(step);
    if (same >= next) next = same + 1;
    else if (same < 0 && isTheirs()) {
      next += 1;
      if (placeOf(steps[place + 1]) >= 0) while (isTheirs()) next += 1;
    }
    if (place === steps.length - 1) next = items.length;
    return items.slice(from, next);
  });
}

async function read() {
  try {
    const theirs = await ask(`${given.key}/rounds/${given.round}/replay?view=${OTHER}&names=display`);
    other.value = { score: theirs.score, groups: grouped(theirs.items) };
  } catch (error) {
    notice.value = why(error);
  }
}

const longestFirst = /** @type {string[]} */ (Object.values(given.names)).sort((one, next) => next.length - one.length);
const NAMES = new RegExp(`(${longestFirst.map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})`);

/** A sentence with its names isolated, so that names written from right to left don't reorder the rest. @param {string} text */
const apart = (text) => text.split(NAMES).map((part, at) => (at % 2 === 1 ? html`<bdi>${part}</bdi>` : part));

/** @param {{item: any}} props */
const Item = ({ item }) => html`<p><strong class=${`verdict ${item.verdict}`}><svg aria-hidden="true"><use href=${`#${item.verdict}`} /></svg> ${verdicts()[item.verdict]}</strong> ${apart(item.explanation)}</p>
  ${item.violations.map((/** @type {any} */ violation) => html`<p class="violation">${apart(violation.message)}</p>`)}`;

/** The scores of both readings, one row for each person, with a sign if they differ. */
function Scores() {
  const scores = { [given.view]: given.scores, [OTHER]: other.value?.score?.scores ?? {} };
  const players = Object.keys({ ...scores.recorded, ...scores.corrected });
  if (players.length === 0) return null;
  const said = (/** @type {any} */ score) => (score === undefined ? "–" : say("{score}, total {total}", { score: score.score, total: score.total }));
  return html`<table><caption>${say("As recorded and as corrected")}</caption><thead><tr><th>${say("Player")}</th><th>${say("As recorded")}</th><th>${say("As corrected")}</th></tr></thead>
    <tbody>${players.map((player) => {
      const [before, after] = [said(scores.recorded[player]), said(scores.corrected[player])];
      return html`<tr key=${player}><th scope="row">${name(player)}</th><td>${before}</td><td>${before === after ? after : html`<strong>≠ ${after}</strong>`}</td></tr>`;
    })}</tbody></table>`;
}

/** The present step in this reading, as the server wrote it. */
function own() {
  const here = itemOf(at.value);
  const verdict = Object.keys(verdicts()).find((each) => here.querySelector(`.verdict.${each}`));
  const violations = [...here.querySelectorAll(".violation")].map((each) => ({ message: each.textContent }));
  return { verdict, explanation: explained(at.value), violations };
}

/** @param {{view: string}} props */
function Reading({ view }) {
  const mine = view === given.view;
  const items = mine ? [own()] : (other.value?.groups[at.value - 1] ?? []);
  return html`<section class="card"><h2>${views()[view]}</h2>
    ${items.length === 0 ? html`<p class="hint">${say("Nothing at this step.")}</p>` : items.map((item) => html`<${Item} item=${item} />`)}</section>`;
}

export function Part() {
  useEffect(() => {
    if (other.value === null) void read();
  }, []);
  return other.value && html`<div class="accounts"><${Reading} view="recorded" /><${Reading} view="corrected" /></div><${Scores} />`;
}
