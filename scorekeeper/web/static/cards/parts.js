// @ts-check
/** Parts of the controls: choosing people, cards, colours and numbers. */
import { Shape } from "../core/cards.js";
import { count, given, say } from "../core/given.js";
import { name } from "../core/people.js";
import { CardButton, COLORS, Picker, nameOf } from "../core/picker.js";
import { html } from "../vendor/preact.js";
import { how, list, listed, tellHow } from "./draft.js";
import { board } from "./state.js";

const EXTRA = Object.keys(given.board.options.extra_cards ?? {});
export const CARDS = [...Object.keys(given.edition.cards), ...EXTRA];

/** A list of cards: each is added by a tap, and put back by a tap. The picker above it stays where it is under a finger that taps on. @param {{place: string, label?: string}} props */
export function Listed({ place, label = say("Colour") }) {
  const cards = listed(place);
  const putBack = (/** @type {number} */ at) => list(place, cards.filter((_, each) => each !== at));
  return html`<${Picker} cards=${CARDS} label=${label} onPick=${(/** @type {string} */ card) => list(place, [...cards, card])} />
    <div class="hand">${cards.map((card, at) => html`<${CardButton} key=${`${card}-${at}`} card=${card}
      label=${say("Put back {card}", { card: nameOf(card) })} onClick=${() => putBack(at)} />`)}</div>
    <p class="aside" aria-live="polite">${count(cards.length, "{n} card", "{n} cards")}</p>`;
}

/** @param {{label: string, onPick: (color: string) => void}} props */
export const Colors = ({ label, onPick }) => html`<div role="group" aria-label=${label} class="colors">${COLORS.map((color) => html`<button type="button" key=${color}
  class=${`c-${color}`} aria-label=${given.edition.colors[color]} onClick=${() => onPick(color)}><${Shape} color=${color} /></button>`)}</div>`;

/**
 * @param {{label: string, name: string, of: string[], first?: string, onChange?: (player: string) => void}} props
 *   `first`: who is chosen at first
 */
export const Person = ({ label, name: field, of, first, onChange }) => html`<label>${label}<select name=${field}
  onChange=${(/** @type {any} */ event) => onChange?.(event.target.value)}>
  ${of.map((player) => html`<option value=${player} selected=${player === first}>${name(player)}</option>`)}</select></label>`;

/** How many identical cards are laid in one play, if house rules allow several. @param {{player: string}} props */
export const HowMany = ({ player }) => given.edition.several > 1 && html`<label>${say("How many")}<input type="number" inputmode="numeric" min="1"
  max=${Math.min(given.edition.several, board.value.hand_counts?.[player] ?? 1)} value=${how(player).several || ""}
  onInput=${(/** @type {any} */ event) => tellHow(player, { several: event.target.valueAsNumber || 0 })} /></label>`;

/** @param {{label: string, name: string, needed?: boolean, least?: number}} props */
export const Count = ({ label, name: field, needed = false, least = 0 }) =>
  html`<label>${label}<input name=${field} type="number" inputmode="numeric" min=${least} max="10000" required=${needed} /></label>`;
