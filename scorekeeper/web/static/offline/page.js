// @ts-check
/** Without a network: the pads of matches that were open when this phone kept them. */
import { say } from "../core/words.js";

const TITLE = /<title>([^<]*)<\/title>/;
const RUNNING = '"status":"open"';
/** @type {Record<string, string>} */
const ESCAPED = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'" };

/** @typedef {{address: string, title: string}} Kept */

/** @returns {Promise<Kept[]>} the one that was kept last first */
async function kept() {
  const cache = await caches.open("pages");
  /** @type {Kept[]} */
  const found = [];
  for (const request of await cache.keys()) {
    const page = await (await cache.match(request, { ignoreVary: true }))?.text();
    if (page?.includes(RUNNING)) found.unshift({ address: new URL(request.url).pathname, title: titleOf(page) });
  }
  return found;
}

/** @param {string} page */
const titleOf = (page) => (TITLE.exec(page)?.[1] ?? "").replace(/&[a-z#0-9]+;/g, (escaped) => ESCAPED[escaped] ?? escaped);

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @param {Kept} pad */
function item({ address, title }) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = title;
  const made = document.createElement("li");
  made.append(link);
  return made;
}

async function list() {
  // Over plain HTTP nothing is kept.
  const pads = "caches" in globalThis ? await kept() : [];
  const shown = /** @type {HTMLElement} */ (document.getElementById("pads"));
  if (pads.length === 0) {
    shown.append(element("p", say("No pad of a running match is kept on this phone.")));
    return;
  }
  const all = document.createElement("ul");
  all.className = "links";
  all.append(...pads.map(item));
  shown.append(element("h2", say("Pads that open all the same")), all);
}

addEventListener("online", () => location.reload());
void list();
