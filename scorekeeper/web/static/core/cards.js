// @ts-check
/** Cards as they are shown: a colour never stands alone, each has a shape of its own. */
import { html } from "../vendor/preact.js";

/** Paths in a box of 24 by 24. @type {Record<string, string>} */
export const SHAPES = {
  red: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  yellow: "M12 3 22 20H2Z",
  green: "M4 4h16v16H4Z",
  blue: "M12 2 22 12 12 22 2 12Z",
  pink: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6Z",
  orange: "M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.3 5.8 21l1.6-7L2 9.3l7.1-.7Z",
};

const SIGNS = { "draw-two": "+2", reverse: "⇄", skip: "⊘", wild: "W", "wild-draw-four": "W+4" };

/**
 * @typedef {{color: string | null, sign: string}} Face `sign`: what stands large on the card
 * @param {string} card
 * @returns {Face}
 */
export function face(card) {
  const color = Object.keys(SHAPES).find((each) => card.startsWith(`${each}-`)) ?? null;
  // The ribbon is a wild card, whatever its name begins with.
  if (card === "red-ribbon") return { color: null, sign: "R" };
  const rest = color === null ? card : card.slice(color.length + 1);
  const sign = /** @type {Record<string, string>} */ (SIGNS)[rest] ?? (rest.length > 2 ? initials(rest) : rest);
  return { color, sign };
}

/** @param {string} name */
const initials = (name) => name.split("-").map((part) => part.charAt(0).toUpperCase()).join("");

/** @param {{color: string}} props */
export const Shape = ({ color }) =>
  html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true"><path d=${SHAPES[color]} fill="currentColor" /></svg>`;

/** @param {{card: string, name: string}} props a card that only shows */
export function Card({ card, name }) {
  const { color, sign } = face(card);
  return html`<span class=${`face c-${color ?? "wild"}`} role="img" aria-label=${name}>
    <span data-sign=${sign} />${color && html`<${Shape} color=${color} />`}
  </span>`;
}
