// @ts-check
/** Seats around a table, clockwise. */

/**
 * The order with what stood at `from` moved to `to`.
 * @template T
 * @param {T[]} order
 * @param {number} from
 * @param {number} to
 * @returns {T[]}
 */
export function move(order, from, to) {
  const moved = [...order];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/**
 * Partners sit half a table apart.
 * @param {string[]} order an even number of people
 * @returns {string[][]}
 */
export function opposite(order) {
  const half = order.length / 2;
  return order.slice(0, half).map((player, place) => [player, order[place + half] ?? player]);
}
