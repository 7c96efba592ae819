// @ts-check
/** Renaming people, and erasing names for good. */
import { ask } from "../core/api.js";
import { onSend } from "../core/form.js";
import { given } from "../core/given.js";
import { say } from "../core/words.js";

/** @type {HTMLElement | null} */
let row = null;

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/** @param {string} part */
const shown = (part) => /** @type {HTMLElement} */ (row?.querySelector(`.${part}`));

/** @param {unknown} body */
const change = (body) => ask(`/v1/leagues/${given.league}/players/${row?.dataset.player}`, { method: "PATCH", body });

/** @param {string} text */
function tell(text) {
  const status = document.getElementById("named");
  if (status !== null) status.textContent = text;
}

/** @param {string} kind of button @param {(name: string, box: HTMLDialogElement) => void} prepare */
function onAsk(kind, prepare) {
  const box = dialog(`${kind}-dialog`);
  for (const button of document.querySelectorAll(`button[data-${kind}]`)) {
    button.addEventListener("click", () => {
      row = button.closest("tr");
      prepare(shown("name").textContent ?? "", box);
      box.showModal();
    });
  }
  box.querySelector("button[type=button]")?.addEventListener("click", () => box.close());
}

onAsk("rename", (name, box) => {
  const field = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  field.value = row?.dataset.nameless === undefined ? name : "";
});
onAsk("erase", (name, box) => {
  const [heading, slug] = ["h2", "code"].map((each) => box.querySelector(each));
  if (heading) heading.textContent = say("Erase the name {name}?", { name });
  if (slug) slug.textContent = row?.dataset.player ?? "";
});

onSend("rename", async (fields) => {
  const name = String(fields.get("name")).trim();
  await change({ name });
  shown("name").textContent = name;
  delete row?.dataset.nameless;
  for (const button of row?.querySelectorAll("button[data-erase]") ?? []) /** @type {HTMLElement} */ (button).hidden = false;
  dialog("rename-dialog").close();
  tell(say("Renamed: {name}", { name }));
});
onSend("erase", async () => {
  await change({ name: null });
  const player = row?.dataset.player ?? "";
  shown("name").textContent = player;
  if (row) row.dataset.nameless = "";
  const [rename, erase] = ["rename", "erase"].map((kind) => /** @type {HTMLElement} */ (row?.querySelector(`button[data-${kind}]`)));
  dialog("erase-dialog").close();
  if (erase) erase.hidden = true;
  rename?.focus();
  tell(say("The name was erased. {player} is what is left of it.", { player }));
});
