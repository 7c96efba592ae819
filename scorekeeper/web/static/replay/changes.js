// @ts-check
/** What would be otherwise, before and after, in words. */
import { given } from "../core/given.js";
import { count, say } from "../core/words.js";
import { html } from "../vendor/preact.js";
import { people } from "./trial.js";

/** @typedef {{at: string, before: any, after: any}} Change `at`: a JSON Pointer (RFC 6901) */

/** What people look at first. */
const FIRST = ["totals", "scores", "winners", "status", "rank", "total"];

/** @type {Record<string, string>} */
const FIELDS = {
  status: say("State"),
  phase: say("Phase"),
  round: say("Round"),
  dealer: say("Dealer"),
  turn: say("On turn"),
  direction: say("Direction"),
  top_card: say("Card on top"),
  color: say("Colour"),
  pending: say("Owed"),
  awaiting_hands: say("Hand to be shown"),
  draw_pile_count: say("Cards in the pile"),
  color_pending: say("Names the colour"),
  hand_counts: say("Cards in hand"),
  totals: say("Total"),
  total: say("Total"),
  teams: say("Team"),
  rounds_won: say("Rounds won"),
  round_wins: say("Rounds won"),
  eliminated: say("Out"),
  winners: say("Winner"),
  violations: say("Violations"),
  voided: say("Entries that no longer fit"),
  hands: say("Hand"),
  hand_points: say("Points in hand"),
  scores: say("Score"),
  charges: say("Points at catches"),
  players: say("Seat"),
  known: say("Known cards"),
  unknown: say("Unknown cards"),
  cards: say("Cards"),
  cards_left: say("Cards left"),
  points: say("Points"),
  rank: say("Rank"),
  played: say("Matches"),
  won: say("Matches won"),
  rounds: say("Rounds"),
  streak: say("Won in a row"),
  longest_streak: say("Most won in a row"),
  last_played: say("Last match"),
  small_sample: say("Few matches"),
  collected: say("Collected"),
  penalty: say("Penalty"),
  balance: say("Balance"),
  own: say("Own"),
  others: say("Others"),
  own_per_round: say("Own per round"),
  others_per_round: say("Others per round"),
  partners: say("With"),
  opponents: say("Against"),
  tallied: say("Told as a whole"),
  first_version: say("First entry"),
  last_version: say("Last entry"),
  player: say("Player"),
  count: say("Cards"),
  clause: say("Clause"),
  kind: say("Kind"),
};

/** @type {Record<string, string>} */
const VALUES = {
  open: say("open"),
  won: say("won"),
  abandoned: say("abandoned"),
  running: say("running"),
  ended: say("ended"),
  voided: say("broken off"),
  ready: say("between rounds"),
  turning: say("a card is turned up"),
  playing: say("being played"),
  showing_hands: say("hands are shown"),
  over: say("over"),
  clockwise: say("clockwise"),
  "counter-clockwise": say("counter-clockwise"),
  draw: say("to draw"),
  give: say("to give"),
};

/** @param {any} value */
function told(value) {
  if (value === null) return "–";
  if (value === true) return say("Yes");
  if (value === false) return say("No");
  const { cards, colors } = given.edition.names;
  return people.value[value] ?? cards[value] ?? colors[value] ?? VALUES[value] ?? String(value);
}

/** @param {string} part of a pointer */
const called = (part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : (FIELDS[part] ?? people.value[part] ?? part));

/** @param {string[]} path whose and what @returns {string} */
function label(path) {
  const whose = path.filter((part) => part in people.value);
  const what = path.filter((part) => !(part in people.value));
  return [...whose, ...what].map(called).join(" · ");
}

/** @param {Change} change @returns {{group: string, path: string[]} & Change} */
function placed(change) {
  const [, top = "", ...path] = change.at.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (top === "rounds") return { group: say("Round {n}", { n: path[0] ?? "" }), path: path.slice(1), ...change };
  const groups = { match: say("Match"), hands: say("Hands"), table: say("The league's table"), tournament: say("Tournament") };
  return { group: groups[/** @type {"match"} */ (top)] ?? top, path, ...change };
}

/** @param {{changes: ReturnType<typeof placed>[], regionOf: (group: string) => string}} props `regionOf`: no two regions of a page have one name. */
function Groups({ changes, regionOf }) {
  const groups = [...new Set(changes.map(({ group }) => group))];
  return groups.map((group) => html`<div key=${group} class="scroll" tabindex="0" role="region" aria-label=${regionOf(group)}><table class="words"><caption>${group}</caption>
    <thead><tr><th>${say("What")}</th><th>${say("Before")}</th><th>${say("After")}</th></tr></thead>
    <tbody>${changes.filter((change) => change.group === group).map(({ at, path, before, after }) => html`<tr key=${at} data-at=${at}><th scope="row">${label(path)}</th><td>${told(before)}</td><td><strong>${told(after)}</strong></td></tr>`)}</tbody></table></div>`);
}

/** @param {{would: {changes: Change[]}}} props */
export function Changes({ would }) {
  const changes = would.changes.map(placed);
  const first = changes.filter(({ path }) => path.some((part) => FIRST.includes(part)));
  const rest = changes.filter((change) => !first.includes(change));
  return html`<${Groups} changes=${first} regionOf=${(/** @type {string} */ group) => group} />
    ${rest.length > 0 && html`<details open=${first.length === 0}><summary>${count(rest.length, "{n} other difference", "{n} other differences")}</summary><${Groups} changes=${rest} regionOf=${(/** @type {string} */ group) => say("Other differences: {group}", { group })} /></details>`}`;
}
