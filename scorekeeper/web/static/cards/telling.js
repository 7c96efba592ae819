// @ts-check
/** The form for every event that the page does not offer by itself. */
import { isFilledIn } from "../core/filled.js";
import { given, say } from "../core/given.js";
import { name } from "../core/people.js";
import { Picker, nameOf } from "../core/picker.js";
import { html, signal } from "../vendor/preact.js";
import { begun, listed } from "./draft.js";
import { Uno } from "./effects.js";
import { CARDS, Count, HowMany, Listed, Person } from "./parts.js";
import { RUNNING, board, lay, leftWith, tell } from "./state.js";

const PLACE = "more";
const BETWEEN = ["ready", "showing_hands"];
const PLAYING = ["playing"];
const ALWAYS = [...RUNNING, "ready", "over"];

/** The phases in which each event can be told, and the fields of its form. @type {Record<string, [phases: string[], fields: string[]]>} */
const EVENTS = {
  card_played: [PLAYING, ["player", "card"]],
  cards_drawn: [[...PLAYING, "showing_hands"], ["player", "count", "cards"]],
  card_given: [PLAYING, ["player", "to", "one"]],
  turn_passed: [PLAYING, ["player"]],
  color_named: [["turning", ...PLAYING], ["player", "color"]],
  uno_called: [PLAYING, ["player"]],
  uno_caught: [PLAYING, ["player", "by"]],
  wild_draw_four_challenged: [[...PLAYING, "showing_hands"], ["by", "guilty", "hand"]],
  misplay_called: [PLAYING, ["by"]],
  advice_called: [PLAYING, ["player", "by"]],
  accusation_made: [PLAYING, ["by", "player"]],
  pile_reshuffled: [[...PLAYING, "showing_hands"], []],
  hand_shown: [RUNNING, ["player", "cards"]],
  hand_counted: [["showing_hands"], ["player", "points", "cards_left"]],
  dealer_drawn: [["ready"], ["draws"]],
  seats_changed: [BETWEEN, ["players"]],
  player_substituted: [BETWEEN, ["player", "substitute"]],
  round_voided: [RUNNING, ["reason", "redealt"]],
  match_closed: [BETWEEN, ["reason"]],
  match_abandoned: [[...RUNNING, "ready"], ["reason"]],
  dispute_opened: [ALWAYS, ["by", "round", "claim"]],
  note_added: [ALWAYS, ["text"]],
};

/** @type {() => Record<string, string>} */
const titles = () => ({
  card_played: say("A card is laid out of turn"),
  cards_drawn: say("Cards drawn"),
  card_given: say("A card is given"),
  turn_passed: say("Turn passed"),
  color_named: say("A colour is named"),
  uno_called: say("UNO called"),
  uno_caught: say("Caught without UNO"),
  wild_draw_four_challenged: say("Wild draw four challenged"),
  misplay_called: say("Misplay called"),
  advice_called: say("Advice called"),
  accusation_made: say("Accusation"),
  pile_reshuffled: say("Pile reshuffled"),
  hand_shown: say("Hand shown"),
  hand_counted: say("Hand counted"),
  dealer_drawn: say("Cards drawn for the deal"),
  seats_changed: say("Seats changed"),
  player_substituted: say("Somebody sits in"),
  round_voided: say("Round broken off"),
  match_closed: say("Match closed"),
  match_abandoned: say("Match abandoned"),
  dispute_opened: say("Dispute"),
  note_added: say("Note"),
});

const chosen = signal("note_added");
const player = signal("");

/** @param {{label: string, name: string, of: [string, string][]}} props */
const Choice = ({ label, name: field, of }) => html`<label>${label}<select name=${field}>${of.map(([value, said]) => html`<option value=${value}>${said}</option>`)}</select></label>`;

/** @param {string} label @param {string} field */
const Text = (label, field) => html`<label>${label}<input name=${field} required maxlength="500" /></label>`;

const people = () => board.value.players;
const outside = () => Object.keys(given.names).filter((each) => !people().includes(each));
/** @type {() => [string, string][]} */
const yesNo = () => [["true", say("Yes")], ["false", say("No")]];
/** @type {(first: string) => [string, string][]} */
const cards = (first) => [["", first], ...CARDS.map((card) => /** @type {[string, string]} */ ([card, nameOf(card)]))];

/**
 * The fields by name, each called with its place in the form. So of two people whom a form asks for, the second is another one at first.
 * @type {Record<string, (at: number) => unknown>}
 */
