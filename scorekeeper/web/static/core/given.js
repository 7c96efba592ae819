// @ts-check
/**
 * What the server writes into a page: its data, and its texts in the reader's language. Call `say` and `count` only with string literals: the
 * server finds the texts by reading the modules.
 */

/** @param {string} id of a block that is read once */
function block(id) {
  return JSON.parse(document.getElementById(id)?.textContent || "{}");
}

/** @type {Record<string, any>} */
export const given = block("given");

/** @type {Record<string, string>} */
const words = block("words");

/**
 * Return a map's own value for a slug, if it has one. A person or a card may be called `constructor`, which every object inherits.
 * @template T @param {Record<string, T> | null | undefined} map @param {string} slug @returns {T | undefined}
 */
export function own(map, slug) {
  if (map && Object.hasOwn(map, slug)) return map[slug];
}

const plural = new Intl.PluralRules("en");

export const language = document.documentElement.lang;

/**
 * Translate a text and fill in its facts.
 * @param {string} english with placeholders such as `{name}` for the facts
 * @param {Record<string, string | number>} [facts]
 */
export function say(english, facts = {}) {
  const text = words[english] ?? english;
  return text.replace(/\{([a-z_]+)\}/g, (_, name) => String(facts[name]));
}

/** @param {string[]} each */
export const listed = (each) => each.join(language === "zh-TW" ? "、" : ", ");

/**
 * Translate a text with a number in it.
 * @param {number} n fills `{n}`, and decides between singular and plural
 * @param {string} one the English singular, which is also the key in the catalog
 * @param {string} other the English plural
 * @param {Record<string, string | number>} [facts]
 */
export function count(n, one, other, facts = {}) {
  const english = words[one] !== undefined || plural.select(n) === "one" ? one : other;
  return say(english, { n, ...facts });
}
