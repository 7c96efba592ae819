// @ts-check
/** "What if": a step as it could have been, and what the service says would change. */
import { ask } from "../core/api.js";
import { count, given, say } from "../core/given.js";
import { batch, effect, signal } from "../vendor/preact.js";
import { refusal, why } from "./recording.js";
import { notice, settled, steps } from "./steps.js";

/**
 * What the log says at a step. `amendment`: the fields of the amendment that would replace the step. `insert`: the events that this amendment would
 * insert, if nothing were changed. Of these, the event with this `index` is that of the step.
 * @typedef {{step: number, event: any, amendment: Record<string, any>, insert: any[], index: number}} TriedStep
 * @typedef {{path: (string | number)[], card: string}} Place a place in an event at which a card is named
 * @typedef {{kind: "not-played" | "another-card" | "another-winner" | "guilty" | "innocent" | "other-points", event: any | null}} Alternative
 */

export const entry = signal(/** @type {TriedStep | null} */ (null));
/** Why the step can't be changed; "" if it can. */
export const nothing = signal("");
export const choice = signal(/** @type {Alternative | null} */ (null));
/** The service's answer to the choice, and the amendment that it is about. */
export const answer = signal(/** @type {{would: any, amendment: Record<string, any>} | null} */ (null));
/** The names of people. They are more than those at the table, since a change may concern anybody in the league. */
export const people = signal(/** @type {Record<string, string>} */ (given.names));

/** The cards of the box, extra cards included. @type {string[]} */
export const CARDS = [...Object.keys(given.edition.cards), ...given.extra];
const STAYING = ["note_added", "dispute_opened", "dispute_ruled", "log_amended"];
const NO_CARDS = ["draw_pile", "player", "by", "to", "from", "text", "reason"];

let open = false;
let looks = 0;
let asked = 0;

export function close() {
  batch(() => {
    open = false;
    entry.value = null;
    forget();
  });
}

function forget() {
  asked += 1;
  choice.value = null;
  answer.value = null;
}

/** Read what was told in the step at which the reader has stopped. */
export async function look() {
  open = true;
  const step = settled.value;
  const mine = ++looks;
  const again = choice.value?.kind === "not-played";
  // The controls of the step before disappear, and the focus stays where they were.
  const section = /** @type {HTMLElement | null} */ (document.querySelector("#asking section"));
  if (section?.contains(document.activeElement)) section.focus({ preventScroll: true });
  batch(() => {
    entry.value = null;
    nothing.value = "";
    refusal.value = "";
    forget();
  });
  try {
    const found = await read(step);
    if (!open || mine !== looks) return;
    if (typeof found === "string") {
      nothing.value = found;
      return;
    }
    entry.value = found;
    if (again) void choose({ kind: "not-played", event: null });
  } catch (error) {
    if (open && mine === looks) refusal.value = why(error);
  }
}

/** @param {number} step @returns {Promise<TriedStep | string>} a string says why the step can't be changed */
async function read(step) {
  const { at, inferred } = /** @type {import("./steps.js").Step} */ (steps[step - 1]);
  if (at === null || inferred) return say("Only what somebody told can be tried otherwise.");
  const version = typeof at === "number" ? at : at[0];
  const { items } = await ask(`${given.key}/events?after=${version - 1}&limit=1`);
  const { type, data, at: happened } = items[0];
  if (data === null) return say("What was told here was erased.");
  const event = { type, ...data, ...(happened === null ? {} : { at: happened }) };
  if (typeof at === "number") {
    return STAYING.includes(event.type) ? say("Notes, disputes, rulings and amendments can't be tried otherwise.") : { step, event, amendment: { from: at, remove: 1 }, insert: [event], index: 0 };
  }
  const { from, remove, insert, withdraws = [] } = event;
  // With the earlier amendment withdrawn, what it had withdrawn would be in force again. So that is withdrawn as well.
  return { step, event: insert[at[1]], amendment: { from, remove: remove ?? 0, withdraws: [version, ...withdraws] }, insert, index: at[1] };
}

/** Ask the service what a choice would change. @param {Alternative} chosen */
export async function choose(chosen) {
  const tried = entry.value;
  if (tried === null) return;
  batch(() => {
    forget();
    refusal.value = "";
    choice.value = chosen;
  });
  if (isAsTold(chosen.event, tried.event)) {
    notice.value = say("No number would change.");
    return;
  }
  const mine = asked;
  const amendment = amended(tried, chosen.event);
  try {
    const [would, league] = await Promise.all([ask(`${given.key}/what-if?names=display`, { method: "POST", body: amendment }), everybody()]);
    if (mine !== asked) return;
    batch(() => {
      people.value = league;
      answer.value = { would, amendment };
      const { length } = would.changes;
      notice.value = length === 0 ? say("No number would change.") : count(length, "{n} number would change.", "{n} numbers would change.");
    });
  } catch (error) {
    if (mine === asked) refusal.value = why(error);
  }
}

/** Return whether an event says the same as the step does already, so that nothing would change. @param {any | null} event @param {any} told */
function isAsTold(event, told) {
  const content = (/** @type {any} */ { as_played, ...each }) => JSON.stringify(Object.entries(each).sort());
  return given.view === "corrected" && event !== null && content(event) === content(told);
}

/** Return the amendment. @param {TriedStep} tried @param {any | null} event the one in its place; null to remove it @returns {Record<string, any>} */
function amended({ amendment, insert, index }, event) {
  const place = event === null ? [] : [event];
  const inserted = [...insert.slice(0, index), ...place, ...insert.slice(index + 1)].map(({ round, ...each }) => each);
  if (inserted.length > 0 || amendment.remove > 0) return { ...amendment, insert: inserted };
  return { withdraws: amendment.withdraws };
}

/** @type {Promise<Record<string, string>> | null} */
let known = null;

/** The names of all people of the league, read once. */
function everybody() {
  // The league's address is two levels above that of the match.
  known ??= ask(`${given.key}/../../players?limit=1000`).then(
    ({ items }) => Object.fromEntries(items.map((/** @type {any} */ { player, name }) => [player, name ?? player])),
  );
  known.catch(() => void (known = null));
  return known;
}

/** The places in an event at which cards are named. @param {any} value @returns {Place[]} */
export function placesOf(value) {
  if (typeof value === "string") return CARDS.includes(value) ? [{ path: [], card: value }] : [];
  if (value === null || typeof value !== "object") return [];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value).filter(([name]) => !NO_CARDS.includes(name));
  return parts.flatMap(([name, part]) => placesOf(part).map(({ path, card }) => ({ path: [name, ...path], card })));
}

/** Return the event with another value at a path. @param {any} event @param {(string | number)[]} path @param {unknown} value */
export function changed(event, path, value) {
  const copy = structuredClone(event);
  const last = path.at(-1) ?? "";
  const part = path.slice(0, -1).reduce((whole, name) => whole[name], copy);
  part[last] = value;
  return copy;
}

effect(() => {
  const step = settled.value;
  // In a microtask, so that the effect does not depend on the signals that `look` reads.
  if (open && entry.peek()?.step !== step) queueMicrotask(look);
});
