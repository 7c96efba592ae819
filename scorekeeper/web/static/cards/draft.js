// @ts-check
/** What a person is putting together before it is told: lists of cards, and a card with its effects. */
import { batch, signal } from "../vendor/preact.js";

/**
 * A card that is laid, with its effects. `how`: further fields of the event.
 * @typedef {{player: string, card: string, effects: Record<string, any>[], how: Record<string, unknown>}} Laying
 */

/** The listed cards by place. A place is a name for one list on the page. */
const lists = signal(/** @type {Record<string, string[]>} */ ({}));
/** The places whose lists are open. */
const opened = signal(/** @type {string[]} */ ([]));
/** Whether UNO is called with the next card; null if nobody says so or denies it. */
export const uno = signal(/** @type {boolean | null} */ (null));
/** How many of a card are laid at once. */
export const several = signal(1);
export const laying = signal(/** @type {Laying | null} */ (null));
/** What survives a reload. */
export const kept = [lists, opened, uno, several, laying];
/** The place for the cards of an effect. */
export const EFFECT = "effect";
/** Rises whenever something was recorded, so that forms are emptied. */
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

/** Whether something is put together that is not told yet. */
export const isBegun = () => laying.value !== null || Object.values(lists.value).flat().length > 0;

/** Empty everything after it was recorded. */
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

/** Drop the card that was to be laid, and its effects. */
export function takeUp() {
  batch(() => {
    list(EFFECT, []);
    laying.value = null;
  });
}

/** Drop what was begun in answer to questions that nobody asks any more: another phone has answered them. @param {string[]} gone their places */
export function dropAnswers(gone) {
  if (gone.length === 0) return;
  batch(() => {
    lists.value = Object.fromEntries(Object.entries(lists.value).filter(([place]) => !gone.includes(place)));
    opened.value = opened.value.filter((place) => !gone.includes(place));
    uno.value = null;
    several.value = 1;
    if (["play", "draw"].some((kind) => gone.includes(`${kind}-${laying.value?.player}`))) takeUp();
  });
}
