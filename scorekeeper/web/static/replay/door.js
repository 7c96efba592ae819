// @ts-check
/** Parts of the page whose code is loaded when they are first opened. */
import { isServed } from "../core/api.js";
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { notice } from "./steps.js";

/**
 * @param {string} path of the module. It is fetched before it is imported: a browser remembers a failed import as long as the page is open
 * @returns {{content: {value: any}, load: () => Promise<boolean>}} `content`: the rendered part, null before it is loaded. `load`: loads
 *   it, and resolves to whether that worked
 */
export function part(path) {
  const content = signal(/** @type {any} */ (null));
  return {
    content,
    async load() {
      try {
        if (content.value === null) {
          const { ok, url } = await fetch(new URL(path, import.meta.url));
          if (!ok) throw new Error();
          content.value = html`<${(await import(url)).Part} />`;
        }
      } catch {
        notice.value = (await isServed()) ? say("The service was renewed meanwhile. Open the page anew.") : say("No connection. Try again.");
      }
      return content.value !== null;
    },
  };
}
