// @ts-check
/** The pad without its looks: what is on record, what is being told, what waits, and what each touch does. */
import { Refused, Unreachable, uuid } from "../core/api.js";
import { given, own } from "../core/given.js";
import { add, queue, replace } from "../core/queue.js";
import { say } from "../core/words.js";
import { batch, computed, signal } from "../vendor/preact.js";
import { brings, counted, sum } from "./scoring.js";
import { flush } from "./sending.js";

/**
 * A hand as it is being told: by its cards, or by its points.
 * @typedef {{cards: string[], points: number | null}} Hand
 * What the form says. `begun`: what the person saw at the first touch.
 * @typedef {{winners: string[], hands: Record<string, Hand>, byPoints: boolean, editing: string | null,
 *   begun: {version: number, round: number, behind: boolean} | null}} Draft
 * @typedef {import("../vendor/preact.js").Signal<any>} Any
 */

export const key = given.key;

export const board = signal(given.board);
/** @type {import("../vendor/preact.js").Signal<import("../core/queue.js").Tap[]>} */
export const waiting = signal([]);
/** @type {import("../vendor/preact.js").Signal<import("../core/queue.js").Told[]>} */
export const told = signal([]);
export const winners = signal(/** @type {string[]} */ ([]));
export const hands = signal(/** @type {Record<string, Hand>} */ ({}));
export const byPoints = signal(false);
/** Whether it is known by now what waits: before, nothing can be said about it. */
export const known = signal(false);
/** Why nothing can be sent at the moment, in words; "" where nothing is in the way. */
export const away = signal("");
export const notice = signal("");
/** @type {import("../vendor/preact.js").Signal<{tap: import("../core/queue.js").Tap, round: any, version: number} | null>} */
export const differs = signal(null);
/** The first round that the service would not take. */
export const stopped = computed(() => waiting.value.find((tap) => tap.stopped !== null) ?? null);
/** The tap that is told anew, after it was refused. @type {import("../vendor/preact.js").Signal<string | null>} */
export const editing = signal(null);

/** Rounds that were saved and are on their way into the queue. @type {import("../core/queue.js").Tap[]} */
let entering = [];
/** How many decisions of the person are being carried out: until they are, no conflict is news. */
let decisions = 0;
/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/** What the person saw at the first touch. */
export const begun = signal(/** @type {Draft["begun"]} */ (null));
/** What is told behind the round that came back into the form, in its order. @type {Draft[]} */
let later = [];
const UNKEPT = say("Not kept: make room on this phone, and tap again.");

/** What the table plays with. @type {Record<string, {count: number, points: number}>} */
export const box = { ...given.edition.cards, ...given.board.options.extra_cards };

/** What is told of a hand so far, if anything. @param {string} player */
export const handOf = (player) => own(hands.value, player);

/** @param {Hand} [hand] */
export const worthOf = (hand) => (byPoints.value ? (hand?.points ?? 0) : sum((hand?.cards ?? []).map((card) => box[card]?.points ?? 0)));

/** Whose hands are asked for. */
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

/** The number of the round that would be recorded now. */
export function following() {
  const { phase, round } = board.value;
  return phase === "ready" || phase === "over" ? round + 1 : round;
}

/** The number of the round that would be told now. */
const nextRound = () => (waiting.value.at(-1)?.round ?? following() - 1) + 1;

/** The number of the round that is being told: the one that was next at the first touch, whatever came since. */
export const number = computed(() => begun.value?.round ?? nextRound());

/** Cards of a name that the box still holds beside the hands told so far. @param {string} card */
export function left(card) {
  return (box[card]?.count ?? 0) - Object.values(hands.value).flatMap((hand) => hand.cards).filter((each) => each === card).length;
}

/** What a person sees who begins now. */
const now = () => ({ version: board.value.version, round: nextRound(), behind: waiting.value.length > 0 });

function begin() {
  notice.value = "";
  return (begun.value ??= now());
}

/** @param {string} player @param {boolean} together one of several who went out at once */
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

