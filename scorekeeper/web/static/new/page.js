// @ts-check
import { ask } from "../core/api.js";
import { leave, onSend } from "../core/form.js";
import { given, say } from "../core/given.js";
import { chosen, follow } from "../core/house_rules.js";
import { keyOf } from "../core/keys.js";
import { keep } from "../core/switching.js";
import { computed, effect, html, render, signal } from "../vendor/preact.js";
import { warn } from "./running.js";
import { move, opposite } from "./seats.js";

const MODES = () => ({
  "winner-collects": [say("Winner collects"), say("Who goes out scores all other hands; 500 wins.")],
  "lowest-total": [say("Lowest total"), say("Everybody's own hand counts; at 500 the lowest total wins.")],
  "plus-minus": [say("Plus and minus"), say("Who goes out scores all other hands, the others lose their own.")],
  elimination: [say("Elimination"), say("Whose hands exceed 500 is out; the last one wins.")],
  "first-out": [say("First out"), say("One round; who goes out wins, without points.")],
});
const WITH_TEAMS = ["winner-collects", "lowest-total", "first-out"];

/** What was chosen before the language was switched, or else for the last match. @type {Record<string, any> | null} */
const last = keep("match", opening) ?? given.last;
const people = Object.keys(given.names);
const edition = signal(last?.edition ?? given.editions[0].edition);
const mode = signal(last?.scoring.mode ?? modeOf(edition.value));
/** The effect of the question block, in the table's own words. */
const agreed = signal(last?.agreed ?? "");
const rounds = signal(last?.scoring.rounds ?? 5);
/** Clockwise. @type {import("../vendor/preact.js").Signal<string[]>} */
const seats = signal((last?.players ?? people.slice(0, 10)).filter((/** @type {string} */ player) => people.includes(player)));
const teams = signal(Boolean(last?.teams));
/** The last change of a seat, for screen readers. */
const seated = signal("");
const mayPlay = computed(() => seats.value.length >= 2 && seats.value.length <= 10);
const mayTeam = computed(() => WITH_TEAMS.includes(mode.value) && seats.value.length % 2 === 0 && seats.value.length > 2);

/** What is chosen, but for the house rules. @returns {Record<string, any>} */
function opening() {
  return { edition: edition.value, players: seats.value, teams: teams.value, scoring: { mode: mode.value, rounds: rounds.value }, agreed: agreed.value };
}

/** @param {string} id */
function named(id) {
  return given.editions.find((/** @type {any} */ each) => each.edition === id);
}

/** @param {string} id */
function modeOf(id) {
  return named(id).mode;
}

/** @param {string} player */
function toggle(player) {
  const there = seats.value.includes(player);
  seats.value = there ? seats.value.filter((each) => each !== player) : [...seats.value, player];
}

function Choices() {
  return html`<label>${say("Edition")}<select value=${edition.value} onChange=${(/** @type {any} */ event) => {
      edition.value = event.target.value;
      mode.value = modeOf(edition.value);
    }}>${given.editions.map((/** @type {any} */ each) => html`<option value=${each.edition}>${each.name}</option>`)}</select></label>
    <label>${say("Scoring")}<select aria-describedby="scored" value=${mode.value} onChange=${(/** @type {any} */ event) => (mode.value = event.target.value)}>
      ${Object.entries(MODES()).map(([id, [name]]) => html`<option value=${id}>${name}</option>`)}</select></label>
    <p class="hint" id="scored">${/** @type {Record<string, string[]>} */ (MODES())[mode.value]?.[1]}</p>
    ${mode.value === "plus-minus" && html`<label>${say("Rounds")}<input type="number" min="1" max="1000" required value=${rounds.value}
      onInput=${(/** @type {any} */ event) => (rounds.value = event.target.valueAsNumber)} /></label>`}
    ${named(edition.value).agrees && html`<label>${say("What the question block does")}<input aria-describedby="agreed" maxlength="500" value=${agreed.value} autocomplete="off"
      onInput=${(/** @type {any} */ event) => (agreed.value = event.target.value)} /></label>
      <p class="hint" id="agreed">${say("As the table agrees on it; without a word it is a wild like any other.")}</p>`}`;
}

