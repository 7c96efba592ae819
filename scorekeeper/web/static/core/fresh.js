// @ts-check
/** Loads a page again if somebody goes back to it. Otherwise the browser would show it as it was left, without what was recorded since. */

async function renew() {
  // Without an answer the old page is better than none.
  const { status } = await fetch(location.href).catch(Response.error);
  if (status > 0 && status < 500) location.reload();
}

const [opened] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (opened?.type === "back_forward") void renew();
addEventListener("pageshow", ({ persisted }) => void (persisted && renew()));
