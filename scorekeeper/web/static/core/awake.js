// @ts-check
/** Keeping the screen of a phone on. A browser allows it over HTTPS only. */

/** Keep the screen on while `wanted` returns true and the page is visible. @param {() => boolean} wanted */
export function keepAwake(wanted) {
  /** @type {WakeLockSentinel | null | undefined} */
  let lock;
  async function look() {
    if (!wanted()) void lock?.release();
    // The browser releases the lock of a page that is hidden, and gives it no other one.
    else if (lock?.released !== false) lock = await navigator.wakeLock?.request("screen").catch(() => null);
  }
  document.addEventListener("visibilitychange", look);
  setInterval(look, 30_000);
  void look();
}
