// Pads open without a network, and other pages lead to them: files by their digest, all or nothing; pages from the network first; data never.
const DIGEST = "__DIGEST__";
const SHELL = "shell-" + DIGEST;
const PAGES = "pages";
const FILES = "__SHELL__";
const PATIENCE_MS = 4000;
const NAMED = /\/static\/([^/"]+)\/[^"]+/g;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(forgetShells().then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/v1/")) return;
  if (pathname.startsWith("/static/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (pathname.endsWith("/pad")) {
    // What is no navigation is a page that keeps itself.
    event.respondWith(request.mode === "navigate" ? pad(event) : whole(request));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(instead));
  }
});

/** The files of other versions, but for those that a page was kept with. */
async function forgetShells() {
  const cache = await caches.open(PAGES);
  const kept = await Promise.all((await cache.keys()).map(async ({ url }) => (await cache.match(url, { ignoreVary: true })).text()));
  const needed = new Set(kept.flatMap((page) => [...page.matchAll(NAMED)].map(([, digest]) => `shell-${digest}`)));
  const others = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL && !needed.has(name));
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** What leads to the pads that are kept. */
async function instead() {
  return (await caches.match("/offline", { ignoreVary: true })) ?? Response.error();
}

async function pad(event) {
  const { request } = event;
  const cache = await caches.open(PAGES);
  // In whichever language it was seen last, it is the same pad. What it was kept with differs from what a navigation asks
  // with, and is of no account: it is this browser's own.
  const { pathname } = new URL(request.url);
  const kept = await cache.match(pathname, { ignoreVary: true });
  try {
    // A slow network is waited for where nothing else can be shown.
    const answer = await fetch(request, kept && { signal: AbortSignal.timeout(PATIENCE_MS) });
    const page = await answer.clone().text();
    // A phone that is full opens it all the same.
    if (answer.ok) event.waitUntil(keep(cache, pathname, answer.clone(), page).catch(() => {}));
    // A device that was sent home must not find the page in the cache.
    else if (answer.status === 404 || answer.status === 403) await cache.delete(pathname, { ignoreVary: true });
    return answer;
  } catch {
    return kept ?? instead();
  }
}

async function keep(cache, pathname, answer, page) {
  await fetchNamed(page);
  await cache.put(pathname, answer);
}

/** A page, once all that it names is kept. */
async function whole(request) {
  const answer = await fetch(request);
  if (answer.ok) await fetchNamed(await answer.clone().text());
  return answer;
}

/** The service may be of a newer version than this worker: its pages open with its files only, and it has another worker. */
async function fetchNamed(page) {
  if (!page.includes(DIGEST)) void self.registration.update().catch(() => {});
  const shell = await caches.open(SHELL);
  for (const [address] of page.matchAll(NAMED)) {
    if (await caches.match(address)) continue;
    const file = await fetch(address);
    if (!file.ok) throw new Error(address);
    await shell.put(address, file);
  }
}
