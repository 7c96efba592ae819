// @ts-check
/** The controls for what the state asks for. */
import { Shape } from "../core/cards.js";
import { given } from "../core/given.js";
import { CardButton, COLORS, Picker, nameOf } from "../core/picker.js";
import { count, say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { board, tell } from "./state.js";

/** @typedef {import("./offers.js").Offer} Offer */

export const CARDS = [...Object.keys(given.edition.deck), ...Object.keys(given.board.options.extra_cards ?? {})];
/** Cards of a hand, or of a draw, that are being listed. */
const listed = signal(/** @type {string[]} */ ([]));
const listing = signal(false);
/** UNO is called with the card that is laid next. */
const uno = signal(false);

/** @param {string} player */
export const name = (player) => given.names[player] ?? player;

/** @param {any} event */
function tellListed(event) {
  const cards = listed.value;
  listed.value = [];
  listing.value = false;
  void tell({ ...event, ...(cards.length > 0 ? { cards } : {}) });
}

/** @param {string} player @param {string} card */
function lay(player, card) {
  const called = uno.value ? { uno: true } : {};
  uno.value = false;
  void tell({ type: "card_played", player, card, ...called });
}

/** @param {{label: string}} props */
function Listed({ label }) {
  const put = (/** @type {number} */ place) => (listed.value = listed.value.filter((_, each) => each !== place));
  return html`<div class="hand">${listed.value.map((card, place) => html`<${CardButton} key=${`${card}-${place}`} card=${card}
      label=${say("Put back {card}", { card: nameOf(card) })} onClick=${() => put(place)} />`)}</div>
    <${Picker} cards=${CARDS} label=${label} onPick=${(/** @type {string} */ card) => (listed.value = [...listed.value, card])} />`;
}

const Dealer = () => html`<div role="group" aria-label=${say("Who deals?")} class="who"><h2>${say("Who deals?")}</h2>
  ${board.value.players.map((/** @type {string} */ player) => html`<button type="button" key=${player} onClick=${() => tell({ type: "round_started", dealer: player })}>${name(player)}</button>`)}</div>`;

/** @param {{offer: Offer}} props */
const Start = ({ offer }) => html`<p>${say("{name} deals.", { name: name(offer.player) })}</p>
  <p class="actions"><button type="button" onClick=${() => tell({ type: "round_started" })}>${say("Start round")}</button></p>`;

const First = () => html`<h2>${say("Which card is turned up?")}</h2>
  <${Picker} cards=${CARDS} label=${say("Colour")} onPick=${(/** @type {string} */ card) => tell({ type: "first_card_turned", card })} />`;

/** @param {{offer: Offer}} props */
const Color = ({ offer }) => html`<h2>${say("{name} names a colour", { name: name(offer.player) })}</h2>
  <div role="group" aria-label=${say("Named colour")} class="colors">${COLORS.map((color) => html`<button type="button" key=${color} class=${`c-${color}`}
    aria-label=${given.edition.names.colors[color]} onClick=${() => tell({ type: "color_named", player: offer.player, color })}><${Shape} color=${color} /></button>`)}</div>`;

/** @param {{offer: Offer}} props */
function Draw({ offer }) {
  const { player, count: owed } = offer;
  return html`<h2>${count(owed, "{name} owes {n} card", "{name} owes {n} cards", { name: name(player) })}</h2>
    ${listing.value && html`<${Listed} label=${say("Colour")} />`}
    <p class="actions"><button type="button" onClick=${() => tellListed({ type: "cards_drawn", player, count: owed })}>${say("Draw")}</button>
      ${!listing.value && html`<button type="button" class="plain" onClick=${() => (listing.value = true)}>${say("Name the cards")}</button>`}</p>`;
}

/** @param {{offer: Offer}} props */
const Give = ({ offer }) => html`<h2>${say("{name} gives a card", { name: name(offer.player) })}</h2>
  <${Picker} cards=${CARDS} label=${say("Colour")} onPick=${(/** @type {string} */ card) => tell({ type: "card_given", player: offer.player, to: board.value.players.find((/** @type {string} */ each) => each !== offer.player), card })} />`;

/** @param {{offer: Offer}} props */
function Play({ offer }) {
  const { player } = offer;
  const two = board.value.hand_counts?.[player] === 2;
  return html`<h2>${say("{name} is on turn", { name: name(player) })}</h2>
    ${two && html`<label class="check"><input type="checkbox" role="switch" checked=${uno.value} onChange=${() => (uno.value = !uno.value)} />${say("{name} calls UNO with it", { name: name(player) })}</label>`}
    <${Picker} cards=${CARDS} label=${say("Colour")} onPick=${(/** @type {string} */ card) => lay(player, card)} />
    ${listing.value && html`<h3>${say("Which card was drawn?")}</h3><${Listed} label=${say("Colour of the drawn card")} />`}
    <p class="actions"><button type="button" onClick=${() => tellListed({ type: "cards_drawn", player })}>${say("Draw")}</button>
      <button type="button" class="plain" onClick=${() => tell({ type: "turn_passed", player })}>${say("Pass")}</button>
      ${!listing.value && html`<button type="button" class="plain" onClick=${() => (listing.value = true)}>${say("Name the drawn card")}</button>`}</p>`;
}

/** @param {{offer: Offer}} props */
function Hand({ offer }) {
  const { player } = offer;
  return html`<h2>${say("{name}'s hand", { name: name(player) })}</h2><${Listed} label=${say("Colour")} />
    <p class="actions"><button type="button" disabled=${listed.value.length === 0} onClick=${() => tellListed({ type: "hand_shown", player })}>${say("Show hand")}</button></p>`;
}

/** @type {Record<Offer["kind"], (props: {offer: Offer}) => unknown>} */
const CONTROLS = { dealer: Dealer, start: Start, first: First, color: Color, draw: Draw, give: Give, play: Play, hand: Hand };

/** @param {{offer: Offer}} props */
export const Asked = ({ offer }) => html`<section class="asked"><${CONTROLS[offer.kind]} offer=${offer} /></section>`;
