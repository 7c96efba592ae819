// @ts-check
/** Parts of the page whose code is loaded later: when they are first opened, or beside the page. */
import { isServed, later } from "../core/api.js";
import { say } from "../core/given.js";
import { html, signal } from "../vendor/preact.js";
import { notice } from "./steps.js";

/**
 * @param {string} path of the module
 * @returns {{content: {value: any}, load: () => Promise<boolean>}} `content`: the rendered part, null before it is loaded. `load`: loads
 *   it, and resolves to whether that worked
 */
export function part(path) {
  const content = signal(/** @type {any} */ (null));
  return {
    content,
    async load() {
      try {
        content.value ??= html`<${(await later(path)).Part} />`;
      } catch {
        notice.value = (await isServed()) ? say("The service was renewed meanwhile. Open the page anew.") : say("No connection. Try again.");
      }
      return content.value !== null;
    },
  };
}

/**
 * Load a module that begins by itself: now, or once there is a connection again.
 * @param {string} path of the module @returns {Promise<any>}
 */
export const begin = (path) => later(path).catch(() => addEventListener("online", () => begin(path), { once: true }));
