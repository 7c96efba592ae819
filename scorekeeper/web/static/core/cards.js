// @ts-check
/** How cards are drawn. Each colour has a shape of its own, so that nobody needs to see colours. */
import { html } from "../vendor/preact.js";

/** Paths in a box of 24 by 24. @type {Record<string, string>} */
const SHAPES = {
  red: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  yellow: "M12 3 22 20H2Z",
  green: "M4 4h16v16H4Z",
  blue: "M12 2 22 12 12 22 2 12Z",
  pink: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6Z",
  orange: "M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.3 5.8 21l1.6-7L2 9.3l7.1-.7Z",
};

/** An object without a prototype, since a table may have an extra card called `constructor`. @type {any} */
const SIGNS = { __proto__: null, "draw-two": "+2", wild: "W", "wild-draw-four": "+4", "red-ribbon": "R" };

/** Signs that some fonts lack, as paths in a box of 24 by 24. @type {any} */
const DRAWN = {
  __proto__: null,
  reverse: "M7 3v4h11v3H7v4L2 8.5ZM17 10v4H6v3h11v4l5-5.5Z",
  skip: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 3c1.5 0 2.9.5 4 1.3L6.3 16A7 7 0 0 1 12 5Zm0 14c-1.5 0-2.9-.5-4-1.3L17.7 8A7 7 0 0 1 12 19Z",
};

/** The names of the cards that have a colour. All others are wild, whatever they are called. */
const COLORED = /^(red|yellow|green|blue|pink|orange)-(\d|reverse|skip|draw-two)$/;

/**
 * @typedef {{color: string | null, sign: string}} Face `sign`: the large sign in the middle of the card
 * @param {string} card
 * @returns {Face}
 */
export function face(card) {
  const [, color = null, symbol = card] = COLORED.exec(card) ?? [];
  return { color, sign: SIGNS[symbol] ?? (symbol.length > 2 && !(symbol in DRAWN) ? initials(symbol) : symbol) };
}

/** @param {string} name */
const initials = (name) => name.split("-").map((part) => part.charAt(0).toUpperCase()).join("");

/** The large sign of a card: a drawing, or text that the style sheet adds, so that it is not part of the card's accessible name. @param {{sign: string}} props */
export const Sign = ({ sign }) =>
  DRAWN[sign] ? html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${DRAWN[sign]} fill="currentColor" /></svg>` : html`<span data-sign=${sign} />`;

/** @param {{color: string}} props */
export const Shape = ({ color }) =>
  html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true"><path d=${SHAPES[color]} fill="currentColor" /></svg>`;

/** A card that is no button. @param {{card: string, name: string}} props */
export function Card({ card, name }) {
  const { color, sign } = face(card);
  return html`<span class=${`face c-${color ?? "wild"}`} role="img" aria-label=${name}>
    <${Sign} sign=${sign} />${color && html`<${Shape} color=${color} />`}
  </span>`;
}
