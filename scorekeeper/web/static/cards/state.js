// @ts-check
/** The state of a round that is followed card by card: the scoreboard, what is being told, and the service's last answer. */
import { Refused, ask, uuid } from "../core/api.js";
import { given, say } from "../core/given.js";
import { queue, strike, undo } from "../core/queue.js";
import { why } from "../core/why.js";
import { batch, signal } from "../vendor/preact.js";
import { clear, how, laying } from "./draft.js";

/** The phases of a round that has begun and is not over. */
export const RUNNING = ["turning", "playing", "showing_hands"];

export const board = signal(given.board);
/** The last event that was told and is not recorded. It can be sent again, told as played, or told with what it lacks. */
export const unrecorded = signal(/** @type {any} */ (null));
export const violations = signal(/** @type {{clause: string, message: string}[]} */ ([]));
export const notice = signal("");
/** Whether the live stream was silent for so long that there is no connection. */
export const away = signal(false);
/** The last event of this device that was recorded, or "back" if something was taken back since. */
export const recorded = signal(/** @type {any} */ (null));
/** What else the service needs to know, and about which player. */
export const lacking = signal(/** @type {{code: string, player: string} | null} */ (null));

const LACKING = ["verdict-needed", "points-needed"];
const AGAIN = [401, 403, 412];

/** Show a scoreboard, unless it is older than the one on show. @param {any} now */
export function show(now) {
  if (now.version >= board.value.version) board.value = now;
}

/** What this device had recorded, here or on the pad, the newest last. */
export const told = signal(/** @type {import("../core/queue.js").Undoable[]} */ ([]));

/**
 * Remember what this device had recorded. If the phone can't store it, it is known as long as the page is open.
 * @param {Promise<import("../core/queue.js").Queue>} kept @param {import("../core/queue.js").Undoable[]} now
 */
const know = async (kept, now) => void (told.value = await kept.then((stored) => stored.told, () => now));

/** Read what this device had recorded, before the page was opened or in another tab. */
export const recall = () => know(queue(given.key), told.value);

/** What else was not recorded when pages were left. It is sent once nothing is held. @type {any[]} */
let behind = [];

/** Send again what was not recorded when the page was left, in this tab or another one, each under the version that the person saw. */
export async function resume() {
  behind = await queue(given.key).then(heldIn, () => []);
  goOn();
}

function goOn() {
  const next = behind.shift();
  if (next) void tell(next);
}

/** The events that a queue holds, without these. @param {import("../core/queue.js").Queue} kept @param {string[]} ids @returns {any[]} */
const heldIn = ({ card = [] }, ...ids) => card.filter((/** @type {any} */ { id }) => !ids.includes(id));

/** Events that were tapped and are not answered yet, in order. @type {any[]} */
const line = [];
let telling = Promise.resolve();

/** Whether nothing that was tapped awaits an answer. */
export const isIdle = () => line.length + takingBack === 0;

/** What is to be done as soon as no answer is awaited. @type {(() => void) | void} */
let later;

/**
 * Do this as soon as no answer is awaited; of what comes until then only the last. The live stream may be ahead of an answer: a person who
 * saw it would tap for the next turn, on top of what was put together for this one.
 * @param {(() => void) | void} [what] is left out after an answer
 */
export const whenIdle = (what = later) => void (later = isIdle() ? what?.() : what);

/** Whether the present click is the second one of a double tap. */
let again = false;
addEventListener("click", ({ detail }) => void (again = detail > 1), true);
addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement && event.preventDefault(), true);

/** An event as text, without its id and its time. @param {any} event */
const said = (event) => JSON.stringify({ ...event, id: "", at: "" });

/**
 * Tell an event. It keeps its id if it is sent again, so that it is counted once. While an answer is awaited, the next tap waits in
 * line. A tap with the same content is dropped: somebody has tapped again because nothing seemed to happen. If the answer is a refusal,
 * the taps that wait rest on a wrong assumption and are not sent.
 * @param {any} event
 */
