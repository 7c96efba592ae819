// @ts-check
import { ask } from "../core/api.js";
import { why } from "../core/form.js";
import { given } from "../core/given.js";
import { language } from "../core/words.js";
import "./import.js";
import "./names.js";
import "./verify.js";

const alert = /** @type {HTMLElement} */ (document.getElementById("ended"));

/** Each button ends what its row is about. @param {string} name of the data that says which @param {string} kind */
function onEnd(name, kind) {
  for (const button of document.querySelectorAll(`button[data-${name}]`)) {
    button.addEventListener("click", async () => {
      const id = /** @type {HTMLElement} */ (button).dataset[name];
      try {
        await ask(`/v1/leagues/${given.league}/${kind}/${id}`, { method: "DELETE" });
        button.closest("tr")?.remove();
        alert.hidden = true;
      } catch (error) {
        alert.textContent = why(error);
        alert.hidden = false;
      }
    });
  }
}

onEnd("revoke", "tokens");
onEnd("end", "invitations");

const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
// The page is written in UTC; here it is known what time it was for whoever reads it.
for (const each of document.querySelectorAll("time")) each.textContent = times.format(new Date(each.dateTime));
