// @ts-check
import { ask } from "../core/api.js";
import { onSend } from "../core/form.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const code = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));

function takeCode() {
  if (location.hash.length < 2) return;
  code.value = decodeURIComponent(location.hash.slice(1));
  // The code must not stay in the address bar, from which it would be copied and kept.
  history.replaceState(null, "", location.pathname + location.search);
  name.focus();
}

takeCode();
addEventListener("hashchange", takeCode);
onSend("join", async (fields) => {
  const body = { code: fields.get("code"), name: String(fields.get("name")).trim() };
  const session = await ask("/v1/session", { method: "POST", body });
  location.assign(session.league === null ? "/" : `/l/${session.league}`);
});
