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

/**
 * What a map has under a slug, if anything: a person or a card may be called `constructor`, which every object has besides.
 * @template T @param {Record<string, T> | null | undefined} map @param {string} slug @returns {T | undefined}
 */
export function own(map, slug) {
  if (map && Object.hasOwn(map, slug)) return map[slug];
}
