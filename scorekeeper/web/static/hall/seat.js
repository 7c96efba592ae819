// @ts-check
/** The seat of a person, now and in the next segment. */
import { own } from "../core/given.js";

/**
 * @typedef {{table: number, match: string, seats: string[], dealer: string | null, round: number, rounds: number,
 *   scores: Record<string, number>, status: string, substitutes?: Record<string, string>}} Table
 * @typedef {{segment: number, tables: {table: number, teams: string[][]}[], byes: string[]}} Next
 * @typedef {{segment: number, segments: number, tables: Table[], byes: string[], next: Next | null,
 *   substitutes?: Record<string, string>}} Board
 */

/** Who sits for a player: the substitute, or the player. @param {Record<string, string> | undefined} substitutes @param {string} player */
export const sitting = (substitutes, player) => own(substitutes, player) ?? player;

/**
 * @param {Board} board
 * @param {string} person
 * @returns {{table: Table, partner: string, left: string, right: string, deals: boolean} | null} the people around the person, as they
 *   sit, substitutes included; null if the person has a bye, or if the match at the table is over
 */
export function seatNow(board, person) {
  for (const table of board.tables) {
    const around = table.seats.map((player) => sitting(table.substitutes, player));
    const at = around.indexOf(person);
    if (at < 0 || table.status !== "open") continue;
    const beside = (/** @type {number} */ steps) => /** @type {string} */ (around[(at + steps) % around.length]);
    // Clockwise: the next seat is to the left.
    return { table, partner: beside(2), left: beside(1), right: beside(3), deals: table.seats[at] === table.dealer };
  }
  return null;
}

/** Return whether a next table can begin, since nobody at it is still playing. @param {Board} board @param {string[][]} teams */
export function isFree(board, teams) {
  const playing = new Set(board.tables.filter(({ status }) => status === "open").flatMap(({ seats }) => seats));
  return !teams.flat().some((player) => playing.has(player));
}

/**
 * @param {Board} board
 * @param {string} person
 * @returns {{table: number, teams: string[][], partner: string, opponents: string[]} | null} null if the person does not play in the next segment
 */
export function seatNext(board, person) {
  for (const { table, teams } of board.next?.tables ?? []) {
    const people = teams.map((team) => team.map((player) => sitting(board.substitutes, player)));
    const own = people.find((team) => team.includes(person));
    if (own === undefined) continue;
    const partner = own.find((each) => each !== person) ?? person;
    return { table, teams, partner, opponents: people.filter((team) => team !== own).flat() };
  }
  return null;
}
