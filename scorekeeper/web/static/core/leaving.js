// @ts-check
/** Words that a page leaves in the browser, for after a reload or for another page. */

/**
 * Leave a word. A device without free space leaves nothing, and the page goes on without it.
 * @param {Storage} storage @param {string} place @param {string} word
 */
export function leaveWord(storage, place, word) {
  try {
    storage.setItem(place, word);
  } catch {
    // What was done counts nevertheless, and the word would only have been a convenience.
  }
}
