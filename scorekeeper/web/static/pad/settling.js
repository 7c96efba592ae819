// @ts-check
/** What a person decides where two accounts of a round differ, or where one was refused. */
import { Refused, Unreachable, ask, uuid } from "../core/api.js";
import { drop, queue } from "../core/queue.js";
import { away, board, key, notice, send } from "./state.js";

/** @typedef {import("../core/queue.js").Tap} Tap */
/** @typedef {{tap: Tap, round: any, version: number}} Differing */

/** The round on record stands; mine was the same one. @param {Differing} differing */
export async function keepTheirs({ tap }) {
  await drop(key, tap.id, { moveUp: false });
  await send();
}

/** Mine comes behind all rounds on record, and what waits behind it follows. @param {Differing} differing */
export async function anotherRound({ tap }) {
  const now = await ask(key);
  await queue(key, (held) => {
    const place = held.taps.findIndex((each) => each.id === tap.id);
    const next = now.phase === "ready" || now.phase === "over" ? now.round + 1 : now.round;
    for (const [step, each] of held.taps.slice(place).entries()) each.round = next + step;
    held.base = now.version;
  });
  await send();
}

/** @param {Tap} tap */
export async function throwAway(tap) {
  await drop(key, tap.id, { moveUp: tap.stopped !== null });
  await send();
}

/** Have the log read as I told it: an amendment, which everybody can see. @param {Differing} differing @param {string} reason */
export async function replaceByMine({ tap, round, version }, reason) {
  const remove = round.last_version - round.first_version + 1;
  const { type, winners, hands } = tap.event;
  const amendment = { type: "log_amended", id: uuid(), from: round.first_version, remove, insert: [{ type, winners, hands }], reason };
  try {
    const answer = await ask(`${key}/events`, { method: "POST", body: { events: [amendment] }, ifMatch: version });
    board.value = answer.state;
  } catch (error) {
    if (error instanceof Unreachable) away.value = true;
    else if (error instanceof Refused) notice.value = error.message;
    else throw error;
    return;
  }
  await drop(key, tap.id, { moveUp: false });
  await send();
}
