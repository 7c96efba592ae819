// @ts-check
/**
 * Forms that are sent by script. A form is busy while it is sent, and shows what went wrong. Its method is `dialog`, with which
 * a browser sends nothing, so that no secret gets into the address. Its button is disabled until the script has loaded: a press before that
 * would do nothing, and nobody would know.
 */
import { isFilledIn } from "./filled.js";
import "./switching.js";
import { why } from "./why.js";

/** Forms that are being sent, with their buttons. @type {Map<HTMLFormElement, {button: Element | null}>} */
const busy = new Map();

// A page that comes back from the back/forward cache can send its forms again.
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of busy.keys()) free(form);
});

/**
 * Do `work` when the form is submitted. A failure is shown in the form's alert, and the form can be sent again.
 * @param {string} id of the form; without such a form this does nothing
 * @param {(fields: FormData, form: HTMLFormElement) => Promise<void>} work
 */
export function onSend(id, work) {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return;
  const button = form.querySelector("button:not([type=button])");
  button?.removeAttribute("disabled");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, button, work);
  });
}

/**
 * Go to another page. The promise never resolves, so that a form stays busy until that page has loaded.
 * @param {string} address
 * @returns {Promise<never>}
 */
export function leave(address) {
  location.assign(address);
  return new Promise(() => {});
}

/** Let a form that the browser sends without script be sent only once. @param {HTMLFormElement} form */
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
 * Do `work` once, even if `button` is pressed again meanwhile. A failure is shown in the form's alert.
 * @param {HTMLFormElement} form
 * @param {Element | null} button
 * @param {(fields: FormData, form: HTMLFormElement) => Promise<void>} work
 */
export async function send(form, button, work) {
  if (busy.has(form) || !isFilledIn(form)) return;
  const alert = form.querySelector("[role=alert]");
  const sending = occupy(form, button);
  setAlert(alert, "");
  try {
    await work(new FormData(form), form);
  } catch (error) {
    setAlert(alert, why(error));
  } finally {
    if (busy.get(form) === sending) free(form);
  }
}

/** Clear the alert of a form. @param {Element} form the form, or an element around it */
export const quiet = (form) => setAlert(form.querySelector("[role=alert]"), "");

/** Let a form be sent again although an earlier request still runs: the form is about something else now. @param {HTMLFormElement} form */
export function renew(form) {
  quiet(form);
  free(form);
}

/** @param {Element | null} alert @param {string} text */
function setAlert(alert, text) {
  if (!(alert instanceof HTMLElement)) return;
  alert.textContent = text;
  alert.hidden = text === "";
}
