// @ts-check
/** The button with which the browser checks an export. A browser that can't do so shows the command instead. */
import { given, say } from "../core/given.js";
import { Broken, checked } from "./bundle.js";

const button = document.getElementById("verify");
const result = document.getElementById("verified");

/** Return whether the browser can check signatures. Over plain HTTP there is no WebCrypto, and older browsers lack Ed25519. */
async function able() {
  try {
    return !!(await globalThis.crypto?.subtle?.generateKey("Ed25519", false, ["sign", "verify"]));
  } catch {
    return false;
  }
}

/** @param {string} text @param {"legal" | "illegal" | ""} verdict */
function tell(text, verdict = "") {
  if (result === null) return;
  result.textContent = text;
  result.className = `verdict ${verdict}`;
}

async function exported() {
  try {
    const answer = await fetch(`/v1/leagues/${given.league}/export`);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

async function verify() {
  if (button?.getAttribute("aria-disabled") === "true") return;
  button?.setAttribute("aria-disabled", "true");
  tell(say("Checking …"));
  const bundle = await exported();
  try {
    if (bundle === null) tell(say("The export did not arrive as a whole. Try again."), "illegal");
    else {
      const { size, root } = await checked(bundle);
      tell(say("✓ All of it holds: {n} entries, root {root}.", { n: size, root }), "legal");
    }
  } catch (error) {
    const where = error instanceof Broken ? error.where : "tar";
    tell(say("✗ This is not what was signed; the first fault is in {where}.", { where }), "illegal");
  } finally {
    button?.removeAttribute("aria-disabled");
  }
}

if (button !== null && (await able())) {
  button.hidden = false;
  button.addEventListener("click", verify);
}
