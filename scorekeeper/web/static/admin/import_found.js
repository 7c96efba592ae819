// @ts-check
/** What came of an import, or would come of it, in tables. */
import { language, say } from "../core/words.js";

/** @typedef {import("../../../../.ci/pages/api").components["schemas"]["ImportView"]} ImportView */

/** Rows of a table that are shown. */
const MOST = 200;

/** @param {string} name @param {string} text @param {Record<string, string>} [attributes] */
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Short words stay whole, and what is longer breaks, so that the table stays within a phone. @param {string} text */
const cell = (text) => element("td", text, /\S{13}/.test(text) ? {} : { class: "words" });

/** @param {string} caption @param {string[]} heading @param {(string | null)[][]} rows the first cell is each row's heading */
function table(caption, heading, rows) {
  if (rows.length === 0) return [];
  const made = document.createElement("table");
  made.append(element("caption", caption));
  const head = made.createTHead().insertRow();
  head.append(...heading.map((each) => element("th", each, { scope: "col", class: "words" })));
  const body = made.createTBody();
  for (const [first, ...others] of rows.slice(0, MOST)) {
    body.insertRow().append(element("th", first ?? "", { scope: "row" }), ...others.map((each) => cell(each ?? "")));
  }
  const more = rows.length - MOST;
  return more > 0 ? [made, element("p", say("… and {n} more", { n: more }), { class: "hint" })] : [made];
}

/** @param {ImportView} view @returns {HTMLElement[]} */
export function found(view) {
  const changes = view.matches.flatMap((match) => match.changes.map((each) => [String(each.line), match.match, each.was, each.now]));
  const notes = view.matches.flatMap((match) => (match.note === null ? [] : [[match.match, match.note]]));
  const out = view.matches.filter((match) => match.outcome === "kept-out").map((match) => [match.match, new Intl.ListFormat(language).format(match.lines.map(String))]);
  return [
    ...table(say("Bad rows"), [say("Line"), say("Column"), say("Why")], view.bad.map((row) => [String(row.line), row.column, row.why])),
    ...table(say("Matches left out"), [say("Match"), say("Lines")], out),
    ...table(say("Imported otherwise before"), [say("Line"), say("Match"), say("Before"), say("In the file")], changes),
    ...table(say("New names"), [say("Name"), say("In the log")], view.people.map((each) => [each.name, each.player])),
    ...table(say("Worth knowing"), [say("Match"), say("Note")], notes),
  ];
}
