// @ts-check
import { Card } from "../core/cards.js";
import { keepAwake } from "../core/device.js";
import { given } from "../core/given.js";
import { follow } from "../core/live.js";
import { nameOf } from "../core/picker.js";
import { count, say } from "../core/words.js";
import { html, render } from "../vendor/preact.js";
import { Asked, name } from "./asked.js";
import { More } from "./more.js";
import { leftOf, offers } from "./offers.js";
import * as round from "./state.js";

function Hands() {
  const { players, totals, turn, hand_counts: counts, winners } = round.board.value;
  return html`<table class="scores"><caption class="aside">${say("Scores")}</caption><tbody>
    ${players.map((/** @type {string} */ player) => html`<tr key=${player} class=${turn === player ? "turn" : ""}><th scope="row">${name(player)}${winners.includes(player) ? " ★" : ""}${turn === player ? ` · ${say("on turn")}` : ""}</th>
      <td class="number">${counts ? count(counts[player], "{n} card", "{n} cards") : ""}</td><td class="number">${totals[player]}</td></tr>`)}
  </tbody></table>`;
}

function Middle() {
  const { top_card: top, color, direction, phase, draw_pile_count: pile } = round.board.value;
  if (top === null || phase === "over" || phase === "ready") return null;
  return html`<p class="middle"><${Card} card=${top} name=${nameOf(top)} /><span>${nameOf(top)}${color ? ` · ${given.edition.names.colors[color] ?? color}` : ""}</span>
    <span class="hint">${direction === "clockwise" ? say("clockwise") : say("counter-clockwise")}${pile === null ? "" : ` · ${count(pile, "{n} card in the pile", "{n} cards in the pile")}`}</span></p>`;
}

/** What the service said to the last event, and the two taps by which it stands as played. */
function Answer() {
  if (round.notice.value === "" && round.violations.value.length === 0) return html`<p role="status" class="state">${round.recorded.value ? say("Recorded.") : ""}</p>`;
  const edition = round.board.value.edition;
  return html`<div role="alert" class="trouble">
    ${round.violations.value.length > 0
      ? round.violations.value.map((violation) => html`<p>${violation.message} <a href=${`/e/${edition}#${violation.clause}`}>${violation.clause}</a></p>`)
      : html`<p>${round.notice.value}</p>`}
    ${round.held.value && html`<p class="actions">
      ${round.violations.value.length > 0
        ? html`<button type="button" onClick=${() => round.tellAsPlayed()}>${say("It was played so")}</button>`
        : html`<button type="button" onClick=${() => round.tellAgain()}>${say("Try again")}</button>`}
      <button type="button" class="plain" onClick=${round.forget}>${say("Never mind")}</button></p>`}
  </div>`;
}

/** The calls of a running round, one tap each where there is nobody to choose. */
function Calls() {
  const { phase, hand_counts: counts, players, turn, top_card: top, pending } = round.board.value;
  if (phase !== "playing" || counts === null) return null;
  const one = players.filter((/** @type {string} */ player) => counts[player] === 1);
  const challenger = top === "wild-draw-four" ? pending.find((/** @type {any} */ debt) => debt.kind === "draw")?.player : undefined;
  return html`<p class="actions">${one.map((/** @type {string} */ player) => html`<button type="button" class="plain" aria-label=${one.length === 1 ? say("UNO") : say("UNO, {name}", { name: name(player) })}
        onClick=${() => round.tell({ type: "uno_called", player })}>${say("UNO")} ${name(player)}</button>
      <button type="button" class="plain" aria-label=${one.length === 1 ? say("Caught") : say("Caught, {name}", { name: name(player) })}
        onClick=${() => round.tell({ type: "uno_caught", player, by: turn === player ? leftOf(round.board.value, player) : turn })}>${say("Caught")} ${name(player)}</button>`)}
    ${challenger && html`<button type="button" class="plain" onClick=${() => round.tell({ type: "wild_draw_four_challenged", by: challenger })}>${say("Challenge")}</button>`}</p>`;
}

function Page() {
  const asked = offers(round.board.value);
  return html`<h1>${round.board.value.match}</h1><${Answer} /><${Hands} /><${Middle} />
    ${asked.map((offer) => html`<${Asked} key=${`${offer.kind}-${offer.player}-${round.board.value.version}`} offer=${offer} />`)}
    ${round.board.value.status !== "open" && html`<p class="notice">${say("The match is over.")}</p>`}
    <${Calls} /><${More} />
    <p class="foot"><button type="button" class="plain" onClick=${() => round.undo()}>${say("Take back")}</button></p>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
render(html`<${Page} />`, root);
follow(given.key, { state: round.show, silent: (since) => void (round.notice.value = since === null ? "" : say("No connection")) });
keepAwake(() => round.board.value.status === "open");
