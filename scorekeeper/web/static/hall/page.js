// @ts-check
import { ask } from "../core/api.js";
import { count, given, language, listed, own, say } from "../core/given.js";
import { leaveWord } from "../core/leaving.js";
import { follow } from "../core/live.js";
import { reader } from "../core/reading.js";
import { computed, html, render, signal } from "../vendor/preact.js";
import { isFree, seatNext, seatNow, sitting } from "./seat.js";

/** @typedef {import("./seat.js").Table} Table */

const league = `/v1/leagues/${given.league}`;
const tournament = `${league}/tournaments/${given.tournament}`;
const KEPT = `hall ${given.league} ${given.tournament}`;
const board = signal(/** @type {import("./seat.js").Board} */ (given.board));
const standings = signal(given.standings);
const names = signal(/** @type {Record<string, string>} */ (given.names));
const chosen = signal(localStorage.getItem(KEPT) ?? "");
const since = signal(/** @type {Date | null} */ (null));
const shut = signal(false);
const times = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

/** @param {string} player */
const name = (player) => own(names.value, player) ?? player;
/** @param {string[]} players */
const all = (players) => listed(players.map(name));
/** Mark a player in a sentence, to be replaced by `apart`. @param {string} player */
const called = (player) => `\n${player}\n`;
/** Put the names of players into a sentence, isolated, so that names written from right to left don't reorder the rest. @param {string} text */
const apart = (text) => text.split("\n").map((part, at) => (at % 2 === 1 ? html`<bdi>${name(part)}</bdi>` : part));
/** All players and substitutes, ordered by name. */
const people = computed(() => {
  const sittingIn = [board.value, ...board.value.tables].flatMap(({ substitutes }) => Object.values(substitutes ?? {}));
  const playing = new Set([...given.players, ...sittingIn]);
  return [...playing].sort((one, other) => name(one).localeCompare(name(other), language));
});

/** The owner of this phone; "" if that person neither plays nor sits in for anybody now. */
const person = computed(() => (people.value.includes(chosen.value) ? chosen.value : ""));

/** Return whether the owner of this phone has a bye. @param {string[]} byes the players at no table */
const rests = (byes) => byes.some((player) => sitting(board.value.substitutes, player) === person.value);

function Now() {
  const seat = seatNow(board.value, person.value);
  if (seat !== null) {
    const { table, partner, left, right, deals } = seat;
    return html`<p><strong>${apart(say("You sit at table {n}, opposite your partner {name}.", { n: table.table, name: called(partner) }))}</strong>${" "}
      ${apart(say("{left} is to your left, {right} to your right.", { left: called(left), right: called(right) }))} ${deals && say("You deal.")}</p>`;
  }
  return html`<p><strong>${rests(board.value.byes) ? say("You rest in this segment.") : say("You have nothing to play at the moment.")}</strong></p>`;
}

/** Return where a table of the next segment is scored; null while somebody at it still plays. @param {{table: number, teams: string[][]}} table */
function padOfNext({ table, teams }) {
  const { next } = board.value;
  if (!given.mayRecord || next === null || !isFree(board.value, teams)) return null;
  return `/l/${given.league}/m/${given.tournament}-s${next.segment}-t${table}/pad`;
}

function Then() {
  if (board.value.next === null) return html`<p>${say("No other segment follows.")}</p>`;
  const seat = seatNext(board.value, person.value);
  if (seat === null) return rests(board.value.next.byes) && html`<p>${say("You rest in the next segment.")}</p>`;
  const pad = padOfNext(seat);
  return html`<p>${apart(say("Next: table {n} with {partner}, against {names}.", { n: seat.table, partner: called(seat.partner), names: listed(seat.opponents.map(called)) }))}</p>
    ${pad !== null && html`<p class="actions"><a class="button" href=${pad}>${say("Score segment {segment}, table {table}", { segment: board.value.next.segment, table: seat.table })}</a></p>`}`;
}

function WhereDoISit() {
  const choose = (/** @type {any} */ event) => {
    chosen.value = event.target.value;
    leaveWord(localStorage, KEPT, chosen.value);
  };
  return html`<section class="mine" aria-label=${say("Where do I sit?")}>
    <label>${say("I am")}<select value=${person.value} onChange=${choose}><option value="">${say("somebody who looks on")}</option>
      ${people.value.map((each) => html`<option key=${each} value=${each}>${name(each)}</option>`)}</select></label>
    <div aria-live="polite">${person.value !== "" && html`<${Now} /><${Then} />`}</div>
  </section>`;
}

/** Return whether the owner of this phone sits at the table. @param {Table} table */
const isOwn = ({ seats, substitutes }) => seats.some((player) => sitting(substitutes, player) === person.value);

/** @param {{table: Table}} props */
function At({ table }) {
  const { table: number, match, seats, dealer, round, rounds, scores, status, substitutes } = table;
  const open = status === "open";
  return html`<section class=${isOwn(table) ? "card own" : "card"} aria-label=${say("Table {n}", { n: number })}>
    <h2>${say("Table {n}", { n: number })}</h2>
    <ul class="places">${seats.map((player) => html`<li key=${player}><strong>${name(sitting(substitutes, player))}</strong> <span class="number">${scores[player]}</span>${player === dealer && open && html` <span class="mark">${say("deals")}</span>`}</li>`)}</ul>
    <p>${open && round === 0 ? say("This match can't be read. Tell whoever runs the service.") : open ? say("Round {n} of {all}", { n: round, all: rounds }) : status === "abandoned" ? say("Abandoned.") : say("All rounds are played.")}</p>
    ${given.mayRecord && open && round > 0 && html`<p class="actions"><a class="button" href=${`/l/${given.league}/m/${match}/pad`}>${say("Score table {n}", { n: number })}</a></p>`}
  </section>`;
}

