// @ts-check
/** "More": everything else that can be told. The form is loaded when it is first opened. */
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { RUNNING, board, notice } from "./state.js";

const open = signal(false);
const form = signal(/** @type {any} */ (null));

async function load() {
  try {
    const { Form } = await import("./telling.js");
    form.value ??= html`<${Form} />`;
  } catch {
    notice.value = say("No connection. Try again.");
  }
}

/** @param {any} event */
function toggled(event) {
  open.value = event.target.open;
  if (open.value) void load();
}

export const More = () => html`<details open=${open.value} onToggle=${toggled}><summary>${say("More")}</summary>
  ${open.value && form.value}
  ${RUNNING.includes(board.value.phase) && html`<p><a href="pad">${say("Tell the whole round at once")}</a></p>`}</details>`;
