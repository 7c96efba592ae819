// @ts-check
/** A round as it is followed card by card: what stands, what is being told, and what the service said to it. */
import { Refused, Unreachable, ask, uuid } from "../core/api.js";
import { given } from "../core/given.js";
import { say } from "../core/words.js";
import { batch, signal } from "../vendor/preact.js";

export const board = signal(given.board);
/** The event that was told last and is not recorded: it can be sent again, or told as it was played. */
export const held = signal(/** @type {any} */ (null));
export const violations = signal(/** @type {{clause: string, message: string}[]} */ ([]));
export const notice = signal("");
export const busy = signal(false);
/** What became of the last event that was recorded. */
export const recorded = signal("");

/** @param {any} now a scoreboard; an older one than is shown is passed over */
export function show(now) {
  if (now.version >= board.value.version) board.value = now;
}

/**
 * Tell an event, once: sent again it has the same id, so that it is counted once.
 * @param {any} event
 */
export async function tell(event) {
  if (busy.value) return;
  busy.value = true;
  const whole = { id: uuid(), at: new Date().toISOString(), ...event };
  held.value = whole;
  try {
    const answer = await ask(`${given.key}/events?names=display`, { method: "POST", body: { events: [whole] }, ifMatch: board.value.version });
    batch(() => {
      held.value = null;
      violations.value = answer.violations;
      notice.value = "";
      recorded.value = whole.type;
      show(answer.state);
    });
  } catch (error) {
    await refused(error);
  } finally {
    busy.value = false;
  }
}

/** @param {unknown} error */
async function refused(error) {
  if (error instanceof Unreachable) {
    notice.value = say("No connection. Try again.");
    return;
  }
  if (!(error instanceof Refused)) throw error;
  const { problem } = error;
  violations.value = problem.violations ?? [];
  notice.value = problem.detail;
  if (problem.status === 412) {
    show(await ask(given.key));
    notice.value = say("Somebody told something meanwhile. Look, and try again.");
  }
  // What the rules forbid can be told as it was played, and what got no answer again; all else is to be told anew.
  if (problem.code !== "rule-violation" && problem.status !== 412) held.value = null;
}

/** The table let it pass: a new event, which says so. */
export const tellAsPlayed = () => tell({ ...held.value, id: uuid(), as_played: true });

export const tellAgain = () => tell(held.value);

export function forget() {
  batch(() => {
    held.value = null;
    violations.value = [];
    notice.value = "";
  });
}

export async function undo() {
  try {
    const answer = await ask(`${given.key}/undo`, { method: "POST", body: {}, ifMatch: board.value.version });
    show(answer.state);
    forget();
  } catch (error) {
    await refused(error);
  }
}
