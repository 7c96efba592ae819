// @ts-check
/** Importing a spreadsheet of past rounds: first a preview, then the import. */
import { ask } from "../core/api.js";
import { onSend, send } from "../core/form.js";
import { count, given, say } from "../core/given.js";
import { found } from "./import_found.js";
import { readAgain } from "./names.js";
import { NoText, OtherEncoding, textOf } from "./spreadsheet.js";

/** @typedef {import("../../../../.ci/pages/api").components["schemas"]["ImportView"]} ImportView */

const PATIENCE = 120_000;
const CHOICES = ["leave_open", "allow_future", "correct", "skip_bad"];

const form = /** @type {HTMLFormElement} */ (document.getElementById("import"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("import-rows"));
const look = /** @type {HTMLButtonElement} */ (form.querySelector("button:not([type=button])"));
const status = /** @type {HTMLElement} */ (document.getElementById("import-told"));
const shown = /** @type {HTMLElement} */ (document.getElementById("import-found"));

/** @param {string} name @returns {HTMLInputElement} */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** The request of the last preview, which is what the button imports. @type {Record<string, unknown> | null} */
let previewed = null;
/** Rises with each change of the form. */
let changes = 0;

/** @param {FormData} fields @returns {Promise<Record<string, unknown> | null>} the request; null if there are no rows */
async function request(fields) {
  const file = fields.get("file");
  const rows = String(fields.get("rows"));
  const chosen = file instanceof File && file.size > 0;
  if (!chosen && rows.trim() === "") return null;
  const text = chosen ? await textOf(file, String(fields.get("encoding"))) : rows;
  const name = chosen ? file.name.slice(-120) : "results.csv";
  return { file: name, text, ...Object.fromEntries(CHOICES.map((each) => [each, fields.has(each)])) };
}

/** @param {Record<string, unknown>} body @returns {Promise<ImportView>} */
const imports = (body) => ask(`/v1/leagues/${given.league}/imports`, { method: "POST", body, milliseconds: PATIENCE });

/** Show the choices that matter for this file, and those that are chosen already. @param {ImportView} view */
function offer(view) {
  const early = view.bad.some((row) => row.reason === "in-future");
  const otherwise = view.undecided.includes("correct") || view.matches.some((match) => match.outcome === "kept-out" && match.note !== null);
  const matters = { leave_open: true, allow_future: early, correct: otherwise, skip_bad: view.undecided.length > 0 };
  for (const [name, wanted] of Object.entries(matters)) {
    const label = field(name).closest("label");
    if (label !== null) show(label, wanted || field(name).checked);
  }
}

/** The choice of an encoding, which is shown only for a file that is not UTF-8. */
const encoding = () => /** @type {HTMLElement} */ (field("encoding").closest("label"));

/** Show or hide a part. If a hidden part had the focus, "Preview" gets it. @param {HTMLElement} part @param {boolean} wanted */
function show(part, wanted) {
  const focused = part.contains(document.activeElement);
  part.hidden = !wanted;
  if (focused && !wanted) look.focus();
}

/** @param {ImportView} view @param {(outcome: string) => boolean} which */
const number = (view, which) => view.matches.filter((match) => which(match.outcome)).length;

/** @param {ImportView} view */
function preview(view) {
  const fresh = number(view, (outcome) => outcome === "new" || outcome === "different");
  const matches = number(view, (outcome) => outcome !== "kept-out");
  const told = [
    count(view.rounds, "{n} round", "{n} rounds"),
    count(matches, "{n} match", "{n} matches"),
    count(view.people.length, "{n} new person", "{n} new people"),
    count(view.bad.length, "{n} bad row", "{n} bad rows"),
  ];
  const [rounds = "", inMatches = "", people = "", bad = ""] = told;
  const whole = say("{rounds} in {matches}, {people}, {bad}.", { rounds, matches: inMatches, people, bad });
  const next = fresh === 0 && view.bad.length === 0 ? say("The league has all of it already.") : view.undecided.length > 0 ? say("Nothing is imported before you have put it right, or said in the form what to do.") : count(fresh, "{n} match is to be imported.", "{n} matches are to be imported.");
  status.textContent = `${whole} ${next}`;
  show(button, fresh > 0 && view.undecided.length === 0);
}

/** @param {ImportView} view @param {boolean} asked whether the form still says what was imported */
function imported(view, asked) {
  const inside = number(view, (outcome) => outcome === "imported" || outcome === "corrected");
  const left = number(view, (outcome) => outcome === "new" || outcome === "different");
  status.textContent = view.complete
    ? count(inside, "Imported: {n} match.", "Imported: {n} matches.")
    : say("It stopped at line {line}: {why} Matches in so far: {n} of {all}. Import again to go on from there.", { line: view.error?.line ?? 0, why: view.error?.why ?? "", n: inside, all: inside + left });
  if (!asked) status.textContent += ` ${say("The form says something else by now: preview it first.")}`;
  show(button, asked && !view.complete);
}

/** @param {ImportView | null} view */
function list(view) {
  shown.replaceChildren(...(view === null ? [] : found(view)));
  // On a phone it would stand below the screen, where nobody sees that something came of the tap.
  if (view !== null && status.getBoundingClientRect().bottom > innerHeight) look.scrollIntoView();
}

function forget() {
  previewed = null;
  show(button, false);
  status.textContent = "";
  list(null);
}

/** @param {unknown} error */
function refuse(error) {
  if (!(error instanceof NoText)) throw error;
  const alert = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  alert.textContent = error.message;
  alert.hidden = false;
  if (error instanceof OtherEncoding) show(encoding(), true);
}

onSend("import", async (fields) => {
  forget();
  try {
    const { body, view } = await looked(fields);
    previewed = body;
    offer(view);
    preview(view);
    list(view);
  } catch (error) {
    refuse(error);
  }
});

/**
 * Ask for a preview. If the form is changed while the answer is awaited, ask again.
 * @param {FormData} fields
 * @returns {Promise<{body: Record<string, unknown>, view: ImportView}>}
 */
async function looked(fields) {
  const before = changes;
  const body = await request(fields);
  if (body === null) throw new NoText(say("Choose a file, or paste rows."));
  const view = await imports({ ...body, preview: true });
  return before === changes ? { body, view } : looked(new FormData(form));
}

button.addEventListener("click", () => {
  void send(form, button, async () => {
    if (previewed === null) return;
    const before = changes;
    const view = await imports(previewed);
    const same = before === changes;
    if (!same) previewed = null;
    imported(view, same);
    list(view);
    if (view.registered.length > 0) await readAgain();
  });
});

form.addEventListener("change", (event) => {
  const changed = /** @type {HTMLInputElement} */ (event.target);
  changes += 1;
  if (CHOICES.includes(changed.name)) {
    if (previewed !== null) form.requestSubmit();
    return;
  }
  if (changed.name === "encoding") {
    form.requestSubmit();
    return;
  }
  field("encoding").value = "UTF-8";
  show(encoding(), false);
  // The rows come from the file or from the text field: filling in one empties the other.
  if (changed.value !== "") field(changed.name === "file" ? "rows" : "file").value = "";
  forget();
});
