// @ts-check
/** What the device can do besides: stay awake, and open pages without a network. Plain HTTP has neither. */

/** Keep the screen on while `wanted` says so and the page is seen. @param {() => boolean} wanted */
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

/** Have pages open without a network, where that is possible. */
export function worker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("scorekeeper-worker", { createScriptURL: () => "/sw.js" });
  serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js").catch(() => {});
  // The page that brought the worker along came before it, so it keeps itself.
  if (serviceWorker.controller === null) keepPage();
}

/** Have this page open without a network as the service gives it now. */
export function keepPage() {
  void navigator.serviceWorker?.ready.then(() => caches.open("pages")).then((pages) => pages.add(location.pathname)).catch(() => {});
}
