// @ts-check
/** People by their names, and who sits in for whom. */
import { Refused, Unreachable, ask } from "./api.js";
import { given, own } from "./given.js";
import { say } from "./words.js";
import { html, signal } from "../vendor/preact.js";

const names = signal(given.names);

/** @param {string} player */
export const name = (player) => own(names.value, player) ?? player;

/** Who sits where a player's score is kept. @param {any} board @param {string} player */
export function seat({ substitutes }, player) {
  const substitute = own(substitutes, player);
  return substitute ? say("{substitute} for {name}", { substitute: name(substitute), name: name(player) }) : name(player);
}

/**
 * Who sits on a player's seat, for a button, whose name stays the player's: the one that the log knows.
 * @param {any} board @param {string} player
 */
export const sitting = ({ substitutes }, player) => own(substitutes, player) && html`<small aria-hidden="true">${name(substitutes[player])}</small>`;

/** Whose match it is. @param {{board: any}} props */
export const Winners = ({ board }) => board.winners.map((/** @type {string} */ player) => html`★ <bdi>${seat(board, player)}</bdi> `);

/** Learn the names of substitutes who came since the page was opened. @param {any} board */
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
