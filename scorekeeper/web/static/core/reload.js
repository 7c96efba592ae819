// @ts-check
/** Reloads a page after an action, and then focuses the element at which people go on. */

/**
 * @param {string} selector of the element to focus after the reload; any element will do
 * @returns {Promise<never>} never resolves, so that a form stays busy until the page has loaded
 */
export function reloadAt(selector) {
  history.replaceState({ focus: selector }, "");
  location.reload();
  return new Promise(() => {});
}

const selector = history.state?.focus;
const place = selector ? /** @type {HTMLElement | null} */ (document.querySelector(selector)) : null;
if (selector) history.replaceState(null, "");
// The script of the page runs first: it enables the buttons of its forms.
queueMicrotask(() => {
  if (place === null) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
});
