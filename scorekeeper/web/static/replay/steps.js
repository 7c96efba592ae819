// @ts-check
/** Where in the round the reader is. The page came with all of it, so a step needs no network. */
import { given } from "../core/given.js";
import { batch, computed, signal } from "../vendor/preact.js";

/**
 * `at`: a version, the one behind that of the step before where it is not said; or that of an amendment and the index of what it inserted; null where it is freshly inferred.
 * `guilty`: the verdict, where the step is a challenge.
 * `then`: by player the cards that were known, and how many others there were. `since`: which of those are known by now, and how many are not.
 * @typedef {{at: number | [number, number] | null, inferred?: boolean, guilty?: boolean, table: Record<string, any>,
 *   then: Record<string, [string[], number | null]>, since: Record<string, [string[], number | null]>}} Step
 */

/** Each step with its whole table: it came as what differs from the step before. @type {Step[]} */
export const steps = [];
for (const told of given.steps) {
  const before = steps.at(-1);
  steps.push({
    at: typeof before?.at === "number" ? before.at + 1 : null,
    ...told,
    table: { ...before?.table, ...told.table },
    then: { ...before?.then, ...told.then },
    since: { ...before?.since, ...told.since },
  });
}

/** The step that is shown, from 1. */
export const at = signal(/** @type {number} */ (given.step));
/** The step that the reader stays at: what costs a question to the service waits for it. */
export const settled = signal(at.value);
export const shown = computed(() => /** @type {Step} */ (steps[at.value - 1]));
/** What was just done, in words. */
export const notice = signal("");
/** Where that is kept while the page comes anew. */
export const SAID = "replay-said";
/** The dispute that an owner goes on to settle by an amendment; 0 for none that was named. */
export const settles = signal(0);

/** So many steps are named in the address at once, and after them one in so many milliseconds. */
const AT_ONCE = 50;
const NAMING_MS = 750;

const items = [...document.querySelectorAll("ol.steps > li")];
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a, a[data-view]"));

/** The element of a step. @param {number} step */
export const itemOf = (step) => /** @type {HTMLElement} */ (items[step - 1]);

/** What happened in a step, in words. @param {number} step */
export const explained = (step) => itemOf(step).querySelector("p > span")?.textContent ?? "";

/** The address that opens a step. @param {number} step */
export function addressOf(step) {
  const address = new URL(location.href);
  address.search = `?view=${given.view}&step=${step}`;
  address.hash = "";
  return address.href;
}

/** @param {number} step a place outside the round means its nearest end @param {boolean} [stays] whether the reader has arrived */
export function go(step, stays = true) {
  const next = Math.min(Math.max(step, 1), steps.length);
  for (const item of [itemOf(at.value), itemOf(next)]) item.hidden = true;
  batch(() => {
    at.value = next;
    if (stays) settled.value = next;
    notice.value = "";
  });
  const item = itemOf(next);
  item.hidden = false;
  spellOut(item);
  nameStep();
  for (const link of links) link.href = elsewhere(link);
}

let left = AT_ONCE;
let since = performance.now();
let naming = 0;

/**
 * The address names the step, and the way back leads out of the replay, not through it. Browsers take a hundred addresses in
 * ten or thirty seconds, and whoever holds a key down passes more steps: then the address follows more slowly.
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

/** Put the texts of its clauses in place of the links to them at the foot of the page. @param {HTMLElement} item */
function spellOut(item) {
  const links = item.querySelectorAll(".by > a");
  if (links.length === 0) return;
  const list = document.createElement("ul");
  for (const link of links) {
    const text = document.getElementById(link.textContent ?? "")?.cloneNode(true);
    if (!(text instanceof HTMLElement)) continue;
    text.removeAttribute("id");
    list.append(text);
  }
  links[0]?.parentElement?.replaceWith(list);
}

/** The same place in another language, or as the log is read otherwise. @param {HTMLAnchorElement} link */
function elsewhere(link) {
  const address = new URL(link.href);
  if (link.dataset.view === undefined || link.dataset.view === given.view) {
    address.searchParams.set("view", given.view);
    address.searchParams.set("step", String(at.value));
  } else {
    address.searchParams.set("entry", String(entryAt(at.value)));
  }
  return address.href;
}

/** The entry of a step; of one that an amendment told, or nobody, that behind the entry before. @param {number} step */
function entryAt(step) {
  const places = steps.slice(0, step).map((each) => each.at);
  const before = places.findLastIndex((place) => typeof place === "number");
  const entry = Number(places[before] ?? 0);
  return before === step - 1 ? entry : entry + 1;
}

/** The reader has let go of whatever was moving. */
export const settle = () => void (settled.value = at.value);

for (const item of items) /** @type {HTMLElement} */ (item).hidden = true;
