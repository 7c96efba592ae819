// @ts-check
/** Whoever has only a keyboard goes on where they were: what had the focus may go away, the focus may not. */

// Nothing that a phone opens its keyboard for.
const NEXT = "h2:not([aria-hidden]), button:enabled, select, summary, a[href]";

/**
 * Where what has the focus goes away or can't be pressed any more, the focus goes to what comes next, from the end back
 * to the beginning.
 * @param {HTMLElement} root
 */
export function keepFocus(root) {
  /** @type {any} */
  let held = null;
  let byKeys = false;
  // A range stays where it is in a document that changes around it.
  const place = document.createRange();
  root.addEventListener("focusin", ({ target }) => {
    held = target;
    byKeys = held.matches(":focus-visible");
    place.selectNode(held);
  });
  new MutationObserver(() => {
    const now = document.activeElement;
    if (held === null || (held.isConnected && !held.disabled) || (now !== document.body && now !== held)) return;
    place.collapse(true);
    const there = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(NEXT)]);
    const next = there.find((each) => place.comparePoint(each, 0) > 0) ?? there[0] ?? root;
    if (next === root || next.matches("h2")) next.tabIndex = -1;
    // Whoever reads elsewhere while something comes from another phone stays there.
    next.focus({ preventScroll: !byKeys });
  }).observe(root, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
