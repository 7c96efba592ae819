// @ts-check
/** The offers: what the match needs to be told next, and the controls for it. */
import { count, given, own, say } from "../core/given.js";
import { name, seat, sitting } from "../core/people.js";
import { CardButton, Picker, chosen, nameOf } from "../core/picker.js";
import { html, useSignal } from "../vendor/preact.js";
import { isBegun, isOpen, listed, toggle } from "./draft.js";
import { Uno } from "./effects.js";
import { CARDS, Colors, Count, HowMany, Listed, Person } from "./parts.js";
import { board, lay, leftWith, seated, tell } from "./state.js";

/**
 * What the match needs to be told next, the most urgent first.
 * @typedef {{kind: "start" | "dealer" | "first" | "color" | "draw" | "give" | "play" | "hand", player: string, count: number, clause?: string}} Offer
 * @param {any} board
 * @returns {Offer[]}
 */
export function offers(board) {
  const { phase, pending: owed } = board;
  if (phase === "over") return [];
  if (phase === "ready") return [{ kind: board.dealer === null ? "dealer" : "start", player: board.dealer ?? "", count: 0 }];
  if (board.color_pending !== null) return [{ kind: "color", player: board.color_pending, count: 0 }, ...owed];
  if (phase === "turning") return [{ kind: "first", player: board.dealer ?? "", count: 0 }];
  if (phase === "showing_hands") {
    const awaited = board.awaiting_hands.map((/** @type {string} */ player) => ({ kind: "hand", player, count: 0 }));
    return [...owed, ...awaited.slice(0, 1)];
  }
  return [...owed, { kind: "play", player: board.turn, count: 0 }];
}

const DEALT = "dealt-";

/** The id of an offer's title, by which buttons of one name in several offers are told apart; and the place of its cards. @param {Offer} offer */
export const titleOf = ({ kind, player }) => `${kind}-${player}`;

/** Tell an event with the cards that are listed at a place, if any are. @param {any} event @param {string} place */
function tellWithCards(event, place) {
  const cards = listed(place);
  void tell({ ...event, ...(cards.length > 0 ? { cards } : {}) });
}

/** The dealt hands that somebody has listed, as a field of `round_started`. */
function dealtHands() {
  const hands = board.value.players.map((/** @type {string} */ player) => [player, listed(DEALT + player)]);
  const known = hands.filter((/** @type {[string, string[]]} */ [, cards]) => cards.length > 0);
  return known.length > 0 ? { hands: Object.fromEntries(known) } : {};
}

/** Listing the dealt hands that are known, each behind a button. It is open at once if the page found hands that are half listed. */
const Dealt = () => html`<details open=${useSignal(isBegun()).value}><summary>${say("List the cards dealt")}</summary>
  ${seated().map((player) => html`<div key=${player}>
    <button type="button" class="plain" aria-expanded=${isOpen(DEALT + player)} onClick=${() => toggle(DEALT + player)}>${say("{name}'s hand", { name: name(player) })}</button>
    ${isOpen(DEALT + player) && html`<${Listed} place=${DEALT + player} />`}</div>`)}</details>`;

const Dealer = () => html`<div role="group" aria-label=${say("Who deals?")} class="who"><h2>${say("Who deals?")}</h2>
  ${seated().map((player) => html`<button type="button" key=${player} onClick=${() => tell({ type: "round_started", dealer: player, ...dealtHands() })}>${name(player)}${sitting(board.value, player)}</button>`)}</div><${Dealt} />`;

/** @param {{offer: Offer}} props */
function Start({ offer }) {
  const start = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const dealer = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("dealer");
    void tell({ type: "round_started", ...(dealer === offer.player ? {} : { dealer }), ...dealtHands() });
  };
  return html`<form onSubmit=${start}><${Person} label=${say("Dealer")} name="dealer" of=${seated()} first=${offer.player} />
    <button>${say("Start round")}</button></form><${Dealt} />`;
}

/** @param {{offer: Offer}} props */
const First = ({ offer }) => html`<h2 id=${titleOf(offer)}>${say("Which card is turned up?")}</h2>
  <${Picker} cards=${CARDS} label=${say("Colour")} onPick=${(/** @type {string} */ card) => tell({ type: "first_card_turned", card })} />`;

/** The next card most likely has the named colour. @param {{offer: Offer}} props */
const Color = ({ offer }) => html`<h2 id=${titleOf(offer)}>${say("{name} names a colour", { name: seat(board.value, offer.player) })}</h2>
  <${Colors} label=${say("Named colour")} onPick=${(/** @type {string} */ color) => tell({ type: "color_named", player: offer.player, color: (chosen.value = color) })} />`;

