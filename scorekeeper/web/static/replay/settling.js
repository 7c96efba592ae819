// @ts-check
/** The replay for people who may record: with disputes, "What if", amendments and rulings. */
import "./page.js";
import { given } from "../core/given.js";
import { html, render } from "../vendor/preact.js";
import { Asking } from "./asking.js";
import { SAID, notice } from "./steps.js";

render(html`<${Asking} />`, /** @type {HTMLElement} */ (document.getElementById("asking")));
if (given.may === "own" && document.querySelector("[data-dispute]")) void import("./rulings.js");
if ("switched" in sessionStorage) void import("./reopening.js");
notice.value = sessionStorage.getItem(SAID) ?? "";
sessionStorage.removeItem(SAID);
