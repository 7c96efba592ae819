// @ts-check
/** Parts of the page whose code is loaded when they are first opened. */
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { notice } from "./steps.js";

/**
 * @param {() => Promise<{Part: any}>} load
 * @returns {{content: {value: any}, load: () => Promise<boolean>}} `content`: null until it is loaded; `load`: whether it is there
 */
export function part(load) {
  const content = signal(/** @type {any} */ (null));
  return {
    content,
    async load() {
      try {
        content.value ??= html`<${(await load()).Part} />`;
      } catch {
        notice.value = say("No connection. Try again.");
      }
      return content.value !== null;
    },
  };
}
