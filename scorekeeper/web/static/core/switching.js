// @ts-check
/**
 * Keeps what was filled in when the page is loaded anew, in the other language or since somebody came back to it. The tab stores it when the link
 * to the other language is pressed and when the page is left, and forgets it when a page has loaded, so that no later visit finds it.
 */

const KEY = "switched";
const [arrival] = /** @type {[PerformanceNavigationTiming]} */ (performance.getEntriesByType("navigation"));
/** The address under which this page was loaded. A module may have changed it since. */
const loaded = new URL(arrival.name);

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** What is kept of a field; `checked` is null unless it is a checkbox. @typedef {{name: string, value: string, checked: boolean | null}} Filled */

/** What each part of the page keeps, by its name. @type {Map<string, () => unknown>} */
const parts = new Map();

/**
 * A page without its language: somebody may switch back before this module has run in the other language.
 * @param {{pathname: string, search: string}} address
 */
const placeOf = ({ pathname, search }) => pathname + search.replace(/lang=[^&]*/, "lang");

/** What the page before has kept. @type {Record<string, any>} */
const kept = taken();

function taken() {
  const { place, switched, found } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  sessionStorage.removeItem(KEY);
  return place === placeOf(loaded) && (switched || arrival.type !== "navigate") ? found : {};
}

/** @param {{pathname: string, search: string}} next the page that may take it @param {boolean} switched whether it is this page in the other language */
function store(next, switched) {
  // What is being sent is done with, and so is what was recorded where a page loads itself again.
  const kept = document.querySelector("form[aria-busy]") || history.state?.focus ? [] : [...parts];
  const found = Object.fromEntries(kept.map(([name, take]) => [name, take()]));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ place: placeOf(next), switched, found }));
  } catch {
    // Without free space nothing is kept.
  }
}

/**
 * Keep a part of the page.
 * @param {string} name of the part @param {() => unknown} take returns what is kept of it
 * @returns {any} what the page before has kept of it, if it was the same page
 */
export function keep(name, take) {
  parts.set(name, take);
  return kept[name];
}

let isSwitching = false;
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a"))) {
  link.addEventListener("click", ({ ctrlKey, metaKey, shiftKey }) => {
    // A page in another tab or window does not replace this one.
    if (ctrlKey || metaKey || shiftKey) return;
    store(link, true);
    isSwitching = true;
  });
}
// A phone may drop a page that is hidden, and tells nobody when it does. A code, which lets a device in, is not kept.
document.addEventListener("visibilitychange", () => {
  if (!isSwitching && document.hidden && !document.querySelector("[name=code]")) store(location, false);
});

/** The fields that somebody can see. A confirmation that something can't be taken back has no name: it is given anew. @param {HTMLFormElement} form */
const fieldsOf = (form) =>
  /** @type {Field[]} */ ([...form.querySelectorAll("input[name]:not([type=hidden], [type=file]), select[name], textarea[name]")]).filter((field) => !field.closest("[hidden]"));

/** Whether a field still has the text that the page wrote in it, which is another one in the other language. @param {Field} field */
const isAsWritten = (field) => field instanceof HTMLTextAreaElement && field.value === field.defaultValue;

/** @param {Field} field @returns {Filled} */
const filled = (field) => ({ name: field.name, value: field.value, checked: field.type === "checkbox" ? /** @type {HTMLInputElement} */ (field).checked : null });

/** @param {HTMLFormElement} form @param {Filled[]} found */
function fill(form, found) {
  for (const field of fieldsOf(form)) {
    const at = found.findIndex(({ name, value, checked }) => name === field.name && (checked === null || value === field.value));
    const [was] = at < 0 ? [] : found.splice(at, 1);
    if (was === undefined) continue;
    if (was.checked === null) field.value = was.value;
    else /** @type {HTMLInputElement} */ (field).checked = was.checked;
  }
}

/** Keep the fields of a form. @param {string} name @param {HTMLFormElement} form */
export const keepForm = (name, form) => fill(form, keep(name, () => (form.isConnected ? fieldsOf(form).filter((field) => !isAsWritten(field)).map(filled) : [])) ?? []);

for (const [at, form] of [...document.forms].entries()) {
  // Nobody can switch the language while a dialog is open.
  if (!form.closest("dialog")) keepForm(`form ${form.id || at}`, form);
}

/** The parts with forms that can be folded away. @type {NodeListOf<HTMLDetailsElement>} */
const folded = document.querySelectorAll("details:has(form), form details");
const open = keep("open", () => [...folded].map((each) => each.open)) ?? [];
folded.forEach((each, at) => (each.open ||= Boolean(open[at])));
