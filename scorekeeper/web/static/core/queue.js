// @ts-check
/**
 * The rounds that were told on this device and that the service has not confirmed; and taking back what it had recorded, and nothing of
 * other devices. Each match has one queue in IndexedDB, which survives a reload and never expires. Each change is one transaction, so that
 * two tabs can't lose each other's taps.
 */
import { ask, uuid } from "./api.js";
import { say } from "./given.js";

/**
 * A round as it was told. `round`: its number. `worth`: the points of each hand. `tried`: it was sent once, so it may be recorded even without an answer.
 * `renumbered`: it was told as a round with another number, so an equal round on record is not taken for the same one: the person is asked.
 * `stopped`: the problem with which the service refused it.
 * @typedef {{id: string, at: string, event: any, round: number, worth: Record<string, number>, tried: boolean,
 *   renumbered: boolean, stopped: import("./api.js").Problem | null}} Tap
 */

/**
 * Something that this device had recorded and can take back: the id of an event, or the version of an amendment.
 * @typedef {string | number} Undoable
 */

/**
 * `base`: the version of the match that the person saw when they began. `told`: what this device had recorded, the newest last.
 * @typedef {{key: string, base: number, taps: Tap[], told: Undoable[]}} Queue
 */

const MOST_TOLD = 200;

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function database() {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open("scorekeeper", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("queues", { keyPath: "key" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opened;
}

/**
 * Begin a transaction. What it writes has reached the disk when it is complete: "Saved" holds though the battery runs out in that moment.
 * A browser may close the database while the page is in the background, so a failed attempt opens it again, once.
 * @param {IDBTransactionMode} mode
 */
async function transaction(mode) {
  const begin = async () => (await database()).transaction("queues", mode, { durability: "strict" });
  return begin().catch(() => {
    opened = undefined;
    return begin();
  });
}

/**
 * Return the queue, after `change` was applied and stored if it is given.
 * @param {string} key the address of the match
 * @param {(queue: Queue) => void} [change] changes the queue in place
 * @returns {Promise<Queue>} rejects with a DOMException if nothing could be stored
 */
export async function queue(key, change) {
  const begun = await transaction(change ? "readwrite" : "readonly");
  const store = begun.objectStore("queues");
  return new Promise((done, fail) => {
    const read = store.get(key);
    read.onsuccess = () => {
      /** @type {Queue} */
      const found = read.result ?? { key, base: 0, taps: [], told: [] };
      change?.(found);
      found.told.splice(0, found.told.length - MOST_TOLD);
      if (change) store.put(found);
      begun.oncomplete = () => done(found);
    };
    begun.onabort = () => fail(begun.error ?? new DOMException());
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

/** @param {any} error why an event was not taken back @returns {null} if it had never been recorded, since it was lost on its way */
function neverTold(error) {
  if (error.problem?.reason === "event") return null;
  throw error;
}

/** @param {string} key the address of the match @param {Undoable} of @param {number} ifMatch @returns {Promise<any>} the answer; null if it had never been recorded */
export function undo(key, of, ifMatch) {
  if (typeof of === "string") return ask(`${key}/undo?names=display`, { method: "POST", body: { of }, ifMatch }).catch(neverTold);
  // `undo` takes the ids of told events only. An amendment is withdrawn by its version.
  const withdrawal = { type: "log_amended", id: uuid(), withdraws: [of], reason: say("Taken back.") };
  return ask(`${key}/events?names=display`, { method: "POST", body: { events: [withdrawal] }, ifMatch });
}

/** Forget an event or amendment that was taken back, or that does not count any more. @param {string} key @param {Undoable} of */
export const strike = (key, of) => queue(key, (stored) => void (stored.told = stored.told.filter((known) => known !== of)));
