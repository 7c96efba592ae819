// @ts-check
/** What a person is putting together before it is told: lists of cards, and a card with its effects. */
import { own } from "../core/given.js";
import { batch, signal } from "../vendor/preact.js";

/**
 * A card that is laid, with its effects. `more`: further fields of the event.
 * @typedef {{player: string, card: string, effects: Record<string, any>[], more: Record<string, unknown>}} Laying
 */

/** The listed cards by place. A place is a name for one list on the page. */
const lists = signal(/** @type {Record<string, string[]>} */ ({}));
/** The places whose lists are open. */
const opened = signal(/** @type {string[]} */ ([]));
/**
 * How a player's next card is laid. `uno`: whether UNO is called with it, if somebody says so or denies it. `several`: how many are laid
 * at once, 0 while the field is empty. Two players may be asked for a card at the same time: one who may answer a draw, and the next one.
 * @typedef {{uno?: boolean | undefined, several: number}} How
 */
const hows = signal(/** @type {Record<string, How>} */ ({}));
export const laying = signal(/** @type {Laying | null} */ (null));
/** What survives a reload. */
export const kept = [lists, opened, hows, laying];
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

/** @param {string} player @returns {How} */
export const how = (player) => own(hows.value, player) ?? { several: 1 };

/** @param {string} player @param {Partial<How>} more */
export const tellHow = (player, more) => void (hows.value = { ...hows.value, [player]: { ...how(player), ...more } });

/** Whether something is put together that is not told yet. */
export const isBegun = () => laying.value !== null || Object.values(lists.value).flat().length > 0;

/** Empty everything after it was recorded. */
export function clear() {
  batch(() => {
    lists.value = {};
    opened.value = [];
    hows.value = {};
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
  const left = (/** @type {string[]} */ ...places) => !places.some((place) => gone.includes(place));
  const stays = (/** @type {string | undefined} */ player) => left(`play-${player}`, `draw-${player}`);
  batch(() => {
    lists.value = Object.fromEntries(Object.entries(lists.value).filter(([place]) => left(place)));
    opened.value = opened.value.filter((place) => left(place));
    hows.value = Object.fromEntries(Object.entries(hows.value).filter(([player]) => stays(player)));
    if (!stays(laying.value?.player)) takeUp();
  });
}
