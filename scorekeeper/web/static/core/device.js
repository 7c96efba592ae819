// @ts-check
/** Abilities of the device that need HTTPS: staying awake, and opening pages without a network. */

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

/** Register the service worker, by which pads open without a network. Without HTTPS this does nothing. */
export function worker() {
  const { serviceWorker } = navigator;
  const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("scorekeeper-worker", { createScriptURL: () => "/sw.js" });
  serviceWorker?.register(policy?.createScriptURL("") ?? "/sw.js").catch(() => {});
  // The worker does not see the page that registers it first, so this page stores itself.
  if (serviceWorker?.controller === null) keepPage();
}

/** Fetch this page again and store it, so that it opens without a network. */
export function keepPage() {
  void navigator.serviceWorker?.ready.then(() => caches.open("pages")).then((pages) => pages.add(location.pathname)).catch(() => {});
}
