// @ts-check
/** Requests to the service. The session is a cookie that no script can read, so this module handles no secret. */
import { language } from "./given.js";

/**
 * @typedef {{status: number, code: string, detail: string, reason?: string, event_index?: number, version?: number,
 *   violations?: {clause: string, message: string}[], facts?: Record<string, any>, round?: any}} Problem
 */

/** The service answered with a problem document: sending the same again does not help. */
export class Refused extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** There was no answer, or one such as 503: the same request may be sent again. */
export class Unreachable extends Error {
  /** @param {Response} [answer] the answer, if there was one @param {string} [detail] the detail of its problem document */
  constructor(answer, detail) {
    super(detail);
    this.answer = answer;
  }
}

const TRY_AGAIN = [408, 425, 429, 500, 502, 503, 504];

/**
 * Send a request, and return the decoded body of the answer. Throws Refused and Unreachable.
 * @param {string} path
 * @param {{method?: string, body?: unknown, ifMatch?: number | string, key?: string, milliseconds?: number}} [how]
 *   `key` is an Idempotency-Key
 * @returns {Promise<any>} null if the answer has no body
 */
export async function ask(path, { method = "GET", body, ifMatch, key, milliseconds = 10_000 } = {}) {
  const headers = new Headers({ accept: "application/json", "accept-language": language });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (ifMatch !== undefined) headers.set("if-match", ifMatch === "*" ? "*" : `"${ifMatch}"`);
  if (key !== undefined) headers.set("idempotency-key", key);
  const late = AbortSignal.timeout(milliseconds);
  let answer;
  let content;
  try {
    answer = await fetch(path, { method, headers, body: JSON.stringify(body), signal: late });
    content = answer.status === 204 ? null : await answer.json();
  } catch {
    throw new Unreachable(answer);
  }
  if (answer.ok) return content;
  if (TRY_AGAIN.includes(answer.status)) throw new Unreachable(answer, content?.detail);
  throw new Refused({ detail: String(answer.status), code: "", ...content, status: answer.status });
}

/**
 * Return whether the service would open this page now. If a file of the page could not be loaded nevertheless, the service was upgraded: the file
 * has another address, which only a newly loaded page knows.
 */
export const isServed = async () => (await fetch(location.pathname).catch(Response.error)).ok;

/**
 * Import a module that is needed later. It is fetched first: a browser remembers a failed import as long as the page is open.
 * @param {string} path as it is seen from any folder of modules @returns {Promise<any>}
 */
export async function later(path) {
  const { ok, url } = await fetch(new URL(path, import.meta.url));
  return ok ? import(url) : Promise.reject();
}

/** A UUID of version 4 (RFC 9562); plain HTTP, as at home, has no `crypto.randomUUID`. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
