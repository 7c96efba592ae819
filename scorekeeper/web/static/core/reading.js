// @ts-check
/** What a page that follows has to read besides what it is told: the newest answer stands. */
import { Refused, Unreachable } from "./api.js";

const AGAIN_MS = 5_000;

/**
 * Once something changed: `read` is done, never twice at a time, so that no answer comes behind a later one. Whatever changes
 * meanwhile is read after that, all at once; where nobody answered, it is read again.
 * @param {() => Promise<void>} read
 * @returns {() => Promise<void>}
 */
export function reader(read) {
  let reading = false;
  let again = false;

  async function once() {
    try {
      await read();
    } catch (error) {
      if (error instanceof Unreachable) setTimeout(refresh, AGAIN_MS);
      else if (!(error instanceof Refused)) throw error;
    }
  }

  async function refresh() {
    again = true;
    if (reading) return;
    reading = true;
    try {
      while (again) {
        again = false;
        await once();
      }
    } finally {
      reading = false;
    }
  }

  return refresh;
}
