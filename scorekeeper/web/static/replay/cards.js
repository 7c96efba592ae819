// @ts-check
/** The cards of the box, extra cards included. */
import { given } from "../core/given.js";

/** @type {string[]} */
export const CARDS = [...Object.keys(given.edition.cards), ...given.extra];
