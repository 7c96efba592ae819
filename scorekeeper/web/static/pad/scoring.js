// @ts-check
/** Which hands a round asks for and what it scores, by the scoring of the match. This is shown before the round is saved, and never recorded. */

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Seven cards of fifty points. A hand is worth more only if something unusual happened. */
export const LIKELY_MOST = 350;

/** @param {any} board @param {string} player @returns {string[]} the player's team, or the player alone */
const side = (board, player) =>
  board.teams?.find((/** @type {any} */ team) => team.players.includes(player))?.players ?? [player];

/** The players who are not eliminated, in seating order. @param {any} board @returns {string[]} */
export const staying = (board) => board.players.filter((/** @type {string} */ player) => !board.eliminated.includes(player));

/**
 * The players whose hands count, in seating order.
 * @param {any} board @param {string[]} winners
 * @returns {string[]}
 */
export function counted(board, winners) {
  if (board.scoring.mode === "first-out" || winners.length === 0) return [];
  const others = staying(board).filter((player) => !winners.includes(player));
  if (board.scoring.team_scoring !== "opponents-hands" || board.teams === null) return others;
  const winning = winners.map((winner) => side(board, winner));
  const one = winning.every((team) => team[0] === winning[0]?.[0]);
  return one ? others.filter((player) => !winning[0]?.includes(player)) : others;
}

/**
 * The score of each player if the round is saved.
 * @param {any} board @param {string[]} winners @param {Record<string, number>} worth of each hand
 * @returns {Record<string, number>}
 */
export function brings(board, winners, worth) {
  const players = staying(board);
  const of = (/** @type {string[]} */ hands) => sum(hands.map((player) => (winners.includes(player) ? 0 : (worth[player] ?? 0))));
  const won = (/** @type {string} */ player) => side(board, player).some((each) => winners.includes(each));
  const outside = (/** @type {string} */ player) => players.filter((each) => !side(board, player).includes(each));
  /** @type {Record<string, (player: string) => number>} */
  const rules = {
    "winner-collects": (player) => (won(player) ? of(outside(player)) : 0),
    "lowest-total": (player) => of(side(board, player)),
    "plus-minus": (player) => (won(player) ? of(outside(player)) : -of([player])),
    elimination: (player) => of([player]),
    "first-out": () => 0,
  };
  return Object.fromEntries(players.map((player) => [player, rules[board.scoring.mode]?.(player) ?? 0]));
}
