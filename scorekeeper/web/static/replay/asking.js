// @ts-check
/** The two actions on a step: opening a dispute, and "What if". */
import { say } from "../core/given.js";
import { html, signal } from "../vendor/preact.js";
import { part } from "./door.js";
import { settles } from "./steps.js";

/** @typedef {"dispute" | "what-if"} Which */

const parts = { dispute: part("../replay/dispute.js"), "what-if": part("../replay/what_if.js") };
const open = signal(/** @type {Which | null} */ (null));
/** The part that was opened last. The code of a part that was opened before may arrive later. @type {Which | null} */
let wanted = null;

/** @param {Which} which */
export async function toggle(which) {
  const opened = open.value === which ? null : which;
  wanted = opened;
  if ((opened === null || (await parts[opened].load())) && wanted === opened) open.value = opened;
}

/** Open "What if" on the present step in order to settle a dispute, and focus it. @param {number} dispute */
export async function openWhatIf(dispute) {
  settles.value = dispute;
  if (open.value !== "what-if") await toggle("what-if");
  document.getElementById("asking")?.scrollIntoView();
  await new Promise((drawn) => setTimeout(drawn));
  /** @type {HTMLElement | null} */ (document.querySelector("#asking section"))?.focus({ preventScroll: true });
}

/** @param {{which: Which, label: string}} props */
const Door = ({ which, label }) => html`<button type="button" class=${open.value === which ? "" : "plain"} aria-expanded=${open.value === which} onClick=${() => toggle(which)}>${label}</button>`;

export const Asking = () => html`<p class="actions"><${Door} which="dispute" label=${say("Dispute")} /><${Door} which="what-if" label=${say("What if")} /></p>
  ${open.value && html`<section class="card" tabindex="-1">${parts[open.value].content.value}</section>`}`;
