// @ts-check
/** Recording what was decided about a round. Then the page is loaded again, since every step may have changed. */
import { Refused, ask, uuid } from "../core/api.js";
import { given, say } from "../core/given.js";
import { leaveWord } from "../core/leaving.js";
import { reloadAt } from "../core/reload.js";
import { why as inWords } from "../core/why.js";
import { html, signal } from "../vendor/preact.js";
import { name } from "./hands.js";
import { SAID, shown } from "./steps.js";

/** Why the service refused the last request about the step. */
export const refusal = signal("");

/** @param {unknown} error why a request failed @returns {string} */
export function why(error) {
  if (error instanceof Refused && error.problem.status === 412) return say("Somebody told something meanwhile. Open the page anew, and look.");
  return inWords(error);
}

/** The field of a dispute that names the present step. A step that nobody recorded is not named. */
export function entryOf() {
  const place = shown.value.at;
  if (place === null) return {};
  return { entry: typeof place === "number" ? place : { amendment: place[0], index: place[1] } };
}

let sending = false;
/** The last events that were sent. If they are sent again after a lost answer, they have the same ids and count once. @type {{content: string, events: any[]} | null} */
let unanswered = null;

/**
 * @param {any[]} events all or none of them are recorded
 * @param {string} said once they are
 * @param {number} [version] the one that they rest on, where they rest on one
 * @param {typeof refusal} [reason] where it is said why they are not
 */
export async function record(events, said, version, reason = refusal) {
  if (sending) return;
  sending = true;
  reason.value = "";
  const content = JSON.stringify(events);
  if (unanswered?.content !== content) unanswered = { content, events: events.map((event) => ({ id: uuid(), ...event })) };
  try {
    await ask(`${given.key}/events?names=display`, { method: "POST", body: { events: unanswered.events }, ...(version === undefined ? {} : { ifMatch: version }) });
    leaveWord(sessionStorage, SAID, said);
    // The form is closed after the reload, so its scroll position is of no use: the step itself is shown.
    history.scrollRestoration = "manual";
    await reloadAt("#controls");
  } catch (error) {
    reason.value = why(error);
  } finally {
    sending = false;
  }
}

/** Choosing one of the people at the table. @param {{name: string}} props of the field */
export const Person = ({ name: field }) => html`<select name=${field}>${given.players.map((/** @type {string} */ player) => html`<option value=${player}>${name(player)}</option>`)}</select>`;

/** The reason why a request failed. @param {{of?: typeof refusal}} props */
export const Refusal = ({ of = refusal }) => (of.value === "" ? null : html`<p role="alert">${of.value}</p>`);
