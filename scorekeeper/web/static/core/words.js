// @ts-check
/** Texts in the reader's language. Call `say` and `count` only with string literals: the server finds the texts by reading the modules. */
import { words } from "./given.js";

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
