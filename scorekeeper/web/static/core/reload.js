// @ts-check
/** Pages that are loaded anew after something was done: the focus goes where somebody can go on. */

/**
 * @param {string} selector of what has it then; it may be anything
 * @returns {Promise<never>} what led to it is not over until the page is there
 */
export function reloadAt(selector) {
  history.replaceState({ focus: selector }, "");
  location.reload();
  return new Promise(() => {});
}

const selector = history.state?.focus;
const place = selector ? /** @type {HTMLElement | null} */ (document.querySelector(selector)) : null;
if (selector) history.replaceState(null, "");
if (place !== null) {
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
