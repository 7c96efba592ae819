// @ts-check
/** The text of a file that a spreadsheet saved, or what is wrong with it. */
import { say } from "../core/words.js";

/** A request may have a mebibyte, and quotes and line breaks take two characters in it. */
const MOST_BYTES = 900_000;

/** In words for whoever chose the file. */
export class NoText extends Error {}

/** @param {File} file @returns {Promise<string>} UTF-8, or UTF-16 where a byte order mark says so */
export async function textOf(file) {
  if (file.size > MOST_BYTES) throw new NoText(say("This file has more than {n} kB. The import command takes larger ones.", { n: MOST_BYTES / 1000 }));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === "255 254" || mark === "254 255") return new TextDecoder(mark === "255 254" ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split("\ufffd", 1)[0] ?? "";
    throw new NoText(say("From line {line} on this is no UTF-8. Save it as CSV in UTF-8, or paste the cells.", { line: before.split(/\r\n?|\n/).length }));
  }
}
