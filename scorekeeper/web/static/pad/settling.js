// @ts-check
/** What a person decides: where two accounts of a round differ, where one was refused, or where one was a slip. */
import { Refused, Unreachable, ask, uuid } from "../core/api.js";
import { drop, queue } from "../core/queue.js";
import { strike, undo } from "../core/undo.js";
import { say } from "../core/words.js";
import { isSame } from "./accounts.js";
import { away, board, decide, inTurn, key, notice, read, sendNow, show, told, waiting } from "./state.js";

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

/** Take back the last round that this phone told. */
export const takeBack = () => inTurn(takeBackNow);

async function takeBackNow() {
  const last = waiting.value.at(-1);
  if (last && !last.tried) return read(await drop(key, last.id, { moveUp: false }));
  await sendNow();
  const of = told.value.at(-1);
  if (waiting.value.length > 0 && away.value) notice.value = say("It may be saved already. Take it back once there is a connection.");
  if (waiting.value.length > 0 || of === undefined) return;
  try {
    const answer = await undo(key, of, board.value.version);
    read(await strike(key, of));
    show(answer.state);
    notice.value = say("Taken back.");
  } catch (error) {
    if (error instanceof Unreachable) away.value = true;
    else if (!(error instanceof Refused)) throw error;
    else if (error.problem.status === 412) await catchUp();
    else {
      if (error.problem.code === "nothing-to-undo") read(await strike(key, of));
      notice.value = error.message;
    }
  }
}

/** Somebody told something meanwhile; the person sees it before the next touch. */
async function catchUp() {
  show(await ask(key));
  notice.value = say("Somebody told something meanwhile. Look, and try again.");
}