export function tell(event) {
  const told = { id: uuid(), at: new Date().toISOString(), ...event };
  if (again || (line.length > 0 && said(line.at(-1)) === said(told))) return telling;
  if (takingBack > 0) {
    meanwhile ??= told;
    return telling;
  }
  line.push(told);
  if (line.length === 1) telling = tellAll();
  return telling;
}

async function tellAll() {
  try {
    while (line.length > 0) {
      const done = await send(line[0]);
      const behind = line.splice(0, done ? 1 : line.length).length - 1;
      if (behind > 0) notice.value = `${notice.value} ${say("What was tapped after it is not told.")}`;
    }
  } finally {
    // After any error the next tap must be sent, and not wait behind one that is never sent.
    line.length = 0;
    whenIdle();
  }
}

/** @param {any} told with the version under which it is sent, unless it is the present one @returns {Promise<boolean>} whether it was recorded */
async function send({ under = board.value.version, ...event }) {
  const last = (/** @type {import("../core/queue.js").Undoable[]} */ before) => [...before.filter((each) => each !== event.id), event.id];
  try {
    // Before it is sent: if its answer is lost, it is still what would be taken back first.
    const keep = (/** @type {import("../core/queue.js").Queue} */ kept) => void Object.assign(kept, { told: last(kept.told), card: [...heldIn(kept, event.id, unrecorded.value?.id), { ...event, under }] });
    await know(queue(given.key, keep), last(told.value));
    const answer = await ask(`${given.key}/events?names=display`, { method: "POST", body: { events: [event] }, ifMatch: under });
    batch(() => {
      unrecorded.value = event;
      forget();
      clear();
      violations.value = answer.violations;
      recorded.value = event;
      show(answer.state);
    });
    return true;
  } catch (error) {
    // The refusal is shown after this: whatever is tapped until the attempt is over is dropped.
    if (error instanceof Refused) await forgo(event.id);
    unrecorded.value = event;
    await refused(error);
    return false;
  }
}

/** @param {unknown} error */
async function refused(error) {
  notice.value = why(error);
  if (!(error instanceof Refused)) return;
  const { problem } = error;
  violations.value = problem.violations ?? [];
  // The violations of a recorded event look the same, so say that this one is not recorded.
  if (violations.value.length > 0) notice.value = say("Not recorded.");
  lacking.value = LACKING.includes(problem.code) ? { code: problem.code, player: problem.facts?.player } : null;
  if (problem.status === 412) await catchUp();
  // The event is held if it can be told as played, with what it lacks, or again: there was no answer, or the device was sent home and may be let
  // in again. Any other refused event has to be told anew.
  if (problem.code !== "rule-violation" && !AGAIN.includes(problem.status) && lacking.value === null) drop();
}

/** Somebody else has told something meanwhile: show it before the next tap. */
async function catchUp() {
  try {
    show(await ask(given.key));
    notice.value = say("Somebody told something meanwhile. Look, and try again.");
  } catch (error) {
    await refused(error);
  }
}

/** Tell the refused event with further fields, as a new event. @param {Record<string, unknown>} more */
export const tellWith = (more) => tell({ ...unrecorded.value, ...more, id: uuid() });

/** Tell the refused event as played: the table let it pass. */
export const tellAsPlayed = () => tellWith({ as_played: true });

export const tellAgain = () => tell(unrecorded.value);

/** Hold the event no longer. */
function drop() {
  const id = unrecorded.value?.id;
  unrecorded.value = null;
  void queue(given.key, (kept) => void (kept.card = heldIn(kept, id))).catch(() => {});
}

export function forget() {
  batch(() => {
    drop();
    violations.value = [];
    notice.value = "";
    lacking.value = null;
  });
  goOn();
}

/** There is a connection again. That there was none is said no longer, unless an event is held that was not told for it. */
export function reached() {
  if (unrecorded.value === null && notice.value === say("No connection. Try again.")) notice.value = "";
}

