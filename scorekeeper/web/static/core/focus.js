// @ts-check
/** Keeps the focus in its place for people who use a keyboard: the focused element may disappear, the focus must not. */

// Text fields are left out: a phone would open its keyboard. A notice comes before the button that would take back what it tells.
const NEXT = "h2:not([aria-hidden]), .notice, button:enabled, select, summary, a[href]";

/**
 * If the focused element is removed or disabled, focus the next element that can have the focus. After the last one comes
 * the first.
 * @param {HTMLElement} root
 */
export function keepFocus(root) {
  /** @type {any} */
  let held = null;
  let byKeys = false;
  // A range keeps its place while the document around it changes.
  const place = document.createRange();
  root.addEventListener("focusin", ({ target }) => {
    held = target;
    byKeys = held.matches(":focus-visible");
    place.selectNode(held);
  });
  // The wheel scrolls the page, and does not change a number that happens to be below it. Only fields for numbers have a least one.
  root.onwheel = () => held?.min && held.blur();
  new MutationObserver(() => {
    const now = document.activeElement;
    if (held === null || (held.isConnected && !held.disabled) || (now !== document.body && now !== held)) return;
    place.collapse(true);
    const there = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(NEXT)]);
    const next = there.find((each) => place.comparePoint(each, 0) > 0) ?? there[0] ?? root;
    if (next.tabIndex < 0) next.tabIndex = -1;
    // No scrolling for people without a keyboard: a change that another phone made must not move what they read.
    next.focus({ preventScroll: !byKeys });
  }).observe(root, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