/** Whether some players have played more rounds than others, so that the totals don't explain the order. */
const isUneven = computed(() => new Set(standings.value.items.map((/** @type {any} */ { rounds }) => rounds)).size > 1);

/** Whether some stand behind others with the same total for each round. */
const winsDecide = computed(() => {
  const played = standings.value.items.filter((/** @type {any} */ { rounds }) => rounds > 0);
  return played.some((/** @type {any} */ each, /** @type {number} */ at) => {
    const before = played[at - 1];
    return before !== undefined && before.rank < each.rank && before.total * each.rounds === each.total * before.rounds;
  });
});

const Leaders = () => html`<div class="leaders"><table><caption>${say("Leaders")}</caption><tbody>
  ${standings.value.items.map((/** @type {any} */ each) => html`<tr key=${each.player}><th scope="row">${each.rank}. ${name(each.player)}</th><td class="number">${each.total}</td>${isUneven.value && html`<td class="number">${each.rounds > 0 && (each.total / each.rounds).toFixed(2)}</td>`}</tr>`)}
</tbody></table>
  ${isUneven.value && html`<p class="hint">${say("In the order of the total for each round played.")}</p>`}
  ${winsDecide.value && html`<p class="hint">${say("Where equal, rounds won decide first.")}</p>`}</div>`;

function Next() {
  const { next, substitutes } = board.value;
  if (next === null) return null;
  const title = say("Next: segment {n}", { n: next.segment });
  const pair = (/** @type {string[]} */ team) => team.map((player, at) => html`${at > 0 && " + "}<bdi>${name(sitting(substitutes, player))}</bdi>`);
  const at = (/** @type {{table: number, teams: string[][]}} */ each) => {
    const [pad, text] = [padOfNext(each), say("Table {n}:", { n: each.table })];
    return pad === null ? text : html`<a href=${pad}>${text}</a>`;
  };
  const who = (/** @type {string[][]} */ teams) => teams.map((team, at) => html`${at > 0 && " : "}${pair(team)}`);
  return html`<section aria-label=${title}><h2>${title}</h2>
    <ul>${next.tables.map((each) => html`<li key=${each.table}>${at(each)} ${who(each.teams)}</li>`)}</ul>
    ${next.byes.length > 0 && html`<p>${say("Then rests: {names}", { names: all(next.byes.map((player) => sitting(substitutes, player))) })}</p>`}
  </section>`;
}

function Hall() {
  const { segment, segments, tables, byes, substitutes } = board.value;
  const { champions } = standings.value;
  const silence = since.value;
  // The own table comes first, so that it is seen on a phone without scrolling.
  const ordered = [...tables.filter(isOwn), ...tables.filter((table) => !isOwn(table))];
  return html`<p role="status" class="silence">${shut.value ? say("This device is not let in any more: ask for a new code.") : silence && say("No connection since {time}", { time: times.format(silence) })}</p>
    <${WhereDoISit} />
    <div class="now"><p>${say("Segment {segment} of {segments}", { segment, segments })}</p>
    ${byes.length > 0 && html`<p>${say("Rests in this segment: {names}", { names: all(byes.map((player) => sitting(substitutes, player))) })}</p>`}
    ${champions.length > 0 && html`<p class="notice">★ ${count(champions.length, "Champion: {names}", "Champions: {names}", { names: all(champions) })}</p>`}</div>
    <div class="tables">${ordered.map((table) => html`<${At} key=${table.match} table=${table} />`)}</div>
    <div class="beside"><${Leaders} /><${Next} /></div>`;
}

/** Read the board and the standings again. */
const refresh = reader(async () => {
  const [shown, leading, { items }] = await Promise.all([
    ask(`${tournament}/board`),
    ask(`${tournament}/standings?limit=${given.leaders}`),
    ask(`${league}/players?limit=1000`),
  ]);
  // Somebody may sit in who was not in the league when the page was opened, and names may be changed or erased.
  names.value = { ...names.value, ...Object.fromEntries(items.map((/** @type {any} */ { player, name }) => [player, name ?? player])) };
  board.value = shown;
  standings.value = leading;
});

/** What the page shows of each match, as text. It does not change with every card that is played. @type {Map<string, string>} */
const seen = new Map();

/** @param {any} match a scoreboard */
function changed(match) {
  const shown = JSON.stringify([match.players, match.dealer, match.round, match.totals, match.status, match.substitutes]);
  if (!match.match.startsWith(`${given.tournament}-s`) || seen.get(match.match) === shown) return;
  seen.set(match.match, shown);
  void refresh();
}

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
render(html`<${Hall} />`, root);
follow(league, {
  begun: () => void refresh(),
  resync: () => void refresh(),
  state: changed,
  entry: ({ tournament: changed, entry }) => {
    if (changed === given.tournament || entry.type === "name_erased") void refresh();
  },
  silent: (when) => {
    since.value = when;
    root.classList.toggle("silent", when !== null);
  },
  shut: () => {
    shut.value = true;
    root.classList.add("silent");
  },
});
