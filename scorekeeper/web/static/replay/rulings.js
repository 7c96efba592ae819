// @ts-check
/** Deciding a dispute, for owners. "Uphold with an amendment" leads to the step that it is about. */
import { isFilledIn } from "../core/filled.js";
import { given, say } from "../core/given.js";
import { keepForm } from "../core/switching.js";
import { html, render, useSignal } from "../vendor/preact.js";
import { openWhatIf } from "./asking.js";
import { Refusal, record } from "./recording.js";
import { go } from "./steps.js";

/** @param {{dispute: {dispute: number, step: number | null}}} props */
function Ruling({ dispute }) {
  const refusal = useSignal("");
  // The form is sent by its buttons only. Otherwise Enter would press the first of them.
  const rule = (/** @type {"upheld" | "rejected"} */ ruling) => (/** @type {any} */ event) => {
    const { form } = event.currentTarget;
    if (!isFilledIn(form)) return;
    const reason = new FormData(form).get("reason");
    void record([{ type: "dispute_ruled", dispute: dispute.dispute, ruling, reason }], say("The dispute is decided."), undefined, refusal);
  };
  const amend = () => {
    if (dispute.step !== null) go(dispute.step);
    void openWhatIf(dispute.dispute);
  };
  const keepHere = (/** @type {HTMLFormElement | null} */ form) => form && keepForm(`ruling ${dispute.dispute}`, form);
  return html`<form ref=${keepHere} onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>${say("Reason of the ruling")}<input name="reason" required maxlength="500" /></label>
    <p class="actions"><button type="button" onClick=${rule("upheld")}>${say("Uphold")}</button>
    <button type="button" class="plain" onClick=${rule("rejected")}>${say("Reject")}</button>
    <button type="button" class="plain" onClick=${amend}>${say("Uphold with an amendment")}</button></p><${Refusal} of=${refusal} /></form>`;
}

for (const place of document.querySelectorAll("[data-dispute]")) {
  const number = Number(/** @type {HTMLElement} */ (place).dataset.dispute);
  const dispute = given.disputes.find((/** @type {any} */ each) => each.dispute === number);
  render(html`<${Ruling} dispute=${dispute} />`, place);
}
