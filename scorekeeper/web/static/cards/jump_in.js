// @ts-check
/** Jumping in, a house rule: a card that is identical to the top card may be laid out of turn. */
import { given, say } from "../core/given.js";
import { name, sitting } from "../core/people.js";
import { html } from "../vendor/preact.js";
import { isOpen, laying, toggle } from "./draft.js";
import { board, lay, seated } from "./state.js";

const PLACE = "jump-in";

/** Return whether the top card is the one that was turned up, since nobody has laid a card yet. */
function isTurnedUp() {
  const { hand_counts: counts, draw_pile_count: pile } = board.value;
  const held = /** @type {number[]} */ (Object.values(counts));
  return given.edition.size - pile - 1 === held.reduce((all, each) => all + each) && held.every((each) => each === held[0]);
}

/** Every player may jump in, also one who owes cards for the top card, and the one who laid it. */
export function JumpIn() {
  const { phase, top_card: top, color_pending: pending } = board.value;
  if (phase !== "playing" || top === null || pending !== null || laying.value !== null || given.edition.alone.includes(top) || isTurnedUp()) return null;
  return html`<p class="actions"><button type="button" class="plain" aria-expanded=${isOpen(PLACE)} onClick=${() => toggle(PLACE)}>${say("Jump in")}</button></p>
    ${isOpen(PLACE) && html`<div role="group" class="who" aria-label=${say("Who jumps in?")}><h2>${say("Who jumps in?")}</h2>
      ${seated().map((player) => html`<button type="button" key=${player} onClick=${() => lay(player, top, { jump_in: true })}>${name(player)}${sitting(board.value, player)}</button>`)}</div>`}`;
}