/** @param {{offer: Offer}} props */
function Draw({ offer }) {
  const { player, count: owed, clause } = offer;
  const top = board.value.top_card;
  const place = titleOf(offer);
  // An answer is possible only as long as the card that asks for the draw lies on top.
  const isHit = own(given.edition.hits, top)?.includes(clause);
  const answers = isHit && board.value.phase === "playing" && board.value.color_pending === null ? given.edition.answers[top] : [];
  const challenges = isHit && top === "wild-draw-four" && !given.edition.lacks.includes("wild_draw_four_challenged");
  return html`<h2 id=${titleOf(offer)}>${count(owed, "{name} owes {n} card", "{name} owes {n} cards", { name: seat(board.value, player) })}</h2>
    ${isOpen(place) && html`<${Listed} place=${place} />`}
    <p class="actions"><button type="button" onClick=${() => tellWithCards({ type: "cards_drawn", player, count: owed }, place)}>${say("Draw")}</button>
      ${!isOpen(place) && html`<button type="button" class="plain" onClick=${() => toggle(place)}>${say("Name the cards")}</button>`}
      ${challenges && html`<button type="button" class="plain" onClick=${() => tell({ type: "wild_draw_four_challenged", by: player })}>${say("Challenge")}</button>`}</p>
    ${answers.length > 0 && html`<h3>${say("Lay on it")}</h3><div class="cards" role="group" aria-label=${say("Lay on it")}>${answers.map((/** @type {string} */ card) =>
      html`<${CardButton} key=${card} card=${card} label=${say("Answer with {card}", { card: nameOf(card) })} onClick=${() => lay(player, card)} />`)}</div>
      <${HowMany} player=${player} />${leftWith(player) === 1 && html`<${Uno} player=${player} />`}`}`;
}

/** @param {{offer: Offer}} props */
function Give({ offer }) {
  const { player } = offer;
  const to = seated().find((each) => each !== player);
  const give = (/** @type {string | undefined} */ card) => tell({ type: "card_given", player, to, card });
  return html`<h2 id=${titleOf(offer)}>${say("{name} gives a card", { name: seat(board.value, player) })}</h2><${Picker} cards=${CARDS} label=${say("Colour")} onPick=${give} />
    <p class="actions"><button type="button" class="plain" onClick=${() => give(undefined)}>${say("Nobody saw which")}</button></p>`;
}

/** @param {{offer: Offer}} props */
function Play({ offer }) {
  const { player } = offer;
  const place = titleOf(offer);
  const naming = isOpen(place);
  return html`<h2 id=${titleOf(offer)}>${say("{name} is on turn", { name: seat(board.value, player) })}</h2>
    ${given.edition.draws_on && html`<p class="hint">${say("Drawing goes on until a card can be played.")}</p>`}
    ${!naming && html`<${HowMany} player=${player} />`}
    ${!naming && leftWith(player) === 1 && html`<${Uno} player=${player} />`}
    ${naming
      ? html`<h3>${say("Which card was drawn?")}</h3><${Listed} place=${place} />`
      : html`<${Picker} cards=${CARDS} label=${say("Colour")} onPick=${(/** @type {string} */ card) => lay(player, card)} />`}
    <p class="actions"><button type="button" onClick=${() => tellWithCards({ type: "cards_drawn", player }, place)}>${say("Draw")}</button>
      ${!naming && html`<button type="button" class="plain" onClick=${() => tell({ type: "turn_passed", player })}>${say("Pass")}</button>`}
      <button type="button" class="plain" onClick=${() => toggle(place)}>${naming ? say("Never mind") : say("Name the drawn card")}</button></p>`;
}

/** @param {{offer: Offer}} props */
function Hand({ offer }) {
  const { player } = offer;
  const place = titleOf(offer);
  const counted = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const points = Number(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("points"));
    void tell({ type: "hand_counted", player, points });
  };
  return html`<h2 id=${titleOf(offer)}>${say("{name}'s hand", { name: name(player) })}</h2><${Listed} place=${place} />
    <p class="actions"><button type="button" disabled=${listed(place).length === 0} onClick=${() => tell({ type: "hand_shown", player, cards: listed(place) })}>${say("Show hand")}</button></p>
    <form class="row" onSubmit=${counted}><${Count} label=${say("Points of {name}", { name: name(player) })} name="points" needed /><button class="plain">${say("Only the points")}</button></form>`;
}

/** @type {Record<Offer["kind"], (props: {offer: Offer}) => unknown>} */
const CONTROLS = { dealer: Dealer, start: Start, first: First, color: Color, draw: Draw, give: Give, play: Play, hand: Hand };

/** @param {{offer: Offer}} props */
export const Asked = ({ offer }) => html`<section class="asked" aria-labelledby=${titleOf(offer)}><${CONTROLS[offer.kind]} offer=${offer} /></section>`;
