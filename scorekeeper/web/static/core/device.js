// @ts-check
/** Abilities of the device that need HTTPS: staying awake, and opening pages without a network. */

/** Keep the screen on while `wanted` returns true and the page is visible. @param {() => boolean} wanted */
export function keepAwake(wanted) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  async function look() {
    if (!("wakeLock" in navigator) || document.hidden) return;
    if (!wanted()) {
      await lock?.release();
      lock = null;
    } else if (lock === null || lock.released) {
      lock = await navigator.wakeLock.request("screen").catch(() => null);
    }
  }
  document.addEventListener("visibilitychange", look);
  setInterval(look, 30_000);
  void look();
}

/** Register the service worker, by which pads open without a network. Without HTTPS this does nothing. */
export function worker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("scorekeeper-worker", { createScriptURL: () => "/sw.js" });
  serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js").catch(() => {});
  // The worker does not see the page that registers it first, so this page stores itself.
  if (serviceWorker.controller === null) keepPage();
}

/** Fetch this page again and store it, so that it opens without a network. */
export function keepPage() {
  void navigator.serviceWorker?.ready.then(() => caches.open("pages")).then((pages) => pages.add(location.pathname)).catch(() => {});
}
