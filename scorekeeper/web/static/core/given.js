// @ts-check
/** What a page came with: data in a block of its own, read once. */

/** @param {string} id */
function block(id) {
  return JSON.parse(document.getElementById(id)?.textContent || "{}");
}

/** @type {Record<string, any>} */
export const given = block("given");

/** @type {Record<string, string>} */
export const words = block("words");
