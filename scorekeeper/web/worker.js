// The service worker: pads open without a network, and other pages then lead to the pads. Static files are cached by their digest, all of them or none.
// Pages come from the network if it answers. Data is never cached.
const DIGEST = "__DIGEST__";
const SHELL = "shell-" + DIGEST;
const PAGES = "pages";
const FILES = "__SHELL__";
const PATIENCE_MS = 4000;
// Leagues, people and matches may be called "pad", too.
const PAD = /^\/l\/[^/]+\/m\/[^/]+\/pad$/;
const NAMED = /\/static\/([^/"]+)\/[^"]+/g;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  // Files that could not be deleted only take room.
  event.waitUntil(forgetShells().catch(() => {}).then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/v1/")) return;
  if (pathname.startsWith("/static/")) {
    event.respondWith(found(request).then((kept) => kept ?? fetch(request)));
  } else if (PAD.test(pathname)) {
    // A request that is no navigation comes from a page that stores itself (`keepPage`).
    event.respondWith(request.mode === "navigate" ? pad(event) : whole(request));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).then(unlessByProxy, instead));
  }
});

/** Delete the static files of other versions, except those that a stored page needs. */
async function forgetShells() {
  const cache = await caches.open(PAGES);
  // A page may be deleted meanwhile.
  const kept = await Promise.all((await cache.keys()).map(async ({ url }) => (await cache.match(url, { ignoreVary: true }))?.text() ?? ""));
  const needed = new Set(kept.flatMap((page) => [...page.matchAll(NAMED)].map(([, digest]) => `shell-${digest}`)));
  const others = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL && !needed.has(name));
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** Return what is stored, if it is. A browser may refuse to read its caches, and then everything comes from the network. */
const found = (asked, how) => caches.match(asked, how).catch(() => undefined);

/** Return the page that lists the stored pads. */
async function instead() {
  return (await found("/offline", { ignoreVary: true })) ?? Response.error();
}

/** Return an answer of the service. A proxy answers for a service that does not, by a page that is empty or of its own, without the policy of all pages. */
const unlessByProxy = (answer) => (answer.status > 501 && !answer.headers.has("content-security-policy") ? instead() : answer);

async function pad(event) {
  const { request } = event;
  // `ignoreVary`: the page was stored with other headers than a navigation sends. Its language and cookie may be ignored, since it is the same pad of
  // the same browser.
  const { pathname } = new URL(request.url);
  const kept = await found(pathname, { ignoreVary: true, cacheName: PAGES });
  try {
    // Without a stored page nothing else can be shown, so a slow network gets all the time that it needs.
    const answer = await fetch(request, kept && { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (kept && answer.status >= 500) return kept;
    const page = await answer.clone().text();
    // A phone without free space can't store the page, but still opens it.
    if (answer.ok) event.waitUntil(keep(pathname, answer.clone(), page).catch(() => {}));
    // A device whose access was revoked must not find the page in the cache.
    else if (answer.status === 404 || answer.status === 403) await forget(pathname).catch(() => {});
    return unlessByProxy(answer);
  } catch {
    return kept ?? instead();
  }
}

async function keep(pathname, answer, page) {
  await fetchNamed(page);
  await (await caches.open(PAGES)).put(pathname, answer);
}

async function forget(pathname) {
  await (await caches.open(PAGES)).delete(pathname, { ignoreVary: true });
}

/** Return a page after the files that it names were stored. */
async function whole(request) {
  const answer = await fetch(request);
  if (answer.ok) await fetchNamed(await answer.clone().text());
  return answer;
}

/** Store the files that a page names. The service may be newer than this worker: then its pages need its own files, and its own worker is fetched. */
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
