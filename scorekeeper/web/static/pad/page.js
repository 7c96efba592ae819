// @ts-check
import { isServed } from "../core/api.js";
import { keepAwake } from "../core/awake.js";
import { keepFocus } from "../core/focus.js";
import { given, say } from "../core/given.js";
import { follow } from "../core/live.js";
import { Winners, meet, name } from "../core/people.js";
import { halfTold, keepHalf } from "../core/queue.js";
import { effect, html, render, signal } from "../vendor/preact.js";
import { LIKELY_MOST } from "./scoring.js";
import * as pad from "./state.js";
import { Brings, Dialog, Hands, Out, Scores, State, change, once } from "./views.js";

const AGAIN_MS = 5_000;
/** The questions that a person has to decide. Their code is loaded with the first question. */
const troubles = signal(/** @type {any} */ (null));
const doubted = signal(/** @type {[string, number] | null} */ (null));

/** Save the round. If a number is unlikely, ask the person first. */
function trySaving() {
  const unlikely = Object.entries(pad.worth.value).find(([, worth]) => worth > LIKELY_MOST);
  if (unlikely) doubted.value = unlikely;
  else void pad.save();
}

function Doubt() {
  if (doubted.value === null) return null;
  const [player, worth] = doubted.value;
  const doubt = say("{name} with {n} points: that is more than seven of the worst cards.", { name: name(player), n: worth });
  let wrong = false;
  const close = () => {
    doubted.value = null;
    if (wrong) change(player);
  };
  return html`<${Dialog} label=${doubt} close=${close}><p>${doubt}</p>
    <form method="dialog" class="actions"><button onClick=${() => pad.save()}>${say("It is right")}</button>
      <button class="plain" autofocus onClick=${() => (wrong = true)}>${say("Change")}</button></form><//>`;
}

function Pad() {
  const { round, status } = pad.board.value;
  const over = status !== "open" && pad.editing.value === null;
  return html`<${State} /><${Scores} />${troubles.value}
    ${pad.following() === round && html`<p class="hint">${say("Round {n}: ", { n: round })}<a href="cards">${say("Card by card")}</a></p>`}
    ${!over && html`<${Out} /><${Hands} />`}<div aria-live="polite">${over && html`<p class="notice">${say("The match is over.")} <${Winners} board=${pad.board.value} /></p>`}</div>
    <div class="foot"><${Brings} /><button type="button" class="plain" disabled=${pad.waiting.value.length + pad.told.value.length === 0} ...${once(pad.takeBack)}>${say("Take back")}</button>
      <button type="button" aria-describedby="brings" disabled=${!pad.complete.value} ...${once(trySaving)}>${say("Save round")}</button></div>
    <${Doubt} />`;
}

async function loadTroubles() {
  try {
    const { Troubles } = await import("./troubles.js");
    troubles.value ??= html`<${Troubles} />`;
  } catch {
    pad.cutOff();
    // Nothing that was told is lost by a reload.
    if (await isServed()) location.reload();
  }
}

effect(() => {
  // If the code can't be loaded now, the next change of the questions tries again.
  if (pad.differs.value ?? pad.stopped.value) void loadTroubles();
});

// Rounds that are half told survive a reload: a phone may drop the page while another app is used.
pad.fill(halfTold(pad.key) ?? pad.form());
effect(() => keepHalf(pad.key, { ...pad.form(), later: pad.later }));

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
render(html`<${Pad} />`, root);
keepFocus(root);

effect(() => meet(pad.board.value));
const resend = () => void pad.send();
follow(given.key, {
  state: (board) => {
    pad.show(board);
    // Any event shows that there is a connection.
    if (pad.away.value) resend();
  },
  resync: () => void (pad.board.value = { ...pad.board.value, version: 0 }),
  silent: (since) => (since ? pad.cutOff() : void (pad.away.value = "")),
  shut: pad.shutOut,
});
addEventListener("online", resend);
// Another tab of this phone may have told or sent something, and a phone that was locked can send again. A page that is
// hidden may be one that is left: what it begins to read may not end.
addEventListener("visibilitychange", () => document.hidden || resend());
setInterval(() => {
  if (pad.waiting.value.some((tap) => !tap.stopped) && !pad.differs.value) resend();
}, AGAIN_MS);
resend();
keepAwake(() => pad.board.value.status === "open");

let asked = 0;
let kept = 0;

/** Fetch this page again and store it, so that it opens without a network. A late answer does not replace a newer page. */
async function keepPage() {
  const mine = ++asked;
  try {
    await navigator.serviceWorker.ready;
    const answer = await fetch(location.pathname);
    if (!answer.ok || mine < kept) return;
    kept = mine;
    await (await caches.open("pages")).put(location.pathname, answer);
  } catch {
    // Without a network, without HTTPS or on a full phone the page stays as it is stored, if it is.
  }
}

// The service worker, by which pads open without a network. Without HTTPS this does nothing.
const { serviceWorker } = navigator;
const policy = /** @type {any} */ (self).trustedTypes?.createPolicy("scorekeeper-worker", { createScriptURL: () => "/sw.js" });
serviceWorker?.register(policy?.createScriptURL("") ?? "/sw.js").catch(() => {});
// The worker does not see the page that registers it first, so this page stores itself.
if (serviceWorker?.controller === null) void keepPage();

let next = pad.following();
effect(() => {
  if (pad.following() === next) return;
  next = pad.following();
  // The stored page must know the number of the next round. Opened without a network, an older page would number it like a recorded one.
  void keepPage();
});
