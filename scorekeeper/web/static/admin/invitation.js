// @ts-check
/**
 * The invitation that was made last, shown again where its page is loaded again, while it is in force. Its code is kept in
 * this entry of this tab's history only; the service has no more than its hash.
 */
import { count } from "../core/words.js";

/** @typedef {{invitation: string, code: string, url: string, box: string, paths: Record<string, string>[]}} Made */

const SVG = "http://www.w3.org/2000/svg";
const section = /** @type {HTMLElement} */ (document.getElementById("invitation"));

/** @param {string} selector @returns {any} */
const part = (selector) => section.querySelector(selector);

/** @param {string} invitation @returns {Made} as the page has it */
function made(invitation) {
  const picture = /** @type {SVGElement} */ (part("svg"));
  const paths = [...picture.children].map((path) => Object.fromEntries([...path.attributes].map(({ name, value }) => [name, value])));
  return { invitation, code: part(".code").textContent, url: part("a").href, box: picture.getAttribute("viewBox") ?? "", paths };
}

/** @param {string} name @param {Record<string, string>} attributes */
function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [each, value] of Object.entries(attributes)) element.setAttribute(each, value);
  return element;
}

/** @param {Made} kept @param {number} left devices that it still lets in */
function show({ code, url, box, paths }, left) {
  const picture = drawn("svg", { class: "qr", viewBox: box });
  picture.append(...paths.map((path) => drawn("path", path)));
  part(".code-image").replaceChildren(picture);
  part(".code").textContent = code;
  part(".hint").textContent = count(left, "Scan the picture, or open this address and type the code. It lets in {n} device within a day.", "Scan the picture, or open this address and type the code. It lets in {n} devices within a day.");
  part("a").href = part("a").textContent = url;
  section.hidden = false;
}

/** How many devices it still lets in, as the page lists it. @param {string} invitation */
const left = (invitation) => Number(document.querySelector(`button[data-end="${invitation}"]`)?.closest("tr")?.querySelector(".number")?.textContent);

/** It was ended. @param {string | undefined} invitation */
export function hide(invitation) {
  if (history.state?.made?.invitation !== invitation) return;
  history.replaceState(null, "");
  section.hidden = true;
}

const kept = /** @type {Made | undefined} */ (history.state?.made);
const { invitation } = section.dataset;
// From here on loading the page again asks for it, and does not send the form another time.
if (invitation) history.replaceState({ made: made(invitation) }, "");
else if (kept && left(kept.invitation) > 0) show(kept, left(kept.invitation));
else if (kept) hide(kept.invitation);
