// @ts-check
/** Seats around a table, clockwise. */

/**
 * Return the order with the element at `from` moved to `to`.
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
 * Return pairs of players who sit half a table apart.
 * @param {string[]} order an even number of people
 * @returns {string[][]}
 */
export function opposite(order) {
  const half = order.length / 2;
  return order.slice(0, half).map((player, place) => [player, order[place + half] ?? player]);
}
