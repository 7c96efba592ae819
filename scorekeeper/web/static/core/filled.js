// @ts-check
/** Whether a form can be sent as far as the browser can tell. */

/**
 * Whether every field that must be filled in is, and every number is in its range. Blanks alone are nothing. If not, the browser focuses the field,
 * and says beside it what it needs.
 * @param {HTMLFormElement} form
 */
export function isFilledIn(form) {
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (form.querySelectorAll("[required]"))) {
    if (field.value.trim() === "") field.value = "";
  }
  return form.reportValidity();
}
