// @ts-check
/** The reason why a request failed, in words. */
import { Refused, Unreachable } from "./api.js";
import { count, say } from "./given.js";

/** Return the reason for people. An error that is a bug is thrown again. @param {unknown} error */
export function why(error) {
  // The detail of a request without a token says how a program sends one.
  if (error instanceof Refused) return error.problem.code === "unauthorized" ? say("This device is not let in any more: ask for a new code.") : error.message;
  if (!(error instanceof Unreachable)) throw error;
  const { answer, message } = error;
  if (answer === undefined || answer.ok) return say("No connection. Try again.");
  if (answer.status === 429 && message) return message;
  // The details of other problem documents are meant for clients of the API.
  const seconds = Number(answer.headers.get("retry-after"));
  return seconds > 0
    ? count(seconds, "The service can't answer at the moment. Try again in {n} second.", "The service can't answer at the moment. Try again in {n} seconds.")
    : say("The service can't answer at the moment. Try again.");
}
