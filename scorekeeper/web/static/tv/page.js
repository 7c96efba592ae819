// @ts-check
import { ask } from "../core/api.js";
import { Card, face } from "../core/cards.js";
import { count, given, language, listed, own, say } from "../core/given.js";
import { follow } from "../core/live.js";
import { meet, name, seat } from "../core/people.js";
import { reader } from "../core/reading.js";
import { effect, html, render, signal } from "../vendor/preact.js";

/** Longer names are set in smaller type. */
const LONG = 24;

const title = document.querySelector("h1")?.textContent;
const board = signal(given.board);
const last = signal(given.last);
/** How many rounds each side has won, under its first player. */
const sidesWon = signal(given.sidesWon);
const since = signal(/** @type {Date | null} */ (null));
const shut = signal(false);
const times = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

/** A total as a share of the target, or of the highest total without a target, from 0 to 100. @param {number} total */
function share(total) {
  const { scoring, totals } = board.value;
  const whole = scoring.target ?? Math.max(1, .../** @type {number[]} */ (Object.values(totals)));
  return Math.max(0, Math.min(100, (100 * total) / whole));
}

/** @param {{player: string}} props */
function Row({ player }) {
  const { totals, turn, hand_counts: counts, pending, winners, dealer, eliminated, status } = board.value;
  const owed = pending.filter((/** @type {any} */ debt) => debt.player === player);
  const cards = counts?.[player] ?? null;
  const called = seat(board.value, player);
  return html`<tr class=${winners.includes(player) ? "won" : turn === player ? "turn" : ""}>
    <th scope="row" class=${called.length > LONG ? "long" : ""}>${called}
      ${winners.includes(player) && html`<span class="star"> ★<span class="aside"> ${say("won")}</span></span>`}
      ${eliminated.includes(player) && html` <span class="mark soft">${say("out")}</span>`}
      ${turn === player && html` <span class="mark">${say("on turn")}</span>`}
      ${status === "open" && dealer === player && html` <span class="mark soft">${say("deals")}</span>`}
      ${owed.map((/** @type {any} */ debt) => html` <span class="mark warn">${say("owes {n}", { n: debt.count })}</span>`)}
    </th>
    <td class="number held">${cards !== null && count(cards, "{n} card", "{n} cards")}</td>
    <td class="number total">${totals[player]}</td>
    <td class="bar" aria-hidden="true"><svg viewBox="0 0 100 6" preserveAspectRatio="none"><rect width=${share(totals[player])} height="6" /></svg></td>
  </tr>`;
}

/** @param {string[]} names */
const wentOut = (names) => (names.length > 0 ? count(names.length, "{names} went out.", "{names} went out together.", { names: names.join(" + ") }) : "");

function Table() {
  const { players, hand_counts: counts, top_card: top, color, direction, phase } = board.value;
  if (phase === "showing_hands") return html`<p class="middle">${wentOut(players.filter((/** @type {string} */ player) => counts?.[player] === 0).map((/** @type {string} */ player) => seat(board.value, player)))}</p>`;
  if (phase !== "playing" || top === null) return null;
  const called = own(given.cards, top) ?? top;
  return html`<p class="middle"><${Card} card=${top} name=${called} />
    ${face(top).color === null && html`<span>${called}</span>`}
    <span>${color && face(top).color !== color ? say("colour {color}", { color: given.colors[color] ?? color }) : ""}</span>
    <span>${given.directions[direction]}</span></p>`;
}

function Last() {
  const round = last.value;
  if (!round) return null;
  const scores = Object.entries(round.scores).filter(([, score]) => score !== 0);
  return html`<p class="last"><strong>${say("Round {n}", { n: round.round })}</strong> ${wentOut(round.winners.map((/** @type {string} */ player) => name(own(round.substitutes, player) ?? player)))}${" "}
    ${scores.map(([player, score]) => html`<span class="score"><bdi>${name(player)}</bdi> ${score}</span>`)}</p>`;
}

/** The teams, which never change. */
const Partners = () => given.board.teams && html`<p class="partners">${given.board.teams.map((/** @type {any} */ { players }, /** @type {number} */ at) =>
  html`${at > 0 && " · "}${players.map((/** @type {string} */ player, /** @type {number} */ side) => html`${side > 0 && " + "}<bdi>${name(player)}</bdi>`)}`)}</p>`;

/** The teams, or each player alone. @returns {string[][]} */
const sides = () => board.value.teams?.map((/** @type {any} */ team) => team.players) ?? board.value.players.map((/** @type {string} */ player) => [player]);

/** Where totals stay 0 the rounds decide. */
function RoundsWon() {
  if (board.value.scoring.mode !== "first-out") return null;
  return html`<p class="soft">${say("Points do not count here: whoever goes out wins the round.")}</p>
    <p class="last"><strong>${say("Rounds won")}</strong>${" "}
    ${sides().map((side) => html`<span class="score">${side.map((player, at) => html`${at > 0 && " + "}<bdi>${seat(board.value, player)}</bdi>`)} ${sidesWon.value[String(side[0])]}</span>`)}</p>`;
}

/** The table has no caption, since one that is out of the flow keeps it from growing in WebKit. */
function Board() {
  const { phase, players, round, scoring, status, winners } = board.value;
  const silence = since.value;
  // While a round is played, the rounds that are over are one fewer than its number.
  const howFar = phase === "ready" || phase === "over" ? count(round, "{n} round", "{n} rounds") : say("Round {n}", { n: round });
  return html`<h1>${title} <span class="soft">${howFar}${scoring.target === null ? "" : ` · ${say("to {n} points", { n: scoring.target })}`}</span></h1>
    <${Partners} />
    <table class="scores" aria-label=${say("Scores")}>
      <tbody>${players.map((/** @type {string} */ player) => html`<${Row} key=${player} player=${player} />`)}</tbody></table>
    <${RoundsWon} />
    ${status === "open" ? html`<${Table} />` : null}
    <div aria-live="polite">${winners.length > 0 && html`<p class="last star">★ ${say("Won by {names}", { names: listed(winners.map(name)) })}</p>`}${status === "abandoned" && html`<p class="last">${say("Abandoned.")}</p>`}<${Last} /></div>
    ${given.house.length > 0 && html`<p class="soft">${given.house.map((/** @type {string[]} */ [label, variant]) => say("{label}: {variant}", { label: String(label), variant: String(variant) })).join(" · ")}</p>`}
    <p role="status" class="silence">${shut.value ? say("This device is not let in any more: ask for a new code.") : silence && say("No connection since {time}", { time: times.format(silence) })}</p>`;
}

const readLast = reader(async () => {
  const { items } = await ask(`${given.key}/rounds?limit=1000`);
  const ended = items.filter((/** @type {any} */ round) => round.status === "ended");
  last.value = ended.at(-1) ?? null;
  // Partners who go out together win one round, while the board counts it for each of them.
  sidesWon.value = Object.fromEntries(sides().map((side) => [side[0], ended.filter((/** @type {any} */ { winners }) => side.some((player) => winners.includes(player))).length]));
});

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
render(html`<${Board} />`, root);
effect(() => meet(board.value));
follow(given.key, {
  state: (now) => {
    const before = board.value;
    if (now.version < before.version) return;
    board.value = now;
    if (now.round !== before.round || now.amendments !== before.amendments || now.phase !== before.phase) void readLast();
  },
  resync: () => void (board.value = { ...board.value, version: 0 }),
  silent: (when) => {
    since.value = when;
    root.classList.toggle("silent", when !== null);
  },
  shut: () => {
    shut.value = true;
    root.classList.add("silent");
  },
});
