// @ts-check
/** Following a match or a league. A reader of our own: EventSource hides the beats by which silence is told from quiet. */

// Beats come every 15 seconds.
const SILENT_MS = 40_000;
const DOUBTFUL_MS = 16_000;
const AGAIN_MS = 2_000;
// Where the stream was good and has ended.
const AT_ONCE_MS = 200;
const NOT_LET_IN = [401, 403, 404];
const LOOK_MS = 1_000;

/**
 * @param {string} key the address of a match, such as /v1/leagues/friday/matches/first, or of a league
 * @param {{state: (board: any) => void, silent: (since: Date | null) => void, shut: () => void, entry?: (told: any) => void,
 *   resync?: () => void, begun?: () => void}} tell `state`, `entry`, `resync`: what came under this name; after `resync` a state
 *   counts that is older than the one before, as where an older copy of the book was put in its place. `silent`: nothing was
 *   heard since then; null once something is. `shut`: this device is not let in any more, and it has ended. `begun`: from here
 *   on everything is heard; what came before has to be read
 * @returns {() => void} ends it
 */
export function follow(key, tell) {
  /** The last id, and the one from which the page goes on: cut off between an entry and the state after it, it would never get that. */
  let seen = "";
  let last = "";
  let heard = Date.now();
  /** Time-outs since then. */
  let missed = 0;
  let ended = false;
  let cut = new AbortController();

  function hear() {
    heard = Date.now();
    if (missed > 0) tell.silent(null);
    missed = 0;
  }

  /** @param {string} frame */
  function take(frame) {
    /** @type {Record<string, any>} */
    const told = { id: seen };
    for (const line of frame.split("\n")) {
      const [name = "", value] = line.split(/: (.*)/);
      told[name] = value;
    }
    seen = told.id;
    if (!(told.event in tell)) return;
    const data = JSON.parse(told.data);
    // Whoever was told nothing but how a match stands has all up to there.
    last = seen || String(data.position);
    /** @type {any} */ (tell)[told.event](data);
  }

  async function once() {
    cut = new AbortController();
    /** @type {Record<string, string>} */
    const headers = last === "" ? {} : { "last-event-id": last };
    const answer = await fetch(`${key}/live`, { headers, signal: cut.signal });
    if (NOT_LET_IN.includes(answer.status)) {
      end();
      tell.shut();
      return;
    }
    if (!answer.ok || answer.body === null) throw new Error();
    hear();
    tell.begun?.();
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
    while (!ended) {
      if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
      // Whatever went wrong, the board goes on asking; the watch says how long it has been silent. Where the stream has ended, a
      // device that was sent home learns so from the next try, and a service that starts anew is there again soon.
      const pause = await once().then(() => AT_ONCE_MS, () => AGAIN_MS);
      if (!ended) await new Promise((go) => setTimeout(go, pause * (0.5 + Math.random())));
    }
  }

  function look() {
    const late = Math.floor((Date.now() - heard) / SILENT_MS);
    // A clock can be put back.
    if (late < 0) heard = Date.now();
    if (late <= missed) return;
    if (missed === 0) tell.silent(new Date(heard));
    missed = late;
    // Once for each time-out, so that a new try has time to come through; at once where the device slept meanwhile.
    cut.abort();
  }

  // A page that nobody sees leaves its connection to others: over plain HTTP a browser has six to a service. And a phone that was
  // locked has a dead one that nobody tells it of.
  function turn() {
    if (document.hidden || Date.now() - heard > DOUBTFUL_MS) cut.abort();
  }

  function end() {
    ended = true;
    clearInterval(watch);
    document.removeEventListener("visibilitychange", turn);
    cut.abort();
  }

  const watch = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", turn);
  void keep();
  return end;
}
