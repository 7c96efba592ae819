// @ts-check
/** Follows a match or a league live. EventSource is not used: it hides the beats, which show that a quiet connection still works. */
import { isServed } from "./api.js";

// Beats come every 15 seconds.
const SILENT_MS = 40_000;
const DOUBTFUL_MS = 16_000;
const AGAIN_MS = 2_000;
// The pause after a stream that was connected and has ended.
const AT_ONCE_MS = 200;
const NOT_LET_IN = [401, 403, 404];
const LOOK_MS = 1_000;

/**
 * Follow a stream, and connect again after each cut.
 * @param {string} key the address of a match, such as /v1/leagues/friday/matches/first, or of a league
 * @param {{state: (board: any) => void, silent: (since: Date | null) => void, shut: () => void, entry?: (entry: any) => void,
 *   resync?: () => void, begun?: () => void}} handlers `state`, `entry` and `resync` are called with the events of these names. After
 *   `resync` an older state than the last one is valid, for example if an older backup was restored. `silent`: nothing was heard
 *   since that time; null when the stream works again. `shut`: this device has no access any more, and nothing is followed; the page
 *   is loaded again once it has. `begun`: the stream is connected; what happened before has to be read separately
 */
export function follow(key, handlers) {
  /**
   * `seen` is the last id, `last` the id to continue from. `last` changes only with an event that the page takes: if it were the id of an
   * entry and the stream broke off before the state after that entry, the state would never come.
   */
  let seen = "";
  let last = "";
  let heard = Date.now();
  /** The number of time-outs since `heard`. */
  let missed = 0;
  let cut = new AbortController();

  function hear() {
    heard = Date.now();
    if (missed > 0) handlers.silent(null);
    missed = 0;
  }

  /** @param {string} frame */
  function take(frame) {
    /** @type {Record<string, any>} */
    const fields = { id: seen };
    for (const line of frame.split("\n")) {
      const [name = "", value] = line.split(/: (.*)/);
      fields[name] = value;
    }
    seen = fields.id;
    if (!(fields.event in handlers)) return;
    const data = JSON.parse(fields.data);
    // The state that a stream begins with has no id. It includes everything up to its position.
    last = seen || String(data.position);
    /** @type {any} */ (handlers)[fields.event](data);
  }

  async function once() {
    cut = new AbortController();
    /** @type {Record<string, string>} */
    const headers = last === "" ? {} : { "last-event-id": last };
    const answer = await fetch(`${key}/live`, { headers, signal: cut.signal });
    if (NOT_LET_IN.includes(answer.status)) {
      clearInterval(watch);
      handlers.shut();
      // Somebody may let the device in again, in another tab.
      addEventListener("visibilitychange", async () => (await isServed()) && location.reload());
      await new Promise(() => {});
    }
    if (!answer.ok || answer.body === null) throw new Error();
    hear();
    handlers.begun?.();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      hear();
      const frames = (rest + value).split("\n\n");
      rest = frames.pop() ?? "";
      frames.forEach(take);
    }
  }

  async function keep() {
    for (;;) {
      if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
      // After any error the page tries again; `look` reports how long it has been silent. If the stream ended regularly, the next try comes
      // soon: a revoked device then learns that it is shut out, and a service that restarts is back soon.
      const pause = await once().then(() => AT_ONCE_MS, () => AGAIN_MS);
      await new Promise((go) => setTimeout(go, pause * (0.5 + Math.random())));
    }
  }

  function look() {
    const late = Math.floor((Date.now() - heard) / SILENT_MS);
    // The clock of the device was set back.
    if (late < 0) heard = Date.now();
    if (late <= missed) return;
    if (missed === 0) handlers.silent(new Date(heard));
    missed = late;
    // Once for each time-out, so that the next try has time to connect. After the device has slept this happens at once.
    cut.abort();
  }

  // A hidden page gives up its connection, since over plain HTTP a browser has only six for each service. A phone that was locked may
  // have a dead connection without knowing it.
  function turn() {
    if (document.hidden || Date.now() - heard > DOUBTFUL_MS) cut.abort();
  }

  const watch = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", turn);
  void keep();
}
