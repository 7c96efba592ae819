// @ts-check
/** Idempotency keys, for a page that may send a request again. */
import { uuid } from "./api.js";

/** @type {Map<string, string>} */
const keys = new Map();

/**
 * Return the same key for the same content, so that a request whose answer was lost is carried out once. Other content gets
 * another key, since the service would refuse it under the former one.
 * @param {string} content
 */
export function keyOf(content) {
  const key = keys.get(content) ?? uuid();
  keys.set(content, key);
  return key;
}

// On a page that comes back from the back/forward cache, the same content means a new request.
addEventListener("pageshow", (event) => {
  if (event.persisted) keys.clear();
});
