// @ts-check
/** Recording what is decided about a round; the page then comes anew, since every step may have changed. */
import { Refused, ask, uuid } from "../core/api.js";
import { given } from "../core/given.js";
import { reloadAt } from "../core/reload.js";
import { why as inWords } from "../core/why.js";
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { SAID, shown } from "./steps.js";

/** Why the service did not take what was asked last about the step. */
export const refusal = signal("");

/** @param {unknown} error why a request failed @returns {string} */
export function why(error) {
  if (error instanceof Refused && error.problem.status === 412) return say("Somebody told something meanwhile. Open the page anew, and look.");
  return inWords(error);
}

/** The step as a dispute names it: nothing where nobody recorded it. */
export function entryOf() {
  const place = shown.value.at;
  if (place === null) return {};
  return { entry: typeof place === "number" ? place : { amendment: place[0], index: place[1] } };
}

let sending = false;
/** Sent again after no answer, the same events have the same ids, and count once. @type {{content: string, events: any[]} | null} */
let unanswered = null;

/**
 * @param {any[]} events all or none of them are recorded
 * @param {string} said once they are
 * @param {number} [version] the one that they rest on, where they rest on one
 * @param {typeof refusal} [told] where it is said why they are not
 */
export async function record(events, said, version, told = refusal) {
  if (sending) return;
  sending = true;
  told.value = "";
  const content = JSON.stringify(events);
  if (unanswered?.content !== content) unanswered = { content, events: events.map((event) => ({ id: uuid(), ...event })) };
  try {
    await ask(`${given.key}/events?names=display`, { method: "POST", body: { events: unanswered.events }, ...(version === undefined ? {} : { ifMatch: version }) });
    sessionStorage.setItem(SAID, said);
    // The place where the form was that is closed by then says nothing: the step itself is seen.
    history.scrollRestoration = "manual";
    await reloadAt("#controls");
  } catch (error) {
    told.value = why(error);
  } finally {
    sending = false;
  }
}

/** Why nothing was recorded, or found out. @param {{of?: typeof refusal}} props */
export const Refusal = ({ of = refusal }) => (of.value === "" ? null : html`<p role="alert">${of.value}</p>`);
