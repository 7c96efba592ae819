// @ts-check
/** Opening a dispute on a step or on the whole round. */
import { isFilledIn } from "../core/filled.js";
import { given, say } from "../core/given.js";
import { keepForm } from "../core/switching.js";
import { html } from "../vendor/preact.js";
import { Person, Refusal, entryOf, record } from "./recording.js";
import { at } from "./steps.js";

/** @param {SubmitEvent} event */
function openDispute(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!isFilledIn(form)) return;
  const fields = new FormData(form);
  const about = fields.get("about") === "step" ? entryOf() : {};
  void record([{ type: "dispute_opened", by: fields.get("by"), round: given.round, claim: fields.get("claim"), ...about }], say("The dispute is open."));
}

/** @param {HTMLFormElement | null} form */
const keepHere = (form) => form && keepForm("dispute", form);

export const Part = () => html`<form onSubmit=${openDispute} ref=${keepHere}>
  <label>${say("By whom")}<${Person} name="by" /></label>
  <label>${say("About")}<select name="about"><option value="step">${say("step {n}", { n: at.value })}</option><option value="round">${say("the whole round")}</option></select></label>
  <label>${say("What is disputed?")}<textarea name="claim" required maxlength="500" rows="2"></textarea></label>
  <p class="actions"><button>${say("Open the dispute")}</button></p><${Refusal} /></form>`;
