// @ts-check
/** Names of people, and of the substitutes who sit in for them. */
import { html, signal } from "../vendor/preact.js";
import { ask } from "./api.js";
import { given, own, say } from "./given.js";

const AGAIN_MS = 60_000;

const names = signal(given.names);
/** Rises when it is time to read the names again, whatever was told. */
const times = signal(0);
const again = () => void (document.hidden || times.value++);
setInterval(again, AGAIN_MS);
addEventListener("visibilitychange", again);

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

/** The round and the people whose names were read; "" after a failure. @type {string | undefined} */
let read;

/**
 * Read the names at the table again with each round and substitution, each minute, and when somebody looks at the page again: there may be new
 * ones, and others may be changed or erased, of which the live stream of a match tells nothing.
 * @param {any} board
 */
export function meet({ round, players, substitutes }) {
  const people = [...players, ...Object.values(substitutes ?? {})];
  const now = `${round} ${people} ${times}`;
  // The page begins with the names of its own board.
  read ??= now;
  if (read === now) return;
  read = now;
  // The league's address is two levels above that of the match.
  for (const each of people)
    ask(`${given.key}/../../players/${each}`).then(
      ({ name }) => void (names.value = { ...names.value, [each]: name ?? each }),
      () => void (read = ""),
    );
}
