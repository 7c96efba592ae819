// @ts-check
/** Texts in the reader's language. Call both with literals only: the server finds them by reading the modules. */
import { words } from "./given.js";

const plural = new Intl.PluralRules("en");

export const language = document.documentElement.lang;

/**
 * @param {string} english with `{places}` for the facts
 * @param {Record<string, string | number>} [facts]
 */
export function say(english, facts = {}) {
  const text = words[english] ?? english;
  return text.replace(/\{([a-z_]+)\}/g, (_, name) => String(facts[name]));
}

/** @param {string[]} each */
export const listed = (each) => each.join(language === "zh-TW" ? "、" : ", ");

/**
 * @param {number} n fills `{n}` and chooses
 * @param {string} one what English says of one; the catalog knows the text by it
 * @param {string} other what English says of any other number
 * @param {Record<string, string | number>} [facts]
 */
export function count(n, one, other, facts = {}) {
  const english = words[one] !== undefined || plural.select(n) === "one" ? one : other;
  return say(english, { n, ...facts });
}
