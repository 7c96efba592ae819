// @ts-check
/** Choosing cards: one tap a colour, one tap a card. */
import { html, signal } from "../vendor/preact.js";
import { Shape, Sign, face } from "./cards.js";
import { given, own, say } from "./given.js";

/** @type {string[]} */
export const COLORS = Object.keys(given.edition.colors);
const WILD = "wild";
/** At first the colour that counts, if there is one: most cards that are laid have it. */
export const chosen = signal(/** @type {string} */ (given.board?.color ?? COLORS[0]));

/** @param {string} card */
export const nameOf = (card) => own(given.edition.cards, card)?.name ?? card;

/** @param {{card: string, label?: string, off?: boolean, current?: boolean, onClick: () => void}} props `current`: whether it is the chosen one of several */
export function CardButton({ card, label, off = false, current, onClick }) {
  const { color, sign } = face(card);
  return html`<button type="button" class=${`face c-${color ?? WILD}`} aria-label=${label ?? nameOf(card)} disabled=${off} aria-current=${current} onClick=${onClick}>
    <${Sign} sign=${sign} />${color && html`<${Shape} color=${color} />`}
  </button>`;
}

/** @param {{cards: string[], label: string, isOff?: (card: string) => boolean, onPick: (card: string) => void}} props */
export function Picker({ cards, label, isOff = () => false, onPick }) {
  const shown = cards.filter((card) => (face(card).color ?? WILD) === chosen.value);
  return html`<div class="colors" role="group" aria-label=${label}>
      ${COLORS.map((color) => html`<button type="button" key=${color} class=${`c-${color}`} aria-pressed=${chosen.value === color}
        aria-label=${given.edition.colors[color]} onClick=${() => (chosen.value = color)}><${Shape} color=${color} /></button>`)}
      <button type="button" class="c-wild" aria-pressed=${chosen.value === WILD} aria-label=${say("wild")} onClick=${() => (chosen.value = WILD)}>W</button>
    </div>
    <div class="cards" role="group" aria-label=${say("Cards")}>
      ${shown.map((card) => html`<${CardButton} key=${card} card=${card} off=${isOff(card)} onClick=${() => onPick(card)} />`)}
    </div>`;
}
