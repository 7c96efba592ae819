// @ts-check
/** The page that is shown without a network. It lists the stored pads of matches that were open when they were stored. */
import { say } from "../core/given.js";
import { html, render } from "../vendor/preact.js";

const TITLE = /<h1>([^<]*)<\/h1>/;
const RUNNING = '"status":"open"';
/** @type {Record<string, string>} */
const ESCAPED = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'" };

/** @typedef {{address: string, title: string}} Kept */

/** @returns {Promise<Kept[]>} the newest first */
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

/** @param {{pads: Kept[]}} props */
const Pads = ({ pads }) =>
  pads.length === 0
    ? html`<p>${say("No pad of a running match is kept on this phone.")}</p>`
    : html`<h2>${say("Pads that open all the same")}</h2>
      <ul class="links">${pads.map(({ address, title }) => html`<li key=${address}><a href=${address}>${title}</a></li>`)}</ul>`;

async function show() {
  // Over plain HTTP no pages are stored, and a browser may refuse to read them.
  const pads = "caches" in globalThis ? await kept().catch(() => []) : [];
  render(html`<${Pads} pads=${pads} />`, /** @type {HTMLElement} */ (document.getElementById("root")));
}

addEventListener("online", () => location.reload());
void show();
