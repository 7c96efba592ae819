// @ts-check
/** The state of the pad: what is on record, what is being told and what waits; and what each touch does. */
import { Refused, Unreachable, ask, uuid } from "../core/api.js";
import { given, own, say } from "../core/given.js";
import { queue, strike, undo } from "../core/queue.js";
import { batch, computed, signal } from "../vendor/preact.js";
import { brings, counted, sum } from "./scoring.js";
import { add, drop, flush, replace } from "./sending.js";

/**
 * A hand that is being told, by its cards or by its points.
 * @typedef {{cards: string[], points: number | null}} Hand
 * The content of the form. `editing`: the id of the refused tap that is told again. `begun`: what the person saw at the first touch.
 * @typedef {{winners: string[], hands: Record<string, Hand>, byPoints: boolean, editing: string | null,
 *   begun: {version: number, round: number, behind: boolean} | null, later?: Draft[]}} Draft
 */

export const key = given.key;

export const board = signal(given.board);
/** @type {import("../vendor/preact.js").Signal<import("../core/queue.js").Tap[]>} */
export const waiting = signal([]);
/** @type {import("../vendor/preact.js").Signal<import("../core/queue.js").Undoable[]>} */
export const told = signal([]);
export const winners = signal(/** @type {string[]} */ ([]));
export const hands = signal(/** @type {Record<string, Hand>} */ ({}));
export const byPoints = signal(false);
/** Whether the queue has been read. Before that the pad can't say whether everything is saved. */
export const known = signal(false);
/** Why nothing can be sent at the moment, in words; "" if it can. */
export const away = signal("");
export const notice = signal("");
/** @type {import("../vendor/preact.js").Signal<{tap: import("../core/queue.js").Tap, round: any, version: number} | null>} */
export const differs = signal(null);
/** The first round that the service has refused. */
export const stopped = computed(() => waiting.value.find((tap) => tap.stopped !== null) ?? null);
/** The id of the refused tap that is told again. @type {import("../vendor/preact.js").Signal<string | null>} */
export const editing = signal(null);

/** Rounds that were saved and are being written to the queue. @type {import("../core/queue.js").Tap[]} */
let entering = [];
/** The number of decisions that are being carried out. Meanwhile no conflict is shown: it may be the one that was decided. */
let decisions = 0;
/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/** What the person saw at the first touch. */
export const begun = signal(/** @type {Draft["begun"]} */ (null));
/** Drafts of later rounds, which wait until the round that came back into the form is saved. In order. @type {Draft[]} */
export let later = [];
const UNKEPT = say("Not kept: make room on this phone, and tap again.");
/** The errors of a browser that lets pages open no database at all. */
const REFUSING = ["InvalidStateError", "SecurityError"];

/** The cards of the box and the table's extra cards. @type {Record<string, {count: number, points: number}>} */
export const box = { ...given.edition.cards, ...given.board.options.extra_cards };

/** The hand as it is told so far, if it is. @param {string} player */
export const handOf = (player) => own(hands.value, player);

/** @param {Hand} [hand] */
export const worthOf = (hand) => (byPoints.value ? (hand?.points ?? 0) : sum((hand?.cards ?? []).map((card) => box[card]?.points ?? 0)));

/** The players whose hands are asked for. */
export const asked = computed(() => counted(board.value, winners.value));
export const worth = computed(() => Object.fromEntries(asked.value.map((player) => [player, worthOf(handOf(player))])));
export const scores = computed(() => brings(board.value, winners.value, worth.value));
export const complete = computed(
  () =>
    winners.value.length > 0 &&
    asked.value.every((player) => {
      const hand = handOf(player);
      return byPoints.value ? hand?.points != null && hand.points >= 0 : (hand?.cards.length ?? 0) > 0;
    }),
);

/** The number of the next round to be recorded. */
export function following() {
  const { phase, round } = board.value;
  return phase === "ready" || phase === "over" ? round + 1 : round;
}

/** The number of the next round to be told, which comes after all waiting ones. */
const nextRound = () => (waiting.value.at(-1)?.round ?? following() - 1) + 1;

/** The number of the round that is being told. It is fixed at the first touch, even if other rounds come meanwhile. */
export const number = computed(() => begun.value?.round ?? nextRound());

/** How many of a card the box holds besides those in the hands told so far. @param {string} card */
export function left(card) {
  return (box[card]?.count ?? 0) - Object.values(hands.value).flatMap((hand) => hand.cards).filter((each) => each === card).length;
}

/** What a person sees who begins to tell a round now. */
const now = () => ({ version: board.value.version, round: nextRound(), behind: waiting.value.length > 0 });

