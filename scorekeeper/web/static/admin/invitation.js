// @ts-check
/**
 * Shows the last invitation again after a reload, as long as it is valid. Its code is stored only in the state of this tab's history
 * entry; the service has only its hash.
 */
import { count } from "../core/given.js";
import { leaveWord } from "../core/leaving.js";

/** @typedef {{invitation: string, code: string, url: string, box: string, paths: Record<string, string>[]}} Made */

const SVG = "http://www.w3.org/2000/svg";
/** The place in the tab's storage where a page leaves the invitation for the next one. */
const MADE = "invitation";
const section = /** @type {HTMLElement} */ (document.getElementById("invitation"));

/** @param {string} selector @returns {any} */
const part = (selector) => section.querySelector(selector);

/** Read the invitation from the page. @param {string} invitation @returns {Made} */
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

/** @param {Made} kept @param {number} left how many devices it still admits */
function show({ code, url, box, paths }, left) {
  const picture = drawn("svg", { class: "qr", viewBox: box });
  picture.append(...paths.map((path) => drawn("path", path)));
  part(".code-image").replaceChildren(picture);
  part(".code").textContent = code;
  part(".hint").textContent = count(left, "Scan the picture, or open this address and type the code. It lets in {n} device within a day.", "Scan the picture, or open this address and type the code. It lets in {n} devices within a day.");
  part("a").href = part("a").textContent = url;
  section.hidden = false;
}

/** How many devices an invitation still admits, read from the page's list. @param {string} invitation */
const left = (invitation) => Number(document.querySelector(`button[data-end="${invitation}"]`)?.closest("tr")?.querySelector(".number")?.textContent);

/** Remove the invitation from the page if it is the one that was ended. @param {string | undefined} invitation */
export function hide(invitation) {
  if (history.state?.made?.invitation !== invitation) return;
  history.replaceState(null, "");
  section.hidden = true;
}

/**
 * Keep an invitation for reloads. In most browsers a reload fetches the page after that, and does not send the form again. WebKit would
 * send it each time and make another invitation, so there the page is fetched at once.
 * @param {Made} now
 */
function keep(now) {
  history.replaceState({ made: now }, "");
  if (!navigator.vendor.startsWith("Apple")) return;
  leaveWord(sessionStorage, MADE, JSON.stringify(now));
  if (sessionStorage.getItem(MADE)) location.replace(location.href);
}

const { invitation } = section.dataset;
const handed = invitation ? null : sessionStorage.getItem(MADE);
if (handed) {
  sessionStorage.removeItem(MADE);
  history.replaceState({ made: JSON.parse(handed) }, "");
}
const kept = /** @type {Made | undefined} */ (history.state?.made);
if (invitation) keep(made(invitation));
else if (kept && left(kept.invitation) > 0) {
  show(kept, left(kept.invitation));
  if (handed) part("h2").focus();
} else if (kept) hide(kept.invitation);
