// @ts-check
/** What a person decides: where two accounts of a round differ, or where one was refused. */
import { ask, uuid } from "../core/api.js";
import { drop, queue } from "../core/queue.js";
import { isSame } from "./accounts.js";
import { board, decide, key } from "./state.js";

/** @typedef {import("../core/queue.js").Tap} Tap */
/** @typedef {{tap: Tap, round: any, version: number}} Differing */

/** The round on record stands; mine was the same one. @param {Differing} differing */
export const keepTheirs = ({ tap }) => decide(async () => void (await drop(key, tap.id, { moveUp: false })));

/** @param {Tap} tap */
export const throwAway = (tap) => decide(async () => void (await drop(key, tap.id, { moveUp: tap.stopped !== null })));

/** @param {Differing} differing */
export const anotherRound = (differing) => decide(() => renumber(differing));

/** @param {Differing} differing @param {string} reason */
export const replaceByMine = (differing, reason) => decide(() => amend(differing, reason));

/**
 * Mine is not that round, so the numbers of mine are wrong from here on. Whatever reads like another round on record is
 * asked about under that round's number; the rest comes behind all that is on record.
 * @param {Differing} differing
 */
async function renumber({ tap, round }) {
  const now = await ask(key);
  const { items } = await ask(`${key}/rounds?limit=1000`);
  const free = items.filter((/** @type {any} */ each) => each.round >= round.round && each.status !== "running");
  let next = now.phase === "ready" || now.phase === "over" ? now.round + 1 : now.round;
  await queue(key, (held) => {
    const place = held.taps.findIndex((each) => each.id === tap.id);
    if (place < 0) return;
    const alike = [];
    const others = [];
    for (const each of held.taps.splice(place)) {
      const at = free.findIndex((/** @type {any} */ known) => isSame(known, each) && !(each.id === tap.id && known.round === round.round));
      if (at >= 0) alike.push({ ...each, round: free.splice(at, 1)[0].round, renumbered: true });
      else others.push({ ...each, round: next++, renumbered: false });
    }
    held.taps.push(...alike, ...others);
    if (alike.length === 0) held.base = now.version;
  });
}

/** Have the log read as I told it: an amendment, which everybody can see. @param {Differing} differing @param {string} reason */
async function amend({ tap, round, version }, reason) {
  const remove = round.last_version - round.first_version + 1;
  const { type, winners, hands } = tap.event;
  const amendment = { type: "log_amended", id: uuid(), from: round.first_version, remove, insert: [{ type, winners, hands }], reason };
  const answer = await ask(`${key}/events?names=display`, { method: "POST", body: { events: [amendment] }, ifMatch: version });
  board.value = answer.state;
  await drop(key, tap.id, { moveUp: false });
  await queue(key, (held) => void held.told.push(answer.version));
}
