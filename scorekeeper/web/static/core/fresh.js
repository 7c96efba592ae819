// @ts-check
/** A page that only shows, and is gone back to: browsers show it as it was left, whatever was recorded since. */

async function renew() {
  // As it was left it is better than nothing.
  const { status } = await fetch(location.href).catch(Response.error);
  if (status > 0 && status < 500) location.reload();
}

const [opened] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (opened?.type === "back_forward") void renew();
addEventListener("pageshow", ({ persisted }) => void (persisted && renew()));
