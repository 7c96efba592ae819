// @ts-check
/** The replay for people who may record: with disputes, "What if", amendments and rulings. */
import "./page.js";
import { given } from "../core/given.js";
import { html, render } from "../vendor/preact.js";
import { Asking } from "./asking.js";
import { begin } from "./door.js";
import { SAID, notice } from "./steps.js";

render(html`<${Asking} />`, /** @type {HTMLElement} */ (document.getElementById("asking")));
if (given.may === "own" && document.querySelector("[data-dispute]")) void begin("../replay/rulings.js");
if ("switched" in sessionStorage) void begin("../replay/reopening.js");
notice.value = sessionStorage.getItem(SAID) ?? "";
sessionStorage.removeItem(SAID);
