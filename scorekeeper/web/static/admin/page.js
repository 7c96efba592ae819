// @ts-check
import { ask } from "../core/api.js";
import { leave, onSend, quiet, sentOnce } from "../core/form.js";
import { given, language, say } from "../core/given.js";
import { why } from "../core/why.js";
import "./import.js";
import { hide } from "./invitation.js";
import "./names.js";
import "./verify.js";

const status = /** @type {HTMLElement} */ (document.getElementById("ended"));
const alert = /** @type {HTMLElement} */ (document.getElementById("not-ended"));

/** The button that revokes the device of this page. @type {HTMLButtonElement | null} */
const own = document.querySelector("button[data-own]");

/** End a token or an invitation. @param {HTMLElement} button in its row @param {string} path */
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
    // The focus does not go to the next button: a second press would end something else.
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
    if (button !== own) button.addEventListener("click", () => void end(button, `${kind}/${button.dataset[String(name)]}`));
  }
}

sentOnce(/** @type {HTMLFormElement} */ (document.querySelector("form[method=post]")));

const asking = /** @type {HTMLDialogElement} */ (document.getElementById("own-dialog"));
own?.addEventListener("click", () => {
  quiet(asking);
  asking.showModal();
});
asking.querySelector("button[type=button]")?.addEventListener("click", () => asking.close());
onSend("own", async () => {
  await ask(`/v1/leagues/${given.league}/tokens/${own?.dataset["revoke"]}`, { method: "DELETE" });
  // The device is let in nowhere by now. If the browser does not give the pads away, nothing else can be done about them.
  await forgetPads().catch(() => {});
  await leave("/");
});

/** Delete the stored pads of this league: whoever holds the device next was not let in. */
async function forgetPads() {
  // Over plain HTTP no pages are stored.
  if (!("caches" in globalThis)) return;
  const pages = await caches.open("pages");
  const pads = (await pages.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`/l/${given.league}/`));
  await Promise.all(pads.map(({ url }) => pages.delete(url, { ignoreVary: true })));
}

const minutes = /** @type {Intl.DateTimeFormatOptions} */ ({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const [lately, before] = [minutes, { ...minutes, year: /** @type {const} */ ("numeric") }].map((parts) => new Intl.DateTimeFormat(language, parts));
// The server writes times in the time zone of the installation. The browser knows the reader's own. The present year is left out.
for (const each of document.querySelectorAll("time")) {
  const at = new Date(each.dateTime);
  const time = (at.getFullYear() === new Date().getFullYear() ? lately : before)?.format(at) ?? "";
  // No line break before AM or PM.
  each.textContent = time.replace(/\s(?=[AP]M$)/, "\u00a0");
}
