// @ts-check
/** Renaming people, and erasing names for good. */
import { ask } from "../core/api.js";
import { onSend, renew } from "../core/form.js";
import { given } from "../core/given.js";
import { why } from "../core/why.js";
import { language, say } from "../core/words.js";

/** The person of the last dialog, by the row of the table. @type {{row: HTMLElement} | null} */
let asked = null;

/** The rows of the table. */
const people = /** @type {HTMLElement} */ (document.querySelector(".names tbody"));

/** Add a row for a person, in the order of the names. @param {{player: string, name: string | null}} person */
export function add({ player, name }) {
  if ([...people.children].some((row) => playerOf(/** @type {HTMLElement} */ (row)) === player)) return;
  const blank = /** @type {HTMLTemplateElement} */ (document.getElementById("person")).content.firstElementChild;
  const row = /** @type {HTMLElement} */ (blank?.cloneNode(true));
  const called = name ?? player;
  row.dataset.player = player;
  part(row, ".name").textContent = called;
  part(row, "td").textContent = player;
  const next = [...people.children].find((each) => called.localeCompare(part(/** @type {HTMLElement} */ (each), ".name").textContent ?? "", language) < 0);
  people.insertBefore(row, next ?? null);
}

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/** @param {HTMLElement} row @param {string} selector */
const part = (row, selector) => /** @type {HTMLElement} */ (row.querySelector(selector));

/** The slug of the player in a row. @param {HTMLElement} row */
const playerOf = (row) => row.dataset.player ?? "";

/**
 * Record the name of the dialog's person, and close the dialog. If the dialog is closed when the answer comes, or is about somebody else,
 * a failure is shown beside the table.
 * @param {string} kind of dialog @param {string | null} name
 * @returns {Promise<HTMLElement | null>} the person's row; null after a failure, which was shown
 */
async function change(kind, name) {
  const about = /** @type {{row: HTMLElement}} */ (asked);
  const box = dialog(`${kind}-dialog`);
  const isOpen = () => about === asked && box.open;
  try {
    await ask(`/v1/leagues/${given.league}/players/${playerOf(about.row)}`, { method: "PATCH", body: { name } });
  } catch (error) {
    if (isOpen()) throw error;
    tell(`${part(about.row, ".name").textContent}${say(": {told}", { told: why(error) })}`);
    return null;
  }
  if (isOpen()) box.close();
  return about.row;
}

/** @param {string} text */
function tell(text) {
  const status = document.getElementById("named");
  if (status !== null) status.textContent = text;
}

/** @param {string} kind of button @param {(row: HTMLElement, box: HTMLDialogElement) => void} prepare */
function onAsk(kind, prepare) {
  const box = dialog(`${kind}-dialog`);
  people.addEventListener("click", ({ target }) => {
    const row = /** @type {Element} */ (target).closest(`button[data-${kind}]`)?.closest("tr");
    if (!row) return;
    asked = { row };
    renew(/** @type {HTMLFormElement} */ (box.querySelector("form")));
    prepare(row, box);
    box.showModal();
  });
  box.querySelector("button[type=button]")?.addEventListener("click", () => box.close());
}

onAsk("rename", (row, box) => {
  const field = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  field.value = row.dataset.nameless === undefined ? (part(row, ".name").textContent ?? "") : "";
});
onAsk("erase", (row, box) => {
  const [heading, stays] = ["h2", ".stays"].map((each) => box.querySelector(each));
  if (heading) heading.textContent = say("Erase the name {name}?", { name: part(row, ".name").textContent ?? "" });
  if (stays) stays.textContent = say("What stays: all results, under the short name {player}.", { player: playerOf(row) });
});

onSend("rename", async (fields) => {
  const name = String(fields.get("name")).trim();
  const row = await change("rename", name);
  if (row === null) return;
  part(row, ".name").textContent = name;
  delete row.dataset.nameless;
  part(row, "[data-erase]").hidden = false;
  tell(say("Renamed: {name}", { name }));
});
onSend("erase", async () => {
  const row = await change("erase", null);
  if (row === null) return;
  const player = playerOf(row);
  part(row, ".name").textContent = player;
  row.dataset.nameless = "";
  part(row, "[data-erase]").hidden = true;
  part(row, "[data-rename]").focus();
  tell(say("The name was erased. {player} is what is left of it.", { player }));
});
