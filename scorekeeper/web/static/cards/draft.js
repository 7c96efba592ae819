// @ts-check
/** What is being put together and not told yet: cards that are listed, a card that is to be laid with what it did. */
import { batch, signal } from "../vendor/preact.js";

/**
 * A card that is laid, with what it did. `how`: what else the event says of the play.
 * @typedef {{player: string, card: string, effects: Record<string, any>[], how: Record<string, unknown>}} Laying
 */

/** Cards by the place where they are listed. */
const lists = signal(/** @type {Record<string, string[]>} */ ({}));
/** The places that are open for listing. */
const opened = signal(/** @type {string[]} */ ([]));
/** Whether UNO is called with the card that is laid next; null: nobody says. */
export const uno = signal(/** @type {boolean | null} */ (null));
/** How many of a card are laid at once. */
export const several = signal(1);
export const laying = signal(/** @type {Laying | null} */ (null));
/** Where the effects of a card are listed card by card. */
export const EFFECT = "effect";
/** Rises whenever something was recorded, so that forms begin anew. */
export const begun = signal(0);

/** @param {string} place @returns {string[]} */
export const listed = (place) => lists.value[place] ?? [];

/** @param {string} place @param {string[]} cards */
export const list = (place, cards) => void (lists.value = { ...lists.value, [place]: cards });

/** @param {string} place */
export const isOpen = (place) => opened.value.includes(place);

/** @param {string} place */
export const toggle = (place) =>
  void (opened.value = isOpen(place) ? opened.value.filter((each) => each !== place) : [...opened.value, place]);

/** Begin anew: what was put together is recorded. */
export function clear() {
  batch(() => {
    lists.value = {};
    opened.value = [];
    uno.value = null;
    several.value = 1;
    laying.value = null;
    begun.value += 1;
  });
}

/** The card is not laid after all, and did nothing. */
export function takeUp() {
  batch(() => {
    list(EFFECT, []);
    laying.value = null;
  });
}
