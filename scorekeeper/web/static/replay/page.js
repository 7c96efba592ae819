// @ts-check
import { given, language, say } from "../core/given.js";
import "../core/reload.js";
import { html, render, signal } from "../vendor/preact.js";
import { Controls, Marks, Share, follow } from "./controls.js";
import { begin, part } from "./door.js";
import { Table } from "./hands.js";
import { go } from "./steps.js";

/** @param {string} id */
const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const beside = part("../replay/beside.js");
const isBeside = signal(false);
const toggle = async () => void (isBeside.value = !isBeside.value && (await beside.load()));

/** The button "Side by side", which is there if the round was amended. */
const Beside = () => given.amended > 0 && html`<p class="actions"><button type="button" aria-pressed=${isBeside.value} onClick=${toggle}>${say("Side by side")}</button></p>
  ${isBeside.value && beside.content.value}`;

render(html`<${Table} />`, place("table"));
render(html`<${Controls} />`, place("controls"));
render(html`<${Beside} /><${Marks} /><${Share} />`, place("more"));
follow();
document.body.classList.add("stepped");
void begin("../replay/following.js");
go(Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? given.step));

const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
// The server writes times in the time zone of the installation. The browser knows the reader's own.
for (const each of document.querySelectorAll("time")) each.textContent = times.format(new Date(each.dateTime));
