// @ts-check
/** The differences that an amendment would make, before and after, in words. */
import { count, given, own, say } from "../core/given.js";
import { html } from "../vendor/preact.js";
import { people } from "./trial.js";

/** @typedef {{at: string, before: any, after: any}} Change `at`: a JSON Pointer (RFC 6901) */

/** The fields that people look at first. */
const FIRST = ["totals", "scores", "winners", "status", "rank", "total"];
/** Fields that are followed by a player in a pointer. */
const BY_PERSON = ["totals", "hand_counts", "rounds_won", "hands", "hand_points", "scores", "charges", "substitutes", "partners", "opponents"];
/** Fields whose values are players. */
const OF_PEOPLE = ["dealer", "turn", "color_pending", "awaiting_hands", "players", "player", "eliminated", "winners", "substitutes"];

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
  scores: say("Score of the round"),
  charges: say("Points at catches"),
  players: say("Seat"),
  substitutes: say("Sits in"),
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
  penalty: say("Left in hand"),
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
  won: say("has a winner"),
  abandoned: say("abandoned"),
  running: say("running"),
  ended: say("ended"),
  voided: say("broken off"),
  ready: say("between rounds"),
  turning: say("a card is turned up"),
  playing: say("being played"),
  showing_hands: say("hands are shown"),
  over: say("over"),
  ...given.directions,
  draw: say("to draw"),
  give: say("to give"),
};

/** @param {string} player */
const nameOf = (player) => own(people.value, player) ?? player;

/** @param {string} part of a pointer */
const isPlace = (part) => /^\d+$/.test(part);

/** @param {any} value @param {string} field */
function inWords(value, field) {
  if (value === null) return "–";
  if (value === true) return say("Yes");
  if (value === false) return say("No");
  if (OF_PEOPLE.includes(field)) return nameOf(value);
  const { cards, colors } = given.edition;
  return own(cards, value)?.name ?? own(colors, value) ?? own(VALUES, value) ?? String(value);
}

/**
 * Split a path into the player that it is about and the fields. A player's slug can be equal to the name of a field or to an index.
 * @param {string} top @param {string[]} path
 */
function read(top, path) {
  if (top === "match" && path[0] === "teams") {
    const { [Number(path[1])]: team = [] } = given.teams;
    return { whose: [team.map(nameOf).join(" + ")], what: path.slice(2) };
  }
  /** @type {{whose: string[], what: string[]}} */
  const found = { whose: [], what: [] };
  let person = ["hands", "table", "tournament"].includes(top);
  for (const part of path) {
    if (person) found.whose.push(nameOf(part));
    else found.what.push(part);
    person = !person && BY_PERSON.includes(part);
  }
  return found;
}

/** @param {Change} change */
function placed({ at, before, after }) {
  const [, top = "", ...rest] = at.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const [number = "", ...within] = rest;
  const { whose, what } = read(top, top === "rounds" ? within : rest);
  const groups = { match: say("Match"), rounds: say("Round {n}", { n: number }), hands: say("Hands"), table: say("The league's table"), tournament: say("Tournament") };
  const field = what.findLast((part) => !isPlace(part)) ?? "";
  return {
    at,
    group: groups[/** @type {"match"} */ (top)] ?? top,
    label: [...whose, ...what.map((part) => (isPlace(part) ? String(Number(part) + 1) : (own(FIELDS, part) ?? part)))].join(" · "),
    isFirst: what.some((part) => FIRST.includes(part)),
    before: inWords(before, field),
    after: inWords(after, field),
  };
}

/** @param {{changes: ReturnType<typeof placed>[], regionOf: (group: string) => string}} props `regionOf`: gives each region of the page its own name */
function Groups({ changes, regionOf }) {
  const groups = [...new Set(changes.map(({ group }) => group))];
  return groups.map((group) => html`<div key=${group} class="scroll" tabindex="0" role="region" aria-label=${regionOf(group)}><table class="words"><caption>${group}</caption>
    <thead><tr><th>${say("What")}</th><th>${say("Before")}</th><th>${say("After")}</th></tr></thead>
    <tbody>${changes.filter((change) => change.group === group).map(({ at, label, before, after }) => html`<tr key=${at} data-at=${at}><th scope="row">${label}</th><td>${before}</td><td><strong>${after}</strong></td></tr>`)}</tbody></table></div>`);
}

/** @param {{would: {changes: Change[]}}} props */
export function Changes({ would }) {
  const changes = would.changes.map(placed);
  const first = changes.filter(({ isFirst }) => isFirst);
  const rest = changes.filter((change) => !first.includes(change));
  const groupOf = (/** @type {string} */ group) => group;
  if (first.length === 0) return html`<${Groups} changes=${rest} regionOf=${groupOf} />`;
  return html`<${Groups} changes=${first} regionOf=${groupOf} />
    ${rest.length > 0 && html`<details><summary>${count(rest.length, "{n} other difference", "{n} other differences")}</summary><${Groups} changes=${rest} regionOf=${(/** @type {string} */ group) => say("Other differences: {group}", { group })} /></details>`}`;
}
