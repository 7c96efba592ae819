// @ts-check
/** Taking back what this device had recorded, and nothing of other devices. */
import { ask, uuid } from "./api.js";
import { queue } from "./queue.js";
import { say } from "./words.js";

/** @typedef {import("./queue.js").Told} Told */

/** @param {string} key the address of the match @param {Told} of @param {number} ifMatch @returns {Promise<any>} the answer */
export function undo(key, of, ifMatch) {
  if (typeof of === "string") return ask(`${key}/undo?names=display`, { method: "POST", body: { of }, ifMatch });
  // `undo` takes the ids of told events only. An amendment is withdrawn by its version.
  const withdrawal = { type: "log_amended", id: uuid(), withdraws: [of], reason: say("Taken back.") };
  return ask(`${key}/events?names=display`, { method: "POST", body: { events: [withdrawal] }, ifMatch });
}

/** Forget an event or amendment that was taken back, or that does not count any more. @param {string} key @param {Told} of */
export const strike = (key, of) => queue(key, (held) => void (held.told = held.told.filter((known) => known !== of)));
