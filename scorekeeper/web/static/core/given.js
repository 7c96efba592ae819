// @ts-check
/** The data that the server writes into a page, in a block of its own. It is read once. */

/** @param {string} id */
function block(id) {
  return JSON.parse(document.getElementById(id)?.textContent || "{}");
}

/** @type {Record<string, any>} */
export const given = block("given");

/** @type {Record<string, string>} */
export const words = block("words");

/**
 * Return a map's own value for a slug, if it has one. A person or a card may be called `constructor`, which every object inherits.
 * @template T @param {Record<string, T> | null | undefined} map @param {string} slug @returns {T | undefined}
 */
export function own(map, slug) {
  if (map && Object.hasOwn(map, slug)) return map[slug];
}
