// @ts-check
/** Renaming people, and erasing names for good. */
import { ask } from "../core/api.js";
import { onSend, renew } from "../core/form.js";
import { given, say } from "../core/given.js";
import { why } from "../core/why.js";

/** The person of the last dialog. @type {{player: string} | null} */
let asked = null;

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/** @param {HTMLElement} row @param {string} selector */
const part = (row, selector) => /** @type {HTMLElement} */ (row.querySelector(selector));

/** The slug of the player in a row. @param {HTMLElement} row */
const playerOf = (row) => row.dataset.player ?? "";

/** The row of a player. An import may have replaced it since the dialog was opened. @param {string} player */
const rowOf = (player) => /** @type {HTMLElement} */ (document.querySelector(`.names [data-player="${player}"]`));

/**
 * Record the name of the dialog's person, and close the dialog. If the dialog is closed when the answer comes, or is about somebody else,
 * a failure is shown beside the table.
 * @param {string} kind of dialog @param {string | null} name
 * @returns {Promise<HTMLElement | null>} the person's row; null after a failure, which was shown
 */
async function change(kind, name) {
  const about = /** @type {{player: string}} */ (asked);
  const box = dialog(`${kind}-dialog`);
  const isOpen = () => about === asked && box.open;
  try {
    await ask(`/v1/leagues/${given.league}/players/${about.player}`, { method: "PATCH", body: { name } });
  } catch (error) {
    if (isOpen()) throw error;
    tell(`${part(rowOf(about.player), ".name").textContent}${say(": {told}", { told: why(error) })}`);
    return null;
  }
  if (isOpen()) box.close();
  return rowOf(about.player);
}

/** @param {string} text */
function tell(text) {
  const status = document.getElementById("named");
  if (status !== null) status.textContent = text;
}

/** What has to be prepared in the dialog of each kind of button. @type {Map<string, (row: HTMLElement, box: HTMLDialogElement) => void>} */
const kinds = new Map();

/** @param {string} kind of button @param {(row: HTMLElement, box: HTMLDialogElement) => void} prepare */
function onAsk(kind, prepare) {
  const box = dialog(`${kind}-dialog`);
  kinds.set(kind, prepare);
  box.querySelector("button[type=button]")?.addEventListener("click", () => box.close());
}

/** Let the buttons of the table open their dialogs. */
function listen() {
  for (const [kind, prepare] of kinds) {
    const box = dialog(`${kind}-dialog`);
    for (const button of document.querySelectorAll(`button[data-${kind}]`)) {
      button.addEventListener("click", () => {
        const row = /** @type {HTMLElement} */ (button.closest("tr"));
        asked = { player: playerOf(row) };
        renew(/** @type {HTMLFormElement} */ (box.querySelector("form")));
        prepare(row, box);
        box.showModal();
      });
    }
  }
}

/** Read the rows of the table again: others have come into the league. Without an answer they stay as they are. */
export async function readAgain() {
  // Only this request parses a page without a sink of trusted types, which the policy of the pages forbids.
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.open("GET", location.href);
  await new Promise((done) => {
    request.addEventListener("loadend", done);
    request.send();
  });
  const body = request.status === 200 && request.responseXML?.querySelector(".names tbody");
  if (!body) return;
  document.querySelector(".names tbody")?.replaceWith(body);
  listen();
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
listen();

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
