// @ts-check
import { ask } from "../core/api.js";
import { why } from "../core/why.js";
import { given } from "../core/given.js";
import { language, say } from "../core/words.js";
import "./import.js";
import { hide } from "./invitation.js";
import "./names.js";
import "./verify.js";

const status = /** @type {HTMLElement} */ (document.getElementById("ended"));
const alert = /** @type {HTMLElement} */ (document.getElementById("not-ended"));

/** @param {HTMLElement} button in the row of what is ended @param {string} path */
async function end(button, path) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  alert.hidden = true;
  try {
    await ask(`/v1/leagues/${given.league}/${path}`, { method: "DELETE" });
    const row = button.closest("tr");
    const table = /** @type {HTMLElement | null | undefined} */ (row?.closest("[tabindex]"));
    status.textContent = say("Ended: {name}", { name: row?.querySelector("th")?.textContent ?? "" });
    hide(button.dataset["end"]);
    row?.remove();
    // Not the next button: pressed once more, it would end something else.
    table?.focus();
  } catch (error) {
    button.removeAttribute("aria-disabled");
    alert.textContent = why(error);
    alert.hidden = false;
  }
}

for (const [name, kind] of [["revoke", "tokens"], ["end", "invitations"]]) {
  for (const each of document.querySelectorAll(`button[data-${name}]`)) {
    const button = /** @type {HTMLElement} */ (each);
    button.addEventListener("click", () => void end(button, `${kind}/${button.dataset[String(name)]}`));
  }
}

const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
// The page is written in UTC; here it is known what time it was for whoever reads it.
for (const each of document.querySelectorAll("time")) each.textContent = times.format(new Date(each.dateTime));
