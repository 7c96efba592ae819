// Pads open without a network, and other pages lead to them: files by their digest, all or nothing; pages from the network first; data never.
const SHELL = "shell-" + "__DIGEST__";
const PAGES = "pages";
const FILES = "__SHELL__";
const PATIENCE_MS = 4000;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/v1/")) return;
  if (pathname.startsWith("/static/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate") {
    event.respondWith(pathname.endsWith("/pad") ? pad(request) : fetch(request).catch(instead));
  }
});

/** What leads to the pads that are kept. */
async function instead() {
  return (await caches.match("/offline", { ignoreVary: true })) ?? Response.error();
}

async function pad(request) {
  const cache = await caches.open(PAGES);
  // In whichever language it was seen last, it is the same pad.
  const { pathname } = new URL(request.url);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await cache.put(pathname, answer.clone());
    // A device that was sent home must not find the page in the cache.
    else if (answer.status === 404 || answer.status === 403) await cache.delete(pathname, { ignoreVary: true });
    return answer;
  } catch {
    // What it was kept with differs from what a navigation asks with, and is of no account: it is this browser's own.
    return (await cache.match(pathname, { ignoreVary: true })) ?? instead();
  }
}