const People = () => html`<fieldset><legend>${say("Who plays?")}</legend>
  ${people.map((player) => html`<label class="check" key=${player}><input type="checkbox" checked=${seats.value.includes(player)}
    onChange=${() => toggle(player)} />${given.names[player]}</label>`)}
  <p role="status" class="aside">${seated.value}</p></fieldset>`;

/** The seats can be dragged, or moved by buttons. A button at the end of its way stays focusable. */
function Seats() {
  const order = seats.value;
  const to = (/** @type {number} */ from, /** @type {number} */ where) => {
    const player = order[from];
    if (player === undefined || order[where] === undefined) return;
    seats.value = move(order, from, where);
    seated.value = say("{name}: seat {n} of {all}", { name: given.names[player], n: where + 1, all: order.length });
    // After rendering: keep the pressed button, which has moved, in sight of people who use a keyboard.
    setTimeout(() => document.activeElement?.scrollIntoView({ block: "nearest" }));
  };
  return html`<section aria-labelledby="seats"><h2 id="seats">${say("Seats, clockwise")}</h2>
    <ol class="seats">${order.map((player, place) => html`<li key=${player} draggable="true"
      onDragStart=${(/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", String(place))}
      onDragOver=${(/** @type {DragEvent} */ event) => event.preventDefault()}
      onDrop=${(/** @type {DragEvent} */ event) => {
        event.preventDefault();
        to(Number(event.dataTransfer?.getData("text/plain")), place);
      }}>
      <span>${given.names[player]}</span>
      <button type="button" class="plain" aria-disabled=${place === 0} aria-label=${say("{name} one seat earlier", { name: given.names[player] })} onClick=${() => to(place, place - 1)}>↑</button>
      <button type="button" class="plain" aria-disabled=${place === order.length - 1} aria-label=${say("{name} one seat later", { name: given.names[player] })} onClick=${() => to(place, place + 1)}>↓</button>
    </li>`)}</ol>
    ${mayTeam.value && html`<label class="check"><input type="checkbox" checked=${teams.value} onChange=${() => (teams.value = !teams.value)} />${say("Partners sit opposite and score together")}</label>`}
    ${mayTeam.value && teams.value && html`<p class="hint">${opposite(order).map((team, at) => html`${at > 0 && " · "}${team.map((player, side) => html`${side > 0 && " + "}<bdi>${given.names[player]}</bdi>`)}`)}</p>`}
  </section>`;
}

render(html`<${Choices} /><${People} /><${Seats} />`, /** @type {HTMLElement} */ (document.getElementById("root")));

const form = /** @type {HTMLFormElement} */ (document.getElementById("match"));
const start = /** @type {HTMLButtonElement} */ (form.querySelector("button:not([type=button])"));

/** Return a warning if so many cards are dealt that none is left to turn up, otherwise "". */
function tooManyDealt() {
  const { cards } = named(edition.value);
  const { hand_size: n } = { ...given.house.numbers[edition.value], ...chosen(form) };
  const people = seats.value.length;
  return n * people < cards ? "" : say("{n} cards for each of {people} people leave none to turn up: the box holds {cards}.", { n, people, cards });
}

const look = follow(form, tooManyDealt);
effect(() => {
  start.disabled = !mayPlay.value;
  for (const [name, number] of Object.entries(given.house.numbers[edition.value])) {
    form.querySelector(`[name="house.${name}"]`)?.setAttribute("placeholder", String(number));
  }
  look();
});

const isNew = warn(seats, mayPlay);
/** What was sent, maybe without an answer: what is new since then may be its own match. */
let sent = "";

onSend("match", async () => {
  const house = chosen(form);
  /** @type {Record<string, any>} */
  const body = { edition: edition.value, players: seats.value, scoring: { mode: mode.value } };
  if (mode.value === "plus-minus") body.scoring.rounds = rounds.value;
  if (teams.value && mayTeam.value) body.teams = opposite(seats.value);
  const words = agreed.value.trim();
  if (words !== "" && named(edition.value).agrees) body.options = { question_block: words };
  if (Object.keys(house).length > 0) body.house_rules = house;
  if (sent !== JSON.stringify(body) && (await isNew())) return;
  sent = JSON.stringify(body);
  const { match } = await ask(`/v1/leagues/${given.league}/matches`, { method: "POST", body, key: keyOf(sent) });
  await leave(`/l/${given.league}/m/${match}/pad`);
});