function begin() {
  notice.value = "";
  return (begun.value ??= now());
}

/** @param {string} player @param {boolean} together whether several players went out at once */
export function out(player, together) {
  begin();
  const there = winners.value.includes(player);
  if (together) winners.value = there ? winners.value.filter((each) => each !== player) : [...winners.value, player];
  else winners.value = there ? [] : [player];
  if (winners.value.length === 0) clear();
}

/** @param {string} player @param {(hand: Hand) => Hand} change */
function tell(player, change) {
  begin();
  hands.value = { ...hands.value, [player]: change(handOf(player) ?? { cards: [], points: null }) };
}

/** @param {string} player @param {string} card */
export const take = (player, card) => tell(player, (hand) => ({ ...hand, cards: [...hand.cards, card] }));

/** @param {string} player @param {number} place */
export const putBack = (player, place) =>
  tell(player, (hand) => ({ ...hand, cards: hand.cards.filter((_, each) => each !== place) }));

/** @param {string} player @param {number} number */
export const tellPoints = (player, number) =>
  tell(player, (hand) => ({ ...hand, points: Number.isInteger(number) ? number : null }));

/** @param {Draft} draft `later` is left out if the drafts of later rounds stay as they are */
export function fill(draft) {
  later = draft.later ?? later;
  batch(() => {
    winners.value = draft.winners;
    hands.value = draft.hands;
    byPoints.value = draft.byPoints;
    editing.value = draft.editing;
    begun.value = draft.begun;
  });
}

/** @returns {Draft} */
export const form = () => ({ winners: winners.value, hands: hands.value, byPoints: byPoints.value, editing: editing.value, begun: begun.value });

/** Empty the form, for the next draft if there is one. */
export function clear() {
  fill(later.shift() ?? { ...form(), winners: [], hands: {}, editing: null, begun: null });
  // The number of the round before it may have changed: the next draft comes after that round.
  if (begun.value) begun.value = { ...begun.value, round: nextRound() };
}

/** Bring a round back into the form, before the drafts of later rounds. @param {Draft} draft */
export function bringBack(draft) {
  /** @type {any[]} */
  const drafts = [draft, form(), ...later];
  later = drafts.filter((each) => each.begun).sort((one, other) => one.begun.round - other.begun.round);
  fill(/** @type {Draft} */ (later.shift()));
}

/** Tell the person that the queue could not be written. An error that is a bug is thrown again. @param {unknown} error */
function unkept(error) {
  if (!(error instanceof DOMException)) throw error;
  notice.value = REFUSING.includes(error.name)
    ? say("This browser lets pages store nothing, so no round can be saved. Use another.")
    : UNKEPT;
}

/** Put the round into the queue, and send it as soon as possible. */
export async function save() {
  const { version, round } = begin();
  const shown = Object.fromEntries(
    asked.value.map((player) => [player, byPoints.value ? { points: handOf(player)?.points } : { cards: handOf(player)?.cards }]),
  );
  const event = { type: "round_tallied", winners: board.value.players.filter((/** @type {string} */ p) => winners.value.includes(p)), hands: shown };
  const tap = { id: uuid(), at: new Date().toISOString(), event, round, worth: worth.value, tried: false, renumbered: false, stopped: null };
  const draft = form();
  const former = draft.editing;
  // It is shown as waiting at once, not only after it has been written.
  if (former === null) {
    entering = [...entering, tap];
    waiting.value = [...waiting.value, tap];
  }
  clear();
  try {
    await (former === null ? add(key, tap, version) : replace(key, former, tap, version));
  } catch (error) {
    waiting.value = waiting.value.filter((each) => each.id !== tap.id);
    bringBack(draft);
    return unkept(error);
  } finally {
    entering = entering.filter((each) => each.id !== tap.id);
  }
  await send();
}

/** Show the queue. @param {import("../core/queue.js").Queue} stored */
function showQueue(stored) {
  const ids = new Set(stored.taps.map((tap) => tap.id));
  known.value = true;
  waiting.value = [...stored.taps, ...entering.filter((tap) => !ids.has(tap.id))];
  told.value = stored.told;
  const edited = stored.taps.find((tap) => tap.id === editing.value);
  if (edited && begun.value) begun.value = { ...begun.value, round: edited.round };
  // The round that was being corrected is gone from the queue: from now on the form is about a new round.
  else if (editing.value !== null) fill({ ...form(), editing: null, begun: now() });
}

/**
 * Run pieces of work one after the other, so that a decision never meets an attempt to send that is under way.
 * @param {() => Promise<void>} work @returns {Promise<void>}
 */
