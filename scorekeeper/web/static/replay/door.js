// @ts-check
/** Parts of the page whose code is loaded when they are first opened. */
import { isUpgraded } from "../core/api.js";
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { notice } from "./steps.js";

/**
 * @param {() => Promise<{Part: any}>} load imports the module
 * @returns {{content: {value: any}, load: () => Promise<boolean>}} `content`: the rendered part, null before it is loaded. `load`: loads
 *   it, and resolves to whether that worked
 */
export function part(load) {
  const content = signal(/** @type {any} */ (null));
  return {
    content,
    async load() {
      try {
        content.value ??= html`<${(await load()).Part} />`;
      } catch {
        notice.value = (await isUpgraded()) ? say("The service was renewed meanwhile. Open the page anew.") : say("No connection. Try again.");
      }
      return content.value !== null;
    },
  };
}
