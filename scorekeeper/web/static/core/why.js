// @ts-check
/** What went wrong with a request, in words. */
import { Refused, Unreachable } from "./api.js";
import { count, say } from "./words.js";

/** Why something was not done, for people; what a person can do nothing about is thrown on. @param {unknown} error */
export function why(error) {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Unreachable)) throw error;
  const { answer, message } = error;
  if (answer === undefined || answer.ok) return say("No connection. Try again.");
  if (answer.status === 429 && message) return message;
  // What else is said of an outage or a bug is for whoever asks through the API.
  const seconds = Number(answer.headers.get("retry-after"));
  return seconds > 0
    ? count(seconds, "The service can't answer at the moment. Try again in {n} second.", "The service can't answer at the moment. Try again in {n} seconds.")
    : say("The service can't answer at the moment. Try again.");
}