const FIELDS = {
  player: (at) => html`<${Person} label=${say("Who")} name="player" of=${people()} first=${people()[at]} onChange=${(/** @type {string} */ who) => (player.value = who)} />`,
  by: (at) => html`<${Person} label=${say("By whom")} name="by" of=${people()} first=${people()[at]} />`,
  to: (at) => html`<${Person} label=${say("To whom")} name="to" of=${people()} first=${people()[at]} />`,
  substitute: () => html`<${Person} label=${say("Who sits in")} name="substitute" of=${outside()} />`,
  card: () => html`<${HowMany} player=${player.value || people()[0]} />${leftWith(player.value || people()[0]) === 1 && html`<${Uno} player=${player.value || people()[0]} />`}<${Picker} cards=${CARDS} label=${say("Colour of the card")} onPick=${(/** @type {string} */ card) => lay(player.value || people()[0], card)} />`,
  one: () => html`<${Choice} label=${say("Card")} name="one" of=${cards(say("Nobody saw which"))} />`,
  cards: () => html`<${Listed} place=${PLACE} label=${say("Colour of these cards")} />`,
  hand: () => html`<p>${say("The cards that were left in the hand, if they were shown:")}</p><${Listed} place=${PLACE} label=${say("Colour of these cards")} />`,
  count: () => html`<${Count} label=${say("How many, where nobody names them")} name="count" least=${1} />`,
  cards_left: () => html`<${Count} label=${say("Number of cards")} name="cards_left" />`,
  points: () => html`<${Count} label=${say("Points")} name="points" needed />`,
  round: () => html`<${Count} label=${say("Round")} name="round" needed least=${1} />`,
  color: () => html`<${Choice} label=${say("Named colour")} name="color" of=${Object.entries(given.edition.colors)} />`,
  guilty: () => html`<${Choice} label=${say("Was it forbidden?")} name="guilty" of=${[["", say("The cards tell")], ...yesNo()]} />`,
  redealt: () => html`<${Choice} label=${say("Is it dealt again?")} name="redealt" of=${yesNo()} />`,
  draws: () => people().map((/** @type {string} */ each) => html`<${Choice} key=${each} label=${name(each)} name=${`draw-${each}`} of=${cards(say("did not draw"))} />`),
  players: () => people().map((/** @type {string} */ each, /** @type {number} */ seat) => html`<${Person} key=${each} label=${say("Seat {n}", { n: seat + 1 })} name="players" of=${people()} first=${each} />`),
  reason: () => Text(say("Reason"), "reason"),
  claim: () => Text(say("What is disputed?"), "claim"),
  text: () => Text(say("Text"), "text"),
};

/** Return what a field adds to the event; an empty field adds nothing. @param {string} field @param {FormData} fields @returns {Record<string, unknown>} */
function read(field, fields) {
  const text = String(fields.get(field) ?? "");
  const listing = listed(PLACE);
  if (field === "cards" || field === "hand") return listing.length > 0 ? { [field]: listing } : {};
  if (field === "draws") {
    const drawn = people().map((/** @type {string} */ each) => [each, fields.get(`draw-${each}`)]);
    return { draws: Object.fromEntries(drawn.filter((/** @type {[string, string]} */ [, card]) => card !== "")) };
  }
  if (field === "players") return { players: fields.getAll("players") };
  if (field === "one") return text === "" ? {} : { card: text };
  if (field === "count" && text === "") return { count: Math.max(1, listing.length) };
  if (text === "") return {};
  if (field === "guilty" || field === "redealt") return { [field]: text === "true" };
  return { [field]: ["points", "count", "cards_left", "round"].includes(field) ? Number(text) : text };
}

/** @param {string[]} fields */
const telling = (fields) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!isFilledIn(form)) return;
  const filled = new FormData(form);
  void tell(Object.assign({ type: chosen.value }, ...fields.map((field) => read(field, filled))));
};

/** What else an event needs besides its phase. @type {Record<string, () => boolean>} */
const NEEDS = { dealer_drawn: () => board.value.round === 0, player_substituted: () => outside().length > 0 };

/** @param {string} type */
const isHere = (type) => (EVENTS[type]?.[0] ?? []).includes(board.value.phase) && !given.edition.lacks.includes(type) && (NEEDS[type]?.() ?? true);

export function Form() {
  const types = Object.keys(EVENTS).filter(isHere);
  const type = types.includes(chosen.value) ? chosen.value : "note_added";
  const fields = EVENTS[type]?.[1] ?? [];
  const choose = (/** @type {any} */ event) => {
    chosen.value = event.target.value;
    player.value = "";
  };
  return html`<form onSubmit=${telling(fields)} key=${begun.value}>
    <label>${say("What happened?")}<select onChange=${choose}>${types.map((each) => html`<option value=${each} selected=${each === type}>${titles()[each]}</option>`)}</select></label>
    ${fields.map((field, at) => html`<div key=${`${type}-${field}`}>${FIELDS[field]?.(at)}</div>`)}
    ${!fields.includes("card") && html`<button disabled=${type === "hand_shown" && listed(PLACE).length === 0}>${say("Tell")}</button>`}</form>`;
}
