// @ts-check
/** Registering people whose names are typed in, one a line. */
import { ask } from "./api.js";
import { keyOf } from "./keys.js";

/** @param {FormDataEntryValue | null} typed */
export const namesIn = (typed) => String(typed).split("\n").map((name) => name.trim()).filter(Boolean);

/**
 * Register each name as a player. After a failure the same call goes on with the others. Two equal names are two people.
 * @param {string} root the league's address
 * @param {string[]} names
 * @returns {Promise<string[]>} their slugs, in order
 */
export async function register(root, names) {
  const players = [];
  for (const [at, name] of names.entries()) {
    const before = names.slice(0, at).filter((each) => each === name).length;
    players.push((await ask(`${root}/players`, { method: "POST", body: { name }, key: keyOf(`${root} ${before} ${name}`) })).player);
  }
  return players;
}