function inTurn(work) {
  const mine = turn.then(work).catch(unkept);
  turn = mine.catch(() => {});
  return mine;
}

/** Show why nothing can be sent. @param {Unreachable | DOMException} [error] left out if the live stream was silent for too long */
export function cutOff(error) {
  if (error instanceof DOMException) away.value = say("This phone may be full.");
  else away.value = error?.answer?.ok === false ? say("The service can't answer at the moment.") : say("No connection");
}

/** Carry out a decision of the person, and go on sending. @param {() => Promise<void>} work */
export function decide(work) {
  decisions += 1;
  differs.value = null;
  notice.value = "";
  return inTurn(async () => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Unreachable) cutOff(error);
      // 412: the match has changed since, so the next attempt to send asks again.
      else if (error instanceof Refused) notice.value = error.problem.status === 412 ? "" : error.message;
      else throw error;
    } finally {
      decisions -= 1;
    }
    await sendNow();
  });
}

/** Show a scoreboard, unless it is older than the one on show. @param {any} now */
export function show(now) {
  if (now && now.version >= board.value.version) board.value = now;
}

/** After a round is gone, give later rounds lower numbers, so that none is missing in between. */
export async function moveUp() {
  const gap = (waiting.value[0]?.round ?? 0) - following();
  if (gap > 0) showQueue(await queue(key, ({ taps }) => taps.forEach((tap) => Object.assign(tap, { round: tap.round - gap, renumbered: true }))));
  comeAt(nextRound());
}

/** Lower the number of the round that is being told to at most this. @param {number} round */
export const comeAt = (round) => void (begun.value &&= { ...begun.value, round: Math.min(begun.value.round, round) });

/** Tell the person that this device may not write any more. */
export const shutOut = () => void (notice.value = say("This device may not score here. What you told is kept: ask for a new code."));

/** Send the waiting rounds, and show the outcome. */
export const send = () => inTurn(sendNow);

async function sendNow() {
  showQueue(await queue(key));
  const outcome = await flush(key);
  const stored = await queue(key);
  if (begun.value?.behind && outcome.sent) begun.value = { ...begun.value, version: stored.base };
  batch(() => {
    show(outcome.sent?.state);
    showQueue(stored);
    away.value = "";
    if (outcome.away) cutOff(outcome.away);
    else if (decisions === 0) differs.value = outcome.differs;
    if (outcome.shut) shutOut();
    else if (outcome.once > 0) notice.value = say("Counted once.");
    // A message about a waiting round is outdated once it is recorded.
    else if (outcome.sent && notice.value !== UNKEPT) notice.value = "";
  });
}

/**
 * Take back the last round that this phone told: from the queue if it still waits there, otherwise in the log. It is chosen at the press:
 * a second press before the first is done means the same round.
 */
export function takeBack() {
  const of = waiting.value.at(-1)?.id ?? told.value.at(-1);
  return inTurn(() => takeBackNow(of));
}

/** @param {import("../core/queue.js").Undoable | undefined} of */
async function takeBackNow(of) {
  const waits = waiting.value.find((tap) => tap.id === of);
  if (waits && !waits.tried) {
    showQueue(await drop(key, waits.id, { moveUp: false }));
    return comeAt(waits.round);
  }
  await sendNow();
  if (waiting.value.length > 0 && away.value) notice.value = say("It may be saved already. Take it back once there is a connection.");
  if (waiting.value.length > 0 || of === undefined || !told.value.includes(of)) return;
  try {
    await gone(of, await undo(key, of, board.value.version));
    notice.value = say("Taken back.");
  } catch (error) {
    await untaken(error, of);
  }
}

/** Show why a round was not taken back. @param {unknown} error @param {import("../core/queue.js").Undoable} of */
async function untaken(error, of) {
  if (error instanceof Unreachable) cutOff(error);
  else if (!(error instanceof Refused)) throw error;
  else if (error.problem.status === 412) await catchUp().catch((failed) => untaken(failed, of));
  else if (error.problem.status === 401) shutOut();
  else {
    if (error.problem.code === "nothing-to-undo") await gone(of);
    notice.value = error.message;
  }
}

/** @param {import("../core/queue.js").Undoable} of @param {any} [answer] left out if it had been taken back before */
async function gone(of, answer) {
  showQueue(await strike(key, of));
  show(answer?.state);
  await moveUp();
}

/** Somebody else has told something meanwhile: show it before the person presses again. */
async function catchUp() {
  show(await ask(key));
  notice.value = say("Somebody told something meanwhile. Look, and try again.");
}