/** @param {Draft} draft */
export function fill(draft) {
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

function clear() {
  fill(later.shift() ?? { ...form(), winners: [], hands: {}, editing: null, begun: null });
  // Whatever became of the number of the one before it, it comes behind that one.
  if (begun.value) begun.value = { ...begun.value, round: nextRound() };
}

/** A round is in the form again, before those that were told after it. @param {Draft} draft */
export function bringBack(draft) {
  /** @type {any[]} */
  const drafts = [draft, form(), ...later];
  later = drafts.filter((each) => each.begun).sort((one, other) => one.begun.round - other.begun.round);
  fill(/** @type {Draft} */ (later.shift()));
}

/** Nothing was changed in the queue: said where that is so, and thrown on what is a fault. @param {unknown} error */
function unkept(error) {
  if (!(error instanceof DOMException)) throw error;
  notice.value = UNKEPT;
}

/** Keep the round that was told, and send it when that is possible. */
export async function save() {
  const { version, round } = begin();
  const shown = Object.fromEntries(
    asked.value.map((player) => [player, byPoints.value ? { points: handOf(player)?.points } : { cards: handOf(player)?.cards }]),
  );
  const event = { type: "round_tallied", winners: board.value.players.filter((/** @type {string} */ p) => winners.value.includes(p)), hands: shown };
  const tap = { id: uuid(), at: new Date().toISOString(), event, round, worth: worth.value, tried: false, renumbered: false, stopped: null };
  const draft = form();
  const former = draft.editing;
  // Shown as waiting from the touch on, not only once it is kept.
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

/** What waits is as the queue has it. @param {import("../core/queue.js").Queue} held */
export function read(held) {
  const ids = new Set(held.taps.map((tap) => tap.id));
  known.value = true;
  waiting.value = [...held.taps, ...entering.filter((tap) => !ids.has(tap.id))];
  told.value = held.told;
  const anew = held.taps.find((tap) => tap.id === editing.value);
  if (anew && begun.value) begun.value = { ...begun.value, round: anew.round };
  // The round that is told anew was thrown away or taken back: what the form says is a round of its own from here on.
  else if (editing.value !== null) fill({ ...form(), editing: null, begun: now() });
}

/**
 * One after the other, so that what a person decides never meets a try that is under way.
 * @param {() => Promise<void>} work @returns {Promise<void>}
 */
export function inTurn(work) {
  const mine = turn.then(work).catch(unkept);
  turn = mine.catch(() => {});
  return mine;
}

/** What was to be sent stays here. @param {Unreachable | DOMException} [error] none where nobody was heard for too long */
export function cutOff(error) {
  if (error instanceof DOMException) away.value = say("This phone may be full.");
  else away.value = error?.answer?.ok === false ? say("The service can't answer at the moment.") : say("No connection");
}

/** Carry out what the person decided about a conflict, and go on sending. @param {() => Promise<void>} work */
export function decide(work) {
  decisions += 1;
  differs.value = null;
  notice.value = "";
  return inTurn(async () => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Unreachable) cutOff(error);
      // What differs from what was decided about is asked about again.
      else if (error instanceof Refused) notice.value = error.problem.status === 412 ? "" : error.message;
      else throw error;
    } finally {
      decisions -= 1;
    }
    await sendNow();
  });
}

/** @param {any} now a scoreboard; an older one than is shown is passed over */
export function show(now) {
  if (now && now.version >= board.value.version) board.value = now;
}

/** A round is gone: what was told or begun behind it moves up, since no round can come before its turn. */
export async function moveUp() {
  const gap = (waiting.value[0]?.round ?? 0) - following();
  if (gap > 0) read(await queue(key, ({ taps }) => taps.forEach((tap) => Object.assign(tap, { round: tap.round - gap, renumbered: true }))));
  comeAt(nextRound());
}

/** What is being told is this round at the latest. @param {number} round */
export const comeAt = (round) => void (begun.value &&= { ...begun.value, round: Math.min(begun.value.round, round) });

/** This device was sent home. */
export const shutOut = () => void (notice.value = say("This device may not score here. What you told is kept: ask for a new code."));

/** Send what waits, and say what came of it. */
export const send = () => inTurn(sendNow);

export async function sendNow() {
  read(await queue(key));
  const outcome = await flush(key);
  const held = await queue(key);
  if (begun.value?.behind && outcome.sent) begun.value = { ...begun.value, version: held.base };
  batch(() => {
    show(outcome.sent?.state);
    read(held);
    away.value = "";
    if (outcome.away) cutOff(outcome.away);
    else if (decisions === 0) differs.value = outcome.differs;
    if (outcome.shut) shutOut();
    else if (outcome.once > 0) notice.value = say("Counted once.");
    // What was said of something that waited is over once it is recorded.
    else if (outcome.sent && notice.value !== UNKEPT) notice.value = "";
  });
}
