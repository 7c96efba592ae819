// @ts-check
import { Refused, ask } from "../core/api.js";
import { NAME_KEY } from "../core/device_name.js";
import { leave, onSend } from "../core/form.js";
import { leaveWord } from "../core/leaving.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const code = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));

function takeCode() {
  const linked = location.hash.length > 1;
  const found = linked ? decoded(location.hash.slice(1)) : history.state?.code;
  if (!found) return;
  code.value = found;
  // The code must not stay in the address bar, from where it could be copied or bookmarked. This tab keeps it until it is used.
  if (linked) history.replaceState({ code: found }, "", location.pathname + location.search);
  carry();
  name.focus();
}

const forget = () => history.replaceState(null, "");

/** Decode a fragment. One that can't be decoded, since somebody typed it, is taken as it is. @param {string} fragment */
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Put the code into the links to the other languages, as a fragment, which is never sent to the server. */
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
  const session = await ask("/v1/session", { method: "POST", body }).catch((error) => {
    if (error instanceof Refused) forget();
    throw error;
  });
  forget();
  // If this browser creates a league next, the device gets the same name there.
  if (session.league === null) leaveWord(sessionStorage, NAME_KEY, session.name);
  await leave(session.league === null ? "/" : `/l/${session.league}`);
});
