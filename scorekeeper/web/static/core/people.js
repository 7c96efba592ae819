// @ts-check
/** Names of people, and of the substitutes who sit in for them. */
import { Refused, Unreachable, ask } from "./api.js";
import { given, own } from "./given.js";
import { say } from "./words.js";
import { html, signal } from "../vendor/preact.js";

const names = signal(given.names);

/** @param {string} player */
export const name = (player) => own(names.value, player) ?? player;

/** A player's name, with that of the substitute if there is one. @param {any} board @param {string} player */
export function seat({ substitutes }, player) {
  const substitute = own(substitutes, player);
  return substitute ? say("{substitute} for {name}", { substitute: name(substitute), name: name(player) }) : name(player);
}

/**
 * The substitute of a player, as a small line in a button. The button's accessible name stays that of the player, whom the log knows.
 * @param {any} board @param {string} player
 */
export const sitting = ({ substitutes }, player) => own(substitutes, player) && html`<small aria-hidden="true">${name(substitutes[player])}</small>`;

/** The winners of a match. @param {{board: any}} props */
export const Winners = ({ board }) => board.winners.map((/** @type {string} */ player) => html`★ <bdi>${seat(board, player)}</bdi> `);

/** Fetch the names of substitutes whom the page does not know yet. @param {any} board */
export async function meet({ substitutes }) {
  for (const each of Object.values(substitutes ?? {})) {
    if (own(names.value, each)) continue;
    try {
      const found = await ask(given.key.replace(/matches.*/, `players/${each}`));
      names.value = { ...names.value, [each]: found.name ?? each };
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    }
  }
}
