// @ts-check
/** The result of an import or of a preview, in tables. */
import { given, language, say } from "../core/given.js";

/** @typedef {import("../../../../.ci/pages/api").components["schemas"]["ImportView"]} ImportView */

/** The most rows of a table that are shown. */
const MOST = 200;

/** @param {string} name @param {string} text @param {Record<string, string>} [attributes] */
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A cell in which short words stay whole. Text with longer words or with Chinese may break anywhere, so that the table fits a phone. @param {string} text */
const cell = (text) => element("td", text, /\S{13}|\p{Script=Han}{5}/u.test(text) ? {} : { class: "words" });

/** @param {string} caption @param {string[]} heading @param {(string | Node | null)[][]} rows the first cell is each row's heading */
function table(caption, heading, rows) {
  if (rows.length === 0) return [];
  const made = document.createElement("table");
  made.append(element("caption", caption));
  const head = made.createTHead().insertRow();
  head.append(...heading.map((each) => element("th", each, { scope: "col", class: "words" })));
  const body = made.createTBody();
  for (const [first, ...others] of rows.slice(0, MOST)) {
    const name = element("th", "", { scope: "row" });
    name.append(first ?? "");
    body.insertRow().append(name, ...others.map((each) => cell(String(each ?? ""))));
  }
  const more = rows.length - MOST;
  return more > 0 ? [made, element("p", say("… and {n} more", { n: more }), { class: "hint" })] : [made];
}

/** The slugs of matches whose rows name no match. */
const MADE = /^past-(\d{4}-\d\d-\d\d)-[0-9a-f]{12}$/;

const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });

/** A match as people know it: by its name in the file, or by its day. @param {string} match */
function called(match) {
  const day = MADE.exec(match)?.[1];
  return day === undefined ? match : days.format(new Date(day));
}

/** @param {string} match */
const link = (match) => element("a", called(match), { href: `/l/${given.league}/m/${match}` });

/** @param {number[]} lines */
const listed = (lines) => new Intl.ListFormat(language).format(lines.map(String));

/** @param {ImportView} view @returns {HTMLElement[]} */
export function found(view) {
  const changes = view.matches.flatMap((match) => match.changes.map((each) => [String(each.line), called(match.match), each.was, each.now]));
  const notes = view.matches.flatMap((match) => (match.note === null ? [] : [[called(match.match), listed(match.lines), match.note]]));
  const inside = view.matches.filter(({ outcome }) => outcome === "imported" || outcome === "corrected");
  const out = view.matches.filter(({ outcome }) => outcome === "kept-out");
  return [
    ...table(say("Bad rows"), [say("Line"), say("Column"), say("Why")], view.bad.map((row) => [String(row.line), row.column, row.why])),
    ...table(say("Imported matches"), [say("Match"), say("Lines")], inside.map(({ match, lines }) => [link(match), listed(lines)])),
    ...table(say("Matches left out"), [say("Match"), say("Lines")], out.map(({ match, lines }) => [called(match), listed(lines)])),
    ...table(say("Imported otherwise before"), [say("Line"), say("Match"), say("Before"), say("In the file")], changes),
    ...table(say("New names"), [say("Name"), say("In the log")], view.people.map((each) => [each.name, each.player])),
    ...table(say("Worth knowing"), [say("Match"), say("Lines"), say("Note")], notes),
  ];
}
