// @ts-check
/**
 * What this device told and the service has not confirmed: one queue for each match, kept over a reload.
 * Nothing in it expires. Each change is one transaction, so that two tabs can't lose each other's taps.
 */

/**
 * A round as it was told. `round`: the one that is meant. `worth`: the points of each hand. `tried`: it was sent, so that it may be recorded although
 * nobody answered. `renumbered`: it was told as another round, and only reads like this one. `stopped`: why the service would not take it.
 * @typedef {{id: string, at: string, event: any, round: number, worth: Record<string, number>, tried: boolean,
 *   renumbered: boolean, stopped: import("./api.js").Problem | null}} Tap
 */

/**
 * What this device had recorded: the id of an event, or the version of an amendment, which is taken back by it.
 * @typedef {string | number} Told
 */

/**
 * `base`: the version of the match that the person saw when they began. `told`: what this device had recorded, the last
 * one last.
 * @typedef {{key: string, base: number, taps: Tap[], told: Told[]}} Queue
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
 * A browser may close the database behind the page, such as that of a phone which was put away: then it is opened anew, once.
 * @param {IDBTransactionMode} mode
 */
async function transaction(mode) {
  const begin = async () => (await database()).transaction("queues", mode);
  return begin().catch(() => {
    opened = undefined;
    return begin();
  });
}

/**
 * The queue, after `change` where one is given.
 * @param {string} key the address of the match
 * @param {(queue: Queue) => void} [change] in place
 * @returns {Promise<Queue>} it fails with a DOMException where nothing was kept
 */
export async function queue(key, change) {
  const held = await transaction(change ? "readwrite" : "readonly");
  const store = held.objectStore("queues");
  return new Promise((done, fail) => {
    const read = store.get(key);
    read.onsuccess = () => {
      /** @type {Queue} */
      const found = read.result ?? { key, base: 0, taps: [], told: [] };
      change?.(found);
      found.told.splice(0, found.told.length - MOST_TOLD);
      if (change) store.put(found);
      held.oncomplete = () => done(found);
    };
    held.onabort = () => fail(held.error ?? new DOMException());
  });
}

/** @param {string} key @param {Tap} tap @param {number} base counts where nothing waits yet */
export const add = (key, tap, base) => queue(key, (held) => push(held, tap, base));

/**
 * Tell a tap anew in its place; where it is gone meanwhile, behind the others.
 * @param {string} key @param {string} former @param {Tap} tap @param {number} base
 */
export function replace(key, former, tap, base) {
  return queue(key, (held) => {
    const there = held.taps.find((each) => each.id === former);
    if (there) Object.assign(there, { ...tap, round: there.round, renumbered: there.renumbered });
    else push(held, tap, base);
  });
}

/** @param {Queue} held @param {Tap} tap @param {number} base */
function push(held, tap, base) {
  if (held.taps.length === 0) held.base = base;
  held.taps.push(tap);
}

/**
 * Forget a tap. Where it was no round at all, the later ones move up.
 * @param {string} key @param {string} id @param {{moveUp: boolean}} how
 */
export function drop(key, id, { moveUp }) {
  return queue(key, (held) => {
    const place = held.taps.findIndex((tap) => tap.id === id);
    if (place < 0) return;
    held.taps.splice(place, 1);
    if (moveUp) for (const tap of held.taps.slice(place)) tap.round -= 1;
  });
}
