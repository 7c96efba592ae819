// @ts-check
/** Carries out what a person decides if two accounts of a round differ, or if a round was refused. */
import { Refused, ask, uuid } from "../core/api.js";
import { queue } from "../core/queue.js";
import { staying } from "./scoring.js";
import { drop, isSame } from "./sending.js";
import { begun, board, bringBack, clear, comeAt, decide, editing, fill, key, moveUp, show } from "./state.js";

/** @typedef {import("../core/queue.js").Tap} Tap */
/** @typedef {{tap: Tap, round: any, version: number}} Differing */

/** Keep the round on record: the one that was told here was the same round. @param {Differing} differing */
export const keepTheirs = ({ tap }) => decide(async () => void (await drop(key, tap.id, { moveUp: false })));

/** @param {Tap} tap */
export const throwAway = (tap) =>
  decide(async () => {
    const refused = tap.stopped !== null;
    await drop(key, tap.id, { moveUp: refused });
    if (refused && begun.value && begun.value.round > tap.round) comeAt(begun.value.round - 1);
  });

/**
 * Tell a refused round as played, as a new event: what the rules forbid has happened at the table. If it had been brought back into the form, it
 * leaves the form, where it would look like the next round.
 * @param {Tap} tap
 */
export const tellAsPlayed = ({ id, event }) =>
  decide(async () => {
    if (editing.value === id) clear();
    await queue(key, ({ taps }) => {
      const tap = taps.find((each) => each.id === id);
      if (tap) Object.assign(tap, { id: uuid(), event: { ...event, as_played: true }, stopped: null });
    });
  });

/**
 * Bring a refused round back into the form, before anything that was begun later. If the rounds before it are no longer on record, it moves
 * up to their place. A winner who is out of the match by now has no button there by which another could be put in their place.
 * @param {Tap} tap
 */
export function edit({ id, event, round, stopped }) {
  const told = /** @type {[string, any][]} */ (Object.entries(event.hands));
  const byPoints = told.some(([, hand]) => hand.points !== undefined);
  const hands = Object.fromEntries(told.map(([player, hand]) => [player, { cards: [], points: null, ...hand }]));
  const winners = staying(board.value).filter((player) => event.winners.includes(player));
  const draft = { winners, hands, byPoints, editing: id, begun: { version: board.value.version, round, behind: true } };
  if (editing.value === null) bringBack(draft);
  else fill(draft);
  if (stopped?.code === "round-not-reached") void decide(takeItsPlace);
}

async function takeItsPlace() {
  show(await ask(key));
  await moveUp();
}

/** @param {Differing} differing */
export const anotherRound = (differing) => decide(() => renumber(differing));

/** @param {Differing} differing @param {string} reason */
export const replaceByMine = (differing, reason) => decide(() => amend(differing, reason));

/**
 * The person says that the tap is another round than the one on record. So the numbers of this tap and of all later ones are wrong. A tap that
 * is equal to another round on record gets that round's number, and the person is asked about it. The others get numbers after all recorded rounds.
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
  // A round that was begun after all waiting ones still comes after them.
  if (begun.value?.behind) begun.value = { ...begun.value, round: next };
}

/**
 * Replace the round on record by an amendment, which everybody can see. Earlier amendments of this round are withdrawn by it.
 * @param {Differing} differing @param {string} reason
 */
async function amend({ tap, round, version }, reason) {
  const { type, winners, hands } = tap.event;
  const place = await placeOf(round);
  const { from, withdraws } = place;
  const insert = [...place.before, { type, winners, hands }, ...place.behind];
  let { end } = place;
  let answer;
  while (!answer) {
    const amendment = { type: "log_amended", id: uuid(), from, remove: end - from, insert, withdraws, reason };
    try {
      answer = await ask(`${key}/events?names=display`, { method: "POST", body: { events: [amendment] }, ifMatch: version });
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 412) {
        version = (await ask(key)).version;
        // The entries that were added meanwhile may concern other rounds only.
        if (JSON.stringify(await ask(`${key}/rounds/${round.round}`)) === JSON.stringify(round)) continue;
      }
      const earlier = await inItsWay(error, round, version);
      end = Math.max(end, earlier.end);
      withdraws.push(...earlier.versions);
    }
  }
  show(answer.state);
  await drop(key, tap.id, { moveUp: false });
  await queue(key, (held) => void held.told.push(answer.version));
}

/** Events that say something about the log. An amendment does not remove them. */
const STAYING = ["note_added", "dispute_opened", "dispute_ruled"];

/**
 * Return where a round stands in the log. A round that begins with an inserted event has no entry there: the amendment that inserted it is
 * withdrawn, and what else that amendment inserted, such as notes, is inserted again, `before` the round and `behind` it.
 * @param {any} round
 * @returns {Promise<{from: number, end: number, withdraws: number[], before: object[], behind: object[]}>} `end`: the version after the last entry
 */
async function placeOf(round) {
  const place = { from: round.first_version, end: round.last_version + 1, withdraws: [], before: [], behind: [] };
  const { items } = await ask(`${key}/rounds/${round.round}/replay`);
  const told = items.filter((/** @type {any} */ step) => !step.inferred && !STAYING.includes(step.event?.type));
  const version = told[0].amendment;
  if (version === undefined) return place;
  const { from, remove = 0, insert, withdraws = [] } = (await entry(version)).data;
  if (remove > 0) return place;
  const own = told.filter((/** @type {any} */ step) => step.amendment === version).map((/** @type {any} */ step) => step.index);
  return {
    from,
    end: Math.max(from, ...told.map((/** @type {any} */ step) => (step.version ?? 0) + 1)),
    withdraws: [version, ...withdraws],
    before: insert.slice(0, own[0]),
    behind: insert.filter((/** @type {object} */ _, /** @type {number} */ at) => at > own[0] && !own.includes(at)),
  };
}

/** @param {number} version */
const entry = async (version) => (await ask(`${key}/events?after=${version - 1}&limit=1`)).items[0];

/**
 * Return the amendment that the service names as overlapping, if it concerns this round only. `versions` also has what that amendment had
 * withdrawn, since this would otherwise be in force again.
 * @param {unknown} error thrown again if there is no such amendment @param {any} round @param {number} version
 * @returns {Promise<{versions: number[], end: number}>} `end`: the version after the last entry that the amendment covers
 */
async function inItsWay(error, round, version) {
  const named = error instanceof Refused && error.problem.code === "amendment-overlaps" ? error.problem.facts?.amendments : [];
  const earlier = named.find((/** @type {number} */ each) => each <= version);
  if (earlier === undefined) throw error;
  const [amendment, rounds] = await Promise.all([entry(earlier), ask(`${key}/rounds?limit=1000`)]);
  const { from, remove = 0, withdraws = [] } = amendment.data ?? {};
  const next = rounds.items.find((/** @type {any} */ each) => each.round === round.round + 1)?.first_version ?? version + 1;
  if (!(from >= round.first_version && from + remove <= next)) throw error;
  return { versions: [earlier, ...withdraws], end: from + remove };
}
