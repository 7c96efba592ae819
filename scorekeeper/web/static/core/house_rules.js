// @ts-check
/** The part of a form in which a table chooses its house rules. It is folded at first. */
import { given, language, say } from "./given.js";

const PREFIX = "house.";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field the field of one house rule: a number, or a choice of variants */

/** @param {HTMLFormElement} form @returns {Field[]} the fields with a value */
const filledFields = (form) => /** @type {Field[]} */ ([...form.querySelectorAll(`[name^="${PREFIX}"]`)]).filter((field) => field.value !== "");

/** @param {Field} field */
const nameOf = (field) => field.name.slice(PREFIX.length);

/** @param {Field} field */
const labelOf = (field) => String(field.labels?.[0]?.firstChild?.textContent);

/** @param {Field} field */
const variantOf = (field) => (field instanceof HTMLSelectElement ? String(field.selectedOptions[0]?.textContent) : field.value);

/** The chosen variants by the names of their house rules, as the opening of a match has them. @param {HTMLFormElement} form @returns {Record<string, string | number>} */
export const chosen = (form) =>
  Object.fromEntries(filledFields(form).map((field) => [nameOf(field), field.type === "number" ? Number(field.value) : field.value]));

/** Name two chosen house rules that exclude each other, "" if there are none. @param {HTMLFormElement} form */
function atOdds(form) {
  const labels = Object.fromEntries(filledFields(form).map((field) => [nameOf(field), labelOf(field)]));
  const [first, second] = given.house.excluding.find((/** @type {string[]} */ pair) => pair.every((each) => each in labels)) ?? [];
  return first ? say("These house rules exclude each other: {one}, {other}.", { one: String(labels[first]), other: String(labels[second]) }) : "";
}

/**
 * Show the chosen house rules beside the folded part, and below it which of them can't be played together.
 * @param {HTMLFormElement} form
 * @param {() => string} [besides] another reason why they can't be played, in words; "" if there is none
 */
export function follow(form, besides = () => "") {
  const part = /** @type {HTMLDetailsElement} */ (form.querySelector("#house-rules"));
  const summary = /** @type {HTMLElement} */ (part.querySelector("summary .hint"));
  const status = /** @type {HTMLElement} */ (form.querySelector("#at-odds"));
  const look = () => {
    const words = filledFields(form).map((field) => say("{label}: {variant}", { label: labelOf(field), variant: variantOf(field) }));
    summary.textContent = words.join(language === "zh-TW" ? "；" : "; ");
    const wrong = atOdds(form) || besides();
    // The same text, set again, would be read out with each letter that is typed.
    if (status.textContent !== wrong) status.textContent = wrong;
  };
  form.addEventListener("input", look);
  // If somebody comes back to the page, the browser restores the fields only after this module has run.
  addEventListener("pageshow", look);
  // Show an invalid field, so that it can be corrected.
  form.addEventListener("invalid", (event) => void (part.open ||= part.contains(/** @type {Node} */ (event.target))), true);
  look();
  return look;
}
