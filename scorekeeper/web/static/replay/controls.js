// @ts-check
/** Stepping through a round by buttons, keys, swipes and a slider. */
import { given, say } from "../core/given.js";
import { html, signal, useRef } from "../vendor/preact.js";
import { addressOf, at, explained, go, itemOf, notice, readOn, settle, steps } from "./steps.js";

const HOLD_MS = 400;
const REPEAT_MS = 120;
const SWIPE_PIXELS = 50;

/** Step on, or say that there is no further step. @param {1 | -1} by @param {boolean} [stays] whether the reader stops there */
function stepOn(by, stays) {
  const before = at.value;
  go(before + by, stays);
  if (at.value === before) notice.value = by < 0 ? say("This is the first step.") : say("This is the last step.");
}

/** A button that goes on stepping as long as it is held. @param {{label: string, by: 1 | -1}} props */
function Step({ label, by }) {
  const held = useRef({ timer: 0, moved: false });
  const repeat = () => {
    held.current.moved = true;
    stepOn(by, false);
    held.current.timer = setTimeout(repeat, REPEAT_MS);
  };
  const press = (/** @type {any} */ event) => {
    // A touched element captures the pointer until the finger is lifted. Release it, so that leaving the button is noticed.
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    clearTimeout(held.current.timer);
    held.current = { timer: setTimeout(repeat, HOLD_MS), moved: false };
  };
  const release = () => {
    clearTimeout(held.current.timer);
    held.current.timer = 0;
    if (held.current.moved) settle();
  };
  // If the pointer slid off the button, no click follows. If a finger was lifted, one does.
  const leave = () => {
    if (held.current.timer === 0) return;
    release();
    held.current.moved = false;
  };
  const click = () => {
    // A button that was held has stepped already.
    if (!held.current.moved) stepOn(by);
    held.current.moved = false;
  };
  const end = by < 0 ? 1 : steps.length;
  return html`<button type="button" class="plain" aria-label=${label} aria-disabled=${at.value === end}
    onPointerDown=${press} onPointerUp=${release} onPointerLeave=${leave} onPointerCancel=${leave} onContextMenu=${(/** @type {Event} */ event) => event.preventDefault()} onClick=${click}>
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${by < 0 ? "M17 3 6 12l11 9Z" : "M7 3l11 9-11 9Z"} fill="currentColor" /></svg></button>`;
}

/** @type {Record<string, string>} */
const DRAWN = { violation: "M12 2 23 21H1Z", amendment: "M12 1 23 12 12 23 1 12Z", dispute: "M2 2h20v14H11l-6 6v-6H2Z" };
/** @type {Record<string, string>} */
const KINDS = { violation: say("Violation"), amendment: say("Amendment"), dispute: say("Dispute") };

/** The marks along the slider. */
function Track() {
  const last = Math.max(1, steps.length - 1);
  return html`<svg class="marks" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
    ${given.marks.map((/** @type {[number, string]} */ [step, kind]) => html`<path key=${`${step}-${kind}`} class=${kind} d=${`M${((step - 1) / last) * 1000} 2v20`} />`)}</svg>`;
}

/** The same marks as buttons. */
export function Marks() {
  if (given.marks.length === 0) return null;
  return html`<div class="jumps" role="group" aria-label=${say("Marks")}>
    ${given.marks.map((/** @type {[number, string]} */ [step, kind]) => html`<button type="button" key=${`${step}-${kind}`} class=${`plain ${kind}`}
      aria-label=${say("{kind} in step {n}", { kind: /** @type {string} */ (KINDS[kind]), n: step })} aria-current=${at.value === step ? "step" : null} onClick=${() => go(step)}>
      <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${DRAWN[kind]} fill="currentColor" /></svg>${step}</button>`)}</div>`;
}

/** The step whose link is shown; 0 if none is. */
const linked = signal(0);

/** Send the address of this step through the device's share dialog. Without one, it is copied, in a way that works over plain HTTP, too. */
export function Share() {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const send = async () => {
    if (navigator.share) {
      await navigator.share({ url: addressOf(at.value) }).catch(() => {});
      return;
    }
    linked.value = at.value;
    await new Promise((drawn) => setTimeout(drawn));
    field.current?.select();
    if (document.execCommand("copy")) notice.value = say("Copied.");
  };
  return html`<p class="actions"><button type="button" class="plain" onClick=${send}>${say("Send a link to this step")}</button></p>
    ${linked.value > 0 && html`<label>${say("Link to step {n}", { n: linked.value })}<input ref=${field} readonly value=${addressOf(linked.value)} /></label>`}`;
}

export function Controls() {
  const said = say("step {n} of {steps}", { n: at.value, steps: steps.length });
  return html`<div class="stepping" role="group" aria-label=${say("Steps")}>
    <${Step} label=${say("Previous step")} by=${-1} />
    <div><label class="aside" for="step">${say("Step")}</label>
      <input id="step" type="range" min="1" max=${steps.length} value=${at.value} aria-valuetext=${said}
        onInput=${(/** @type {any} */ event) => go(Number(event.target.value), false)} onChange=${settle} />
      <${Track} /><span class="hint" aria-hidden="true">${said}</span></div>
    <${Step} label=${say("Next step")} by=${1} /></div>
    <p role="status" class=${notice.value === "" ? "aside" : "notice"}>${notice.value || say("{verdict}. {explanation}", { verdict: itemOf(at.value).querySelector(".verdict")?.textContent?.trim() ?? "", explanation: explained(at.value) })}</p>`;
}

const TYPED = "input, select, textarea, dialog";

/** Return whether an element uses keys and swipes itself, such as a table that is wider than the page. @param {EventTarget | null} target */
function isApart(target) {
  if (!(target instanceof Element)) return false;
  const around = target.closest(".scroll");
  return target.closest(TYPED) !== null || (around !== null && around.scrollWidth > around.clientWidth);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const by = /** @type {Record<string, 1 | -1>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  if (isApart(event.target)) return;
  event.preventDefault();
  stepOn(by, !event.repeat);
}

/** Listen for keys and swipes anywhere: on a wide screen, half of it lies beside the column. */
export function follow() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", settle);
  /** @type {{x: number, y: number} | null} */
  let begun = null;
  document.addEventListener("touchstart", ({ touches: [touch, other] }) => {
    // Two fingers zoom the page. On a zoomed page one finger moves it.
    const moves = other !== undefined || (visualViewport?.scale ?? 1) > 1;
    begun = touch && !moves ? { x: touch.clientX, y: touch.clientY } : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    const touch = event.changedTouches[0];
    const own = event.target instanceof Element && event.target.closest(".stepping, .jumps");
    if (!touch || begun === null || own || isApart(event.target)) return;
    const [right, down] = [touch.clientX - begun.x, touch.clientY - begun.y];
    if (Math.abs(right) > SWIPE_PIXELS && Math.abs(right) > 2 * Math.abs(down)) stepOn(right < 0 ? 1 : -1);
  });
  // Links to steps, such as those of the score, work without loading the page.
  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest(".to-step") : null;
    if (!(pressed instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    go(Number(pressed.hash.slice("#step-".length)));
    document.getElementById("table")?.scrollIntoView();
    readOn();
  });
}
