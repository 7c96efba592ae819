// @ts-check
/** Names of requests, for a page that sends some again. */
import { uuid } from "./api.js";

/** @type {Map<string, string>} */
const keys = new Map();

/**
 * The same name for the same content, so that what is sent again because its answer was lost is carried out once; another
 * name for any other content, which the service would refuse under the old one.
 * @param {string} content
 */
export function keyOf(content) {
  const key = keys.get(content) ?? uuid();
  keys.set(content, key);
  return key;
}

// Whoever comes back to a page that was left does the same anew.
addEventListener("pageshow", (event) => {
  if (event.persisted) keys.clear();
});
