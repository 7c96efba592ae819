// @ts-check
/** The folded part of a form in which a table says what it plays beside the booklet. */
import { given } from "./given.js";
import { language, say } from "./words.js";

const PREFIX = "house.";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field a number, or one of the variants */

/** @param {HTMLFormElement} form @returns {Field[]} the fields that say something */
const told = (form) => /** @type {Field[]} */ ([...form.querySelectorAll(`[name^="${PREFIX}"]`)]).filter((field) => field.value !== "");

/** @param {Field} field */
const nameOf = (field) => field.name.slice(PREFIX.length);

/** @param {Field} field */
const labelOf = (field) => String(field.labels?.[0]?.firstChild?.textContent);

/** @param {Field} field */
const variantOf = (field) => (field instanceof HTMLSelectElement ? String(field.selectedOptions[0]?.textContent) : field.value);

/** What an opening says of them: variants by name. @param {HTMLFormElement} form @returns {Record<string, string | number>} */
export const chosen = (form) =>
  Object.fromEntries(told(form).map((field) => [nameOf(field), field.type === "number" ? Number(field.value) : field.value]));

/** Two that exclude each other, in words. @param {HTMLFormElement} form */
function atOdds(form) {
  const labels = Object.fromEntries(told(form).map((field) => [nameOf(field), labelOf(field)]));
  const [first, second] = given.house.excluding.find((/** @type {string[]} */ pair) => pair.every((each) => each in labels)) ?? [];
  return first ? say("These house rules exclude each other: {one}, {other}.", { one: String(labels[first]), other: String(labels[second]) }) : "";
}

/**
 * Say beside the folded part what is chosen, and under it what can't be played together.
 * @param {HTMLFormElement} form
 * @param {() => string} [besides] what else forbids them, in words; "" for nothing
 */
export function follow(form, besides = () => "") {
  const part = /** @type {HTMLDetailsElement} */ (form.querySelector("#house-rules"));
  const summary = /** @type {HTMLElement} */ (part.querySelector("summary .hint"));
  const status = /** @type {HTMLElement} */ (form.querySelector("#at-odds"));
  const look = () => {
    const words = told(form).map((field) => say("{label}: {variant}", { label: labelOf(field), variant: variantOf(field) }));
    summary.textContent = words.join(language === "zh-TW" ? "；" : "; ");
    status.textContent = atOdds(form) || besides();
  };
  form.addEventListener("input", look);
  // Whoever comes back finds what was chosen, which the browser puts there after this.
  addEventListener("pageshow", look);
  // What is folded away can't be put right.
  form.addEventListener("invalid", (event) => void (part.open ||= part.contains(/** @type {Node} */ (event.target))), true);
  look();
  return look;
}
