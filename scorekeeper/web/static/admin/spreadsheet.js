// @ts-check
/** The text of a file that a spreadsheet saved, or what is wrong with it. */
import { say } from "../core/given.js";

/** A request may have a mebibyte, and in JSON a quote or a line break takes two bytes. */
const MOST_BYTES = 900_000;

/** How the files of spreadsheet programs begin: those of Excel, LibreOffice and Numbers are archives (PK), older ones compound documents. */
const WORKBOOKS = ["80 75", "208 207"];

/** The file can't be read. The message is for the person who chose it. */
export class NoText extends Error {}

/** The file is in another encoding. */
export class OtherEncoding extends NoText {}

/** @param {File} file @param {string} encoding the chosen one; a byte order mark of UTF-16 wins over it @returns {Promise<string>} */
export async function textOf(file, encoding) {
  if (file.size > MOST_BYTES) throw new NoText(say("This file has more than {n} kB. The import command takes larger ones.", { n: MOST_BYTES / 1000 }));
  const content = await file.arrayBuffer().catch(() => null);
  if (content === null) throw new NoText(say("This file was changed or removed since it was chosen. Choose it again."));
  const bytes = new Uint8Array(content);
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (WORKBOOKS.includes(mark)) throw new NoText(say("This is a workbook. Save it as CSV in the program that made it, or paste the cells."));
  if (mark === "255 254" || mark === "254 255") return new TextDecoder(mark === "255 254" ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder(encoding).decode(bytes).split("\ufffd", 1)[0] ?? "";
    throw new OtherEncoding(say("From line {line} on this is no {encoding}. Choose another encoding, or paste the cells.", { line: before.split(/\r\n?|\n/).length, encoding }));
  }
}