/** The kinds of effects that a card can have, which the table may tell. @param {string} player @param {string} card @returns {string[]} */
export function effectsOf(player, card) {
  const { hand_counts: counts, options } = board.value;
  const [, offered] = Object.entries(given.edition.effects).find(([each]) => each === card) ?? ["", {}];
  if (offered.agreed && card === "question-block" && options.question_block === null) return [];
  if (counts?.[player] === 1 && !offered.last) return [];
  return (seated().length === 2 ? offered.two : offered.many) ?? [];
}

/** @returns {string[]} the players who are not eliminated, in seating order */
export const seated = () => board.value.players.filter((/** @type {string} */ player) => !board.value.eliminated.includes(player));

/** The next player to the left who is not eliminated. @param {string} player */
export function leftOf(player) {
  const { players } = board.value;
  const place = players.indexOf(player);
  return [...players, ...players].find((each, at) => at > place && seated().includes(each));
}

/** How many cards a player has left after laying the next. @param {string} player */
export const leftWith = (player) => (board.value.hand_counts?.[player] ?? 0) - (how(player).several || 1);

/** The players with whom the player of a card can exchange hands. @param {import("./draft.js").Laying} laid */
export const partners = ({ player, card }) =>
  given.edition.swaps.includes(card) && leftWith(player) > 0 ? seated().filter((each) => each !== player) : [];

/** Tell that a card is laid, after asking for its effects if it can have any. @param {string} player @param {string} card @param {Record<string, unknown>} [more] */
export function lay(player, card, more = {}) {
  const { several } = how(player);
  const laid = { player, card, effects: [], more: several > 1 ? { ...more, count: several } : more };
  // A player whose turn it is can say UNO before laying. One who jumps in can't, so that is asked here.
  const asksUno = "jump_in" in more && leftWith(player) === 1;
  if (effectsOf(player, card).length > 0 || partners(laid).length > 1 || asksUno) laying.value = laid;
  else void tellLaid(laid);
}

/** @param {import("./draft.js").Laying} laid @param {string} [partner] with whom hands are exchanged, if there is a choice */
export function tellLaid(laid, partner = partners(laid)[0]) {
  const { player, card, effects, more } = laid;
  return tell({
    type: "card_played",
    player,
    card,
    ...more,
    // What is undefined is not in the JSON that is sent.
    swap_with: partner,
    uno: how(player).uno,
    effects: effects.length > 0 ? effects : undefined,
  });
}

/** @type {Promise<void>} */
let taking = Promise.resolve();
/** How many requests to take back are under way. */
let takingBack = 0;
/** An event that was tapped while something was taken back. The person may not mean it any more. @type {any} */
let meanwhile = null;

/**
 * Take back what this device told last. It is chosen at the press: a second press before the first is done means the same event. An event
 * that is being sent is recorded first.
 */
export function takeBack() {
  if (again) return taking;
  const of = line.at(-1)?.id ?? told.value.at(-1);
  takingBack += 1;
  const mine = taking.then(() => takeBackNow(of)).finally(hold);
  taking = mine.catch(() => {});
  return mine;
}

/** An event that was tapped meanwhile is held, and told only if the person confirms it. */
function hold() {
  takingBack -= 1;
  whenIdle();
  if (takingBack > 0 || meanwhile === null) return;
  notice.value = `${notice.value || say("Taken back.")} ${say("What was tapped after it is not told.")}`;
  if (violations.value.length === 0) unrecorded.value = meanwhile;
  meanwhile = null;
}

/** @param {import("../core/queue.js").Undoable} of */
const forgo = (of) => know(strike(given.key, of), told.value.filter((each) => each !== of));

/** @param {import("../core/queue.js").Undoable | undefined} of */
async function takeBackNow(of) {
  await telling.catch(() => {});
  if (of === undefined || !told.value.includes(of)) return;
  forget();
  try {
    const answer = await undo(given.key, of, board.value.version);
    await forgo(of);
    batch(() => {
      recorded.value = "back";
      if (answer) show(answer.state);
    });
  } catch (error) {
    await refused(error);
    if (error instanceof Refused && error.problem.code === "nothing-to-undo") await forgo(of);
  }
}
