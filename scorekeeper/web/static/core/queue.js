// @ts-check
/**
 * What was told on this device and what the service has not confirmed of it; and taking back what it had recorded, and nothing of
 * other devices. Each match has one queue in IndexedDB, which survives a reload and never expires. Each change is one transaction, so that
 * two tabs can't lose each other's taps. What is half told is kept by the tab.
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
 * `base`: the version of the match that the person saw when they began. `told`: what this device had recorded, the newest last. `card`: the
 * events that were told card by card and are not recorded, the last one of each tab, with the version under which it was sent.
 * @typedef {{key: string, base: number, taps: Tap[], told: Undoable[], card?: any[]}} Queue
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
    // `commit` ends it even if the page is left. WebKit keeps such a page as it is, and what has not ended there keeps later pages from writing.
    if (!change) begun.commit();
    read.onsuccess = () => {
      /** @type {Queue} */
      const found = read.result ?? { key, base: 0, taps: [], told: [] };
      change?.(found);
      found.told.splice(0, found.told.length - MOST_TOLD);
      if (change) {
        store.put(found);
        begun.commit();
      }
      begun.oncomplete = () => done(found);
    };
    begun.onabort = () => fail(begun.error ?? new DOMException());
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

/**
 * Return what the tab keeps of what is half told: it survives a reload, another page in between and a switch of the language.
 * @param {string} place @returns {any} null if there is nothing
 */
export const halfTold = (place) => JSON.parse(sessionStorage.getItem(place) ?? "null");

/** @param {string} place @param {unknown} half */
export function keepHalf(place, half) {
  try {
    sessionStorage.setItem(place, JSON.stringify(half));
  } catch {
    // If the phone has no free space, the person is told so when something is told.
  }
}
