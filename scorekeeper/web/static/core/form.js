// @ts-check
/** Forms that are sent by script: busy while they are, and honest about what went wrong. */
import { why } from "./why.js";

/**
 * Have `work` done when the form is sent. A failure is told in the form's alert, and the form can be sent again.
 * @param {string} id the form's; nothing happens where the page lacks it
 * @param {(fields: FormData, form: HTMLFormElement) => Promise<void>} work
 */
export function onSend(id, work) {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return;
  const button = form.querySelector("button:not([type=button])");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, button, work);
  });
}

/**
 * Have `work` done once, however often `button` is pressed meanwhile; a failure is told in the form's alert.
 * @param {HTMLFormElement} form
 * @param {Element | null} button
 * @param {(fields: FormData, form: HTMLFormElement) => Promise<void>} work
 */
export async function send(form, button, work) {
  if (form.getAttribute("aria-busy") === "true") return;
  const alert = form.querySelector("[role=alert]");
  form.setAttribute("aria-busy", "true");
  button?.setAttribute("aria-disabled", "true");
  tell(alert, "");
  try {
    await work(new FormData(form), form);
  } catch (error) {
    tell(alert, why(error));
  } finally {
    form.removeAttribute("aria-busy");
    button?.removeAttribute("aria-disabled");
  }
}

/** @param {Element | null} alert @param {string} text */
function tell(alert, text) {
  if (!(alert instanceof HTMLElement)) return;
  alert.textContent = text;
  alert.hidden = text === "";
}
