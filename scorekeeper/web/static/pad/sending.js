// @ts-check
/** The queue of rounds: what is put into it, and sending it in one batch, under the version of the match that the person saw. If that version is no longer the present one, the person may have to decide. */
import { Refused, Unreachable, ask } from "../core/api.js";
import { queue } from "../core/queue.js";

/** @typedef {import("../core/queue.js").Tap} Tap */
/** @typedef {import("../core/queue.js").Queue} Queue */

/**
 * The outcome of an attempt. `sent`: the answer, if something was recorded. `once`: the number of taps that were on record already, with the same content.
 * `differs`: a tap and the different `round` that is on record under its number. `away`: why the service was not reached, or why nothing was sent.
 * `shut`: this device may not write.
 * @typedef {{sent: any, once: number, differs: {tap: Tap, round: any, version: number} | null,
 *   away: Unreachable | DOMException | null, shut: boolean}} Outcome
 */

const SENT_HOME = [401, 403, 404];

/** Send the taps that wait. @param {string} key @returns {Promise<Outcome>} */
export async function flush(key) {
  // Over plain HTTP there is no `navigator.locks`. Two tabs may then send the same ids, which the service counts once.
  return navigator.locks?.request(`send ${key}`, () => flushed(key)) ?? flushed(key);
}

/** @param {string} key @returns {Promise<Outcome>} */
async function flushed(key) {
  /** @type {Outcome} */
  const outcome = { sent: null, once: 0, differs: null, away: null, shut: false };
  try {
    while (await step(key, outcome));
  } catch (error) {
    if (error instanceof Unreachable || error instanceof DOMException) outcome.away = error;
    else if (error instanceof Refused && SENT_HOME.includes(error.problem.status)) outcome.shut = true;
    else throw error;
  }
  return outcome;
}

/** Send one request. @param {string} key @param {Outcome} outcome @returns {Promise<boolean>} whether to go on */
async function step(key, outcome) {
  const { base, taps } = await queue(key);
  // If two tabs told the same round, it waits twice. The batch ends before the second account, which is compared after the first one is recorded.
  const stop = taps.findIndex((tap, at) => tap.stopped || tap.round <= (taps[at - 1]?.round ?? 0));
  const batch = stop < 0 ? taps : taps.slice(0, stop);
  if (batch.length === 0) return false;
  try {
    outcome.sent = await send(key, base, batch);
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || SENT_HOME.includes(error.problem.status)) throw error;
    return settled(key, batch, error.problem, outcome);
  }
}

/** @param {string} key @param {number} base @param {Tap[]} batch */
async function send(key, base, batch) {
  const sent = new Set(batch.map((tap) => tap.id));
  await queue(key, (stored) => {
    for (const tap of stored.taps) if (sent.has(tap.id)) tap.tried = true;
  });
  const events = batch.map(({ id, at, event, round }) => ({ ...event, id, at, round }));
  const answer = await ask(`${key}/events?names=display`, { method: "POST", body: { events }, ifMatch: base });
  await queue(key, (stored) => {
    stored.taps = stored.taps.filter((tap) => !sent.has(tap.id));
    stored.told.push(...sent);
    stored.base = answer.version;
  });
  return answer;
}

/**
 * Deal with a refused batch.
 * @param {string} key @param {Tap[]} batch @param {import("../core/api.js").Problem} problem @param {Outcome} outcome
 * @returns {Promise<boolean>} whether to send again
 */
async function settled(key, batch, problem, outcome) {
  if (problem.status === 412 || problem.code === "round-taken") return overtaken(key, batch, outcome);
  const refused = batch[problem.event_index ?? 0];
  await queue(key, (stored) => {
    const tap = stored.taps.find((each) => each.id === refused?.id);
    if (tap) Object.assign(tap, { stopped: problem, tried: false });
  });
  // The taps before it can still be sent.
  return true;
}

/**
 * Somebody else has recorded something: compare each tap with the recorded round of its number, and only then move the base. If the base
 * moved earlier, a round could be counted twice.
 * @param {string} key @param {Tap[]} batch @param {Outcome} outcome
 */
async function overtaken(key, batch, outcome) {
  const board = await ask(key);
  const same = new Set();
  for (const tap of batch) {
    if (tap.round > board.round) continue;
    const round = await ask(`${key}/rounds/${tap.round}`);
    if (round.status === "running") continue;
    if (tap.renumbered || !isSame(round, tap)) {
      outcome.differs = { tap, round, version: board.version };
      break;
    }
    same.add(tap.id);
  }
  outcome.once += same.size;
  await queue(key, (stored) => {
    stored.taps = stored.taps.filter((tap) => !same.has(tap.id));
    if (outcome.differs === null) stored.base = board.version;
  });
  return outcome.differs === null;
}

/**
 * Return whether two accounts of a round are the same. They need the same winners, and for each hand the same cards, or the same
 * points if one of them has no cards.
 * @param {any} round as the service has it @param {Tap} tap as it was told here
 */
export function isSame(round, { event: tally, worth }) {
  if (round.status !== "ended" || [...round.winners].sort().join() !== [...tally.winners].sort().join()) return false;
  return Object.entries(tally.hands ?? {}).every(([player, hand]) => {
    const cards = round.hands?.[player]?.cards;
    if (hand.cards && cards) return [...hand.cards].sort().join() === [...cards].sort().join();
    return (round.hand_points?.[player] ?? 0) === worth[player];
  });
}

/** @param {string} key @param {Tap} tap @param {number} base is used if the queue is empty */
export const add = (key, tap, base) => queue(key, (stored) => push(stored, tap, base));

/**
 * Replace a tap by a corrected one in the same place. If the former tap is gone, add the corrected one at the end.
 * @param {string} key @param {string} former @param {Tap} tap @param {number} base
 */
export function replace(key, former, tap, base) {
  return queue(key, (stored) => {
    const there = stored.taps.find((each) => each.id === former);
    if (there) Object.assign(there, { ...tap, round: there.round, renumbered: there.renumbered });
    else push(stored, tap, base);
  });
}

/** @param {Queue} stored @param {Tap} tap @param {number} base */
function push(stored, tap, base) {
  if (stored.taps.length === 0) stored.base = base;
  stored.taps.push(tap);
}

/**
 * Forget a tap. `moveUp`: it turned out to be no round, so the later taps get lower numbers.
 * @param {string} key @param {string} id @param {{moveUp: boolean}} how
 */
export function drop(key, id, { moveUp }) {
  return queue(key, (stored) => {
    const place = stored.taps.findIndex((tap) => tap.id === id);
    if (place < 0) return;
    stored.taps.splice(place, 1);
    if (moveUp) for (const tap of stored.taps.slice(place)) tap.round -= 1;
  });
}
