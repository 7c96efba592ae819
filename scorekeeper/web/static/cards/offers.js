// @ts-check
/** What the match needs to be told next, the most urgent first. */

/**
 * @typedef {{kind: "start" | "dealer" | "first" | "color" | "draw" | "give" | "play" | "hand", player: string, count: number, clause?: string}} Offer
 * @param {any} board
 * @returns {Offer[]}
 */
export function offers(board) {
  const { phase } = board;
  if (phase === "over") return [];
  if (phase === "ready") return [{ kind: board.dealer === null ? "dealer" : "start", player: board.dealer ?? "", count: 0 }];
  const owed = board.pending.map((/** @type {any} */ debt) => ({ kind: debt.kind, player: debt.player, count: debt.count, clause: debt.clause }));
  if (board.color_pending !== null) return [{ kind: "color", player: board.color_pending, count: 0 }, ...owed];
  if (phase === "turning") return [{ kind: "first", player: board.dealer ?? "", count: 0 }];
  if (phase === "showing_hands") {
    const awaited = board.awaiting_hands.map((/** @type {string} */ player) => ({ kind: "hand", player, count: 0 }));
    return [...owed, ...awaited.slice(0, 1)];
  }
  return [...owed, { kind: "play", player: board.turn, count: 0 }];
}

/** The next player to the left who is not eliminated. @param {any} board @param {string} player */
export function leftOf(board, player) {
  const place = board.players.indexOf(player);
  const others = [...board.players.slice(place + 1), ...board.players.slice(0, place)];
  return others.find((each) => !board.eliminated.includes(each));
}
