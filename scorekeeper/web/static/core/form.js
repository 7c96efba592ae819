// @ts-check
/**
 * Forms that are sent by script: busy while they are, and honest about what went wrong. Their method is `dialog`, by which
 * a browser sends nothing: pressed before the script is there, a form stays as it is, and no secret gets into the address.
 */
import { why } from "./why.js";

/** Forms that are being sent, and what is pressed to send them. @type {Map<HTMLFormElement, {button: Element | null}>} */
const busy = new Map();

// Whoever comes back to a page that was left can send its forms again.
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of busy.keys()) free(form);
});

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
 * Go on to another page. Until it is there, what led to it is not over, so that pressed again it is not done again.
 * @param {string} address
 * @returns {Promise<never>}
 */
export function leave(address) {
  location.assign(address);
  return new Promise(() => {});
}

/** A form that the browser sends by itself is sent once, too. @param {HTMLFormElement} form */
export function sentOnce(form) {
  form.addEventListener("submit", (event) => {
    if (busy.has(form)) event.preventDefault();
    else occupy(form, form.querySelector("button"));
  });
}

/** @param {HTMLFormElement} form @param {Element | null} button */
function occupy(form, button) {
  const sending = { button };
  busy.set(form, sending);
  form.setAttribute("aria-busy", "true");
  button?.setAttribute("aria-disabled", "true");
  return sending;
}

/** @param {HTMLFormElement} form */
function free(form) {
  form.removeAttribute("aria-busy");
  busy.get(form)?.button?.removeAttribute("aria-disabled");
  busy.delete(form);
}

/**
 * Have `work` done once, however often `button` is pressed meanwhile; a failure is told in the form's alert.
 * @param {HTMLFormElement} form
 * @param {Element | null} button
 * @param {(fields: FormData, form: HTMLFormElement) => Promise<void>} work
 */
export async function send(form, button, work) {
  if (busy.has(form)) return;
  const alert = form.querySelector("[role=alert]");
  const sending = occupy(form, button);
  tell(alert, "");
  try {
    await work(new FormData(form), form);
  } catch (error) {
    tell(alert, why(error));
  } finally {
    if (busy.get(form) === sending) free(form);
  }
}

/** What was told of the form before is over. @param {Element} form or what it stands in */
export const quiet = (form) => tell(form.querySelector("[role=alert]"), "");

/** The form is about something else: what is being sent of what it was about before does not keep it busy. @param {HTMLFormElement} form */
export function renew(form) {
  quiet(form);
  free(form);
}

/** @param {Element | null} alert @param {string} text */
function tell(alert, text) {
  if (!(alert instanceof HTMLElement)) return;
  alert.textContent = text;
  alert.hidden = text === "";
}
