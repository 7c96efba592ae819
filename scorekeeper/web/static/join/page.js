// @ts-check
import { ask } from "../core/api.js";
import { onSend } from "../core/form.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const code = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));

function takeCode() {
  if (location.hash.length < 2) return;
  code.value = decoded(location.hash.slice(1));
  // The code must not stay in the address bar, from which it would be copied and kept.
  history.replaceState(null, "", location.pathname + location.search);
  carry();
  name.focus();
}

/** Whatever somebody typed behind the `#`, where it can't be decoded. @param {string} fragment */
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The page in another language begins with the same code; a fragment is sent to nobody. */
function carry() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a"))) {
    link.hash = encodeURIComponent(code.value);
  }
}

takeCode();
code.addEventListener("input", carry);
addEventListener("hashchange", takeCode);
onSend("join", async (fields) => {
  const body = { code: fields.get("code"), name: String(fields.get("name")).trim() };
  const session = await ask("/v1/session", { method: "POST", body });
  location.assign(session.league === null ? "/" : `/l/${session.league}`);
});
