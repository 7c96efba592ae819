// @ts-check
/** The table at a step: the card on top, whose turn it is, and every hand. */
import { Card, face } from "../core/cards.js";
import { count, given, own, say } from "../core/given.js";
import { html } from "../vendor/preact.js";
import { shown } from "./steps.js";

const { cards, colors } = given.edition;

/** @param {string} player */
export const name = (player) => own(given.names, player) ?? player;

/** A player's name, with that of the substitute if there is one. @param {string} player */
function seat(player) {
  const substitute = own(given.substitutes, player);
  return substitute ? say("{substitute} for {name}", { substitute: name(substitute), name: name(player) }) : name(player);
}

/** @param {string} card */
export const called = (card) => own(cards, card)?.name ?? card;

/** @param {{player: string}} props */
function Hand({ player }) {
  const { since, table, then } = shown.value;
  // The first step has every hand, and the others have its hands or newer ones.
  const [known] = /** @type {[string[], number | null]} */ (then[player]);
  const [found, left] = /** @type {[string[], number | null]} */ (since[player]);
  const turn = table.turn === player;
  return html`<tr class=${turn && "turn"}>
    <th scope="row">${seat(player)}${turn && html` <span class="hint">${say("on turn")}</span>`}</th>
    <td><span class="held">${known.map((card, place) => html`<${Card} key=${`${card}-${place}`} card=${card} name=${called(card)} />`)}
      ${found.length > 0 && html`<span class="since" role="group" aria-label=${say("Found out later")}>${found.map((card, place) => html`<${Card} key=${`${card}-${place}`} card=${card} name=${called(card)} />`)}</span>`}
      ${left === null ? html`<span class="hint">${say("number unknown")}</span>` : left > 0 && html`<span class="hint">${count(left, "{n} unknown card", "{n} unknown cards")}</span>`}</span></td></tr>`;
}

function Middle() {
  const { top_card: top, color, direction, draw_pile_count: pile } = shown.value.table;
  if (top === null) return null;
  return html`<p class="middle"><${Card} card=${top} name=${called(top)} /><span>${called(top)}${color && face(top).color !== color ? ` · ${colors[color] ?? color}` : ""}</span>
    <span class="hint">${given.directions[direction]}${pile === null ? "" : ` · ${count(pile, "{n} card in the pile", "{n} cards in the pile")}`}</span></p>`;
}

export function Table() {
  const { since, table, then } = shown.value;
  const later = Object.values(since).some(([cards]) => cards.length);
  // Of a round that was told as a whole nobody knows a hand: rows that all say so would push the step itself off a phone.
  const known = later || table.turn || Object.values(then).some(([cards, others]) => cards.length || others);
  return html`<${Middle} />${known && html`<table class="held-hands"><caption class="aside">${say("Hands")}</caption><tbody>${Object.keys(then).map((player) => html`<${Hand} key=${player} player=${player} />`)}</tbody></table>`}
    ${later && html`<p class="hint"><span class="since" aria-hidden="true"> </span> ${say("in dashes: found out later")}</p>`}`;
}
