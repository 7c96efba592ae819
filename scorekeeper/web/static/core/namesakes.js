// @ts-check
/** Asks whether somebody is meant who has the same name as another person. People may share a name; more often a name was typed again by mistake. */
import { ask } from "./api.js";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("namesakes"));

/** The names that need no further question. An attempt that failed may have registered some of them. @type {string[]} */
let settled = [];

/** A name as people compare it: without regard to blanks, to upper case, and to the forms that a letter can have. @param {string} name */
const compared = (name) => name.normalize("NFKC").toUpperCase().toLowerCase().replace(/[\s\p{Cf}]/gu, "");

/** The names that were not settled before. @param {string[]} names */
function unsettled(names) {
  const left = [...settled];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The names of a league's people. @param {string} root the league's address @returns {Promise<string[]>} */
async function namesOf(root) {
  const { items } = await ask(`${root}/players?limit=1000`);
  return items.map((/** @type {any} */ { name }) => name).filter(Boolean);
}

/** @param {"there" | "twice"} kind @param {Iterable<string>} names */
function list(kind, names) {
  const part = /** @type {HTMLElement} */ (dialog.querySelector(`[data-names=${kind}]`));
  const items = [...names].map((name) => Object.assign(document.createElement("li"), { textContent: name, dir: "auto" }));
  part.hidden = items.length === 0;
  part.querySelector("ul")?.replaceChildren(...items);
}

/** Show the question, and return whether the names are to be added. Otherwise the field with the names has the focus. @returns {Promise<boolean>} */
async function answered() {
  // Escape closes a dialog without an answer, and would leave the one before.
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  if (dialog.returnValue === "add") return true;
  const form = document.querySelector("form[aria-busy]");
  /** @type {HTMLElement | null | undefined} */ (form?.querySelector("textarea") ?? form?.querySelector("[name=name]"))?.focus();
  return false;
}

/**
 * Return whether all these people are to be added. If a name is in the league already, or stands there twice, the person at the page is asked.
 * @param {string[]} names as they were typed @param {string} [root] the address of their league, if it has people
 */
export async function areMeant(names, root) {
  const fresh = unsettled(names);
  if (fresh.length === 0) return true;
  const known = new Map((root === undefined ? [] : await namesOf(root)).map((name) => [compared(name), name]));
  const typed = names.map(compared);
  const there = fresh.flatMap((name) => known.get(compared(name)) ?? []);
  const twice = fresh.filter((name) => typed.indexOf(compared(name)) !== typed.lastIndexOf(compared(name)));
  list("there", new Set(there));
  list("twice", new Map(twice.reverse().map((name) => [compared(name), name])).values());
  const meant = (there.length === 0 && twice.length === 0) || (await answered());
  if (meant) settled = names;
  return meant;
}
