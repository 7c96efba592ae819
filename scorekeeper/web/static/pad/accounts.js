// @ts-check
/** Two accounts of one round: the tally that was told here, and the round that is on record. */

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Whether both say the same: the same winners, and each hand with the same cards, or where one gives no cards, points.
 * @param {any} round as the service has it @param {import("../core/queue.js").Tap} tap as it was told here
 */
export function isSame(round, { event: tally, worth: told }) {
  if (round.status !== "ended" || [...round.winners].sort().join() !== [...tally.winners].sort().join()) return false;
  return Object.entries(tally.hands ?? {}).every(([player, hand]) => {
    const cards = round.hands?.[player]?.cards;
    if (hand.cards && cards) return [...hand.cards].sort().join() === [...cards].sort().join();
    return (round.hand_points?.[player] ?? 0) === told[player];
  });
}
