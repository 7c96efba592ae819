// @ts-check
/** A step as it could have been, and what the service says would become of every number. */
import { ask } from "../core/api.js";
import { given } from "../core/given.js";
import { count, say } from "../core/words.js";
import { batch, effect, signal } from "../vendor/preact.js";
import { CARDS } from "./cards.js";
import { refusal, why } from "./recording.js";
import { notice, settled, steps } from "./steps.js";

/**
 * What the log says at a step. `amendment`: the fields by which it would be replaced; `insert` then stands for it,
 * and what was told in the step is its event `index`.
 * @typedef {{step: number, event: any, amendment: Record<string, any>, insert: any[], index: number}} Entry
 * @typedef {{path: (string | number)[], card: string}} Place where an event names a card
 * @typedef {{kind: "not-played" | "another-card" | "guilty" | "innocent" | "other-points", event: any | null}} Choice
 */

export const entry = signal(/** @type {Entry | null} */ (null));
/** Why there is nothing to be tried otherwise in the step, where that is known. */
export const nothing = signal("");
export const choice = signal(/** @type {Choice | null} */ (null));
/** What the service answered to the choice, and the amendment that was asked about. */
export const answer = signal(/** @type {{would: any, amendment: Record<string, any>} | null} */ (null));
/** More people than those at the table: what changes may concern anybody in the league. */
export const people = signal(/** @type {Record<string, string>} */ (given.names));

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

/** Read what was told in the step at which the reader stays. */
export async function look() {
  open = true;
  const step = settled.value;
  const mine = ++looks;
  const again = choice.value?.kind === "not-played";
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

/** @param {number} step @returns {Promise<Entry | string>} or why there is none */
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
  // What the earlier amendment withdrew would be in force again with it gone.
  return { step, event: insert[at[1]], amendment: { from, remove: remove ?? 0, withdraws: [version, ...withdraws] }, insert, index: at[1] };
}

/** Ask what would be otherwise. @param {Choice} chosen */
export async function choose(chosen) {
  const told = entry.value;
  if (told === null) return;
  batch(() => {
    forget();
    refusal.value = "";
    choice.value = chosen;
  });
  if (isAsTold(chosen.event, told.event)) {
    notice.value = say("No number would change.");
    return;
  }
  const mine = asked;
  const amendment = amended(told, chosen.event);
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

/** Whether it says what is read anyway, so that nothing follows from it. @param {any | null} event @param {any} told */
function isAsTold(event, told) {
  const content = (/** @type {any} */ { as_played, ...each }) => JSON.stringify(Object.entries(each).sort());
  return given.view === "corrected" && event !== null && content(event) === content(told);
}

/** @param {Entry} told @param {any | null} event in its place; null for none @returns {Record<string, any>} */
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
  known ??= ask(`${given.people}?limit=1000`).then(
    ({ items }) => Object.fromEntries(items.map((/** @type {any} */ { player, name }) => [player, name ?? player])),
  );
  known.catch(() => void (known = null));
  return known;
}

/** Where an event names cards that may have been others. @param {any} value @returns {Place[]} */
export function placesOf(value) {
  if (typeof value === "string") return CARDS.includes(value) ? [{ path: [], card: value }] : [];
  if (value === null || typeof value !== "object") return [];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value).filter(([name]) => !NO_CARDS.includes(name));
  return parts.flatMap(([name, part]) => placesOf(part).map(({ path, card }) => ({ path: [name, ...path], card })));
}

/** The event with something else at a place. @param {any} event @param {(string | number)[]} path @param {unknown} value */
export function changed(event, path, value) {
  const copy = structuredClone(event);
  const last = path.at(-1) ?? "";
  const part = path.slice(0, -1).reduce((whole, name) => whole[name], copy);
  part[last] = value;
  return copy;
}

effect(() => {
  const step = settled.value;
  // Outside of the effect, which else would depend on all that is looked at.
  if (open && entry.peek()?.step !== step) queueMicrotask(look);
});
