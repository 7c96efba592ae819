// @ts-check
/** Reading data again after it has changed. The newest answer is the one that is shown. */
import { Refused, Unreachable } from "./api.js";

const AGAIN_MS = 5_000;

/**
 * Return a function to be called after each change. It runs `read`, never twice at a time, so that no answer can arrive after a
 * later one. All changes that come meanwhile cause one more `read`. If the service could not be reached, `read` is tried again.
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
