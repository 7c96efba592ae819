// @ts-check
/** The step that the reader sees. The page has the whole round, so stepping needs no network. */
import { given } from "../core/given.js";
import { batch, computed, signal } from "../vendor/preact.js";

/**
 * `at`: the version of the entry. If it is left out, it is the version after that of the step before. For a step that an amendment inserted it is the
 * amendment's version and the index of the inserted event. It is null for a step that was inferred only by the present reading.
 * `guilty`: the verdict, if the step is a challenge.
 * `then`: for each player the cards that were known at the step, and the number of unknown ones. `since`: the same with what became known later.
 * @typedef {{at: number | [number, number] | null, inferred?: boolean, guilty?: boolean, table: Record<string, any>,
 *   then: Record<string, [string[], number | null]>, since: Record<string, [string[], number | null]>}} Step
 */

/** All steps with their whole tables. In the page each step has only the differences from the step before. @type {Step[]} */
export const steps = [];
for (const differing of given.steps) {
  const before = steps.at(-1);
  steps.push({
    at: typeof before?.at === "number" ? before.at + 1 : null,
    ...differing,
    table: { ...before?.table, ...differing.table },
    then: { ...before?.then, ...differing.then },
    since: { ...before?.since, ...differing.since },
  });
}

/** The step that is shown, from 1. */
export const at = signal(/** @type {number} */ (given.step));
/** The step at which the reader has stopped. Requests to the service wait for this. */
export const settled = signal(at.value);
export const shown = computed(() => /** @type {Step} */ (steps[at.value - 1]));
/** A message about what was just done. */
export const notice = signal("");
/** The key under which the message survives a reload. */
export const SAID = "replay-said";
/** The dispute that an owner is about to settle by an amendment; 0 if no dispute was chosen. */
export const settles = signal(0);

/** The address follows this many steps at once, and after that one step in NAMING_MS milliseconds. */
const AT_ONCE = 50;
const NAMING_MS = 750;

const items = [...document.querySelectorAll("ol.steps > li")];
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a, a[data-view]"));

/** The element of a step. @param {number} step */
export const itemOf = (step) => /** @type {HTMLElement} */ (items[step - 1]);

/** What happened in a step, in words. @param {number} step */
export const explained = (step) => itemOf(step).querySelector("p > span")?.textContent ?? "";

/** The address that opens a step. @param {number} step */
export const addressOf = (step) => new URL(`?view=${given.view}&step=${step}`, location.href).href;

/** Show a step. @param {number} step a number outside the round means its nearest end @param {boolean} [stays] whether the reader stops there */
export function go(step, stays = true) {
  const next = Math.min(Math.max(step, 1), steps.length);
  const reads = itemOf(at.value).contains(document.activeElement);
  itemOf(at.value).hidden = true;
  batch(() => {
    at.value = next;
    if (stays) settled.value = next;
    notice.value = "";
  });
  const item = itemOf(next);
  item.hidden = false;
  spellOut(item);
  if (reads) readOn();
  nameStep();
  for (const link of links) link.href = elsewhere(link);
}

/** Move the focus into the step that is shown, for somebody who read in another step or followed a link to this one. */
export const readOn = () => itemOf(at.value).querySelector("a")?.focus({ preventScroll: true });

let left = AT_ONCE;
let since = performance.now();
let naming = 0;

/**
 * Put the step into the address, without a new history entry, so that "back" leaves the replay. Browsers allow a hundred such changes in
 * ten or thirty seconds. With a key held down there are more steps, so then the address follows more slowly.
 */
function nameStep() {
  if (naming !== 0 || location.href === addressOf(at.value)) return;
  const now = performance.now();
  left = Math.min(AT_ONCE, left + (now - since) / NAMING_MS);
  since = now;
  if (left < 1) {
    naming = setTimeout(() => {
      naming = 0;
      nameStep();
    }, NAMING_MS);
    return;
  }
  left -= 1;
  history.replaceState(history.state, "", addressOf(at.value));
}

/** Show the texts of a step's clauses in place of the links to them at the foot of the page. @param {HTMLElement} item */
function spellOut(item) {
  const by = item.querySelector(".by:not([hidden])");
  if (!by) return;
  by.setAttribute("hidden", "");
  const list = document.createElement("ul");
  for (const link of by.children) {
    const text = document.createElement("li");
    text.append(...(document.getElementById(link.textContent ?? "")?.cloneNode(true).childNodes ?? []));
    list.append(text);
  }
  by.after(list);
}

/** Let a link to another language or another reading lead to the present step. @param {HTMLAnchorElement} link */
function elsewhere(link) {
  const address = new URL(link.href);
  if ((link.dataset.view ?? given.view) === given.view) {
    address.searchParams.set("view", given.view);
    address.searchParams.set("step", String(at.value));
  } else {
    address.searchParams.set("entry", String(entryAt(at.value)));
  }
  return address.href;
}

/** The version of a step's entry. A step without an entry of its own has the version after that of the last entry before it. @param {number} step */
function entryAt(step) {
  for (let before = step; before > 0; before -= 1) {
    const place = steps[before - 1]?.at;
    if (typeof place === "number") return before === step ? place : place + 1;
  }
  return 1;
}

/** Note that the reader has stopped moving. */
export const settle = () => void (settled.value = at.value);

for (const item of items) /** @type {HTMLElement} */ (item).hidden = true;
