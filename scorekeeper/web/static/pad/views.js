// @ts-check
/** The parts of the pad. */
import { count, given, say } from "../core/given.js";
import { name, seat, sitting } from "../core/people.js";
import { CardButton, Picker, nameOf } from "../core/picker.js";
import { html, signal, useEffect, useRef } from "../vendor/preact.js";
import { staying } from "./scoring.js";
import * as pad from "./state.js";

const open = signal(/** @type {string | null} */ (null));
const together = signal(false);
const CARDS = Object.keys(pad.box);
/** Whether there is a card by which several may go out in one round. */
const SEVERAL_OUT = CARDS.some((card) => card === "wild-friendship" || card === "question-block") || given.board.options.extra_cards;

/** Handlers that act once for a double tap or a held key: the second press would hit a button that nobody has seen yet. @param {() => void} act */
export const once = (act) => ({
  onClick: (/** @type {MouseEvent} */ { detail }) => detail < 2 && act(),
  onKeyDown: (/** @type {KeyboardEvent} */ event) => event.repeat && event.key === "Enter" && event.preventDefault(),
});

/** A modal dialog that is open as long as it is rendered. @param {{label: string, close: () => void, children?: unknown}} props */
export function Dialog({ label, close, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    box.current?.showModal();
  }, []);
  // The browser sends `close` in a later task. By then the next dialog may be open, which must stay open.
  const closeNow = (/** @type {Event} */ event) => {
    event.preventDefault();
    box.current?.close();
    close();
  };
  return html`<dialog ref=${box} aria-label=${label} aria-describedby="asked" onSubmit=${closeNow} onCancel=${closeNow} onClose=${() => box.current && close()}>${children}</dialog>`;
}

export function Scores() {
  const board = pad.board.value;
  const { players, totals, winners, eliminated } = board;
  return html`<table class="scores"><caption class="aside">${say("Scores")}</caption><tbody>
    ${players.map((/** @type {string} */ player) => html`<tr key=${player} aria-live="polite" aria-atomic="true"><th scope="row">${seat(board, player)}${winners.includes(player) ? " ★" : ""}${eliminated.includes(player) ? ` · ${say("out")}` : ""}</th><td class="number">${totals[player]}</td></tr>`)}
  </tbody></table>`;
}

export function State() {
  const waits = pad.waiting.value.length;
  const asks = pad.differs.value?.tap ?? pad.stopped.value;
  const parts = [
    pad.notice.value,
    asks ? say("Decide about round {n}", { n: asks.round }) : "",
    waits > 0 ? count(waits, "{n} round waits", "{n} rounds wait") : "",
    pad.away.value,
  ].filter(Boolean);
  return html`<p role="status" class=${waits > 0 || pad.away.value ? "state waits" : "state"}>${parts.join(" · ") || (pad.known.value ? say("All saved") : "")}</p>`;
}

export function Out() {
  return html`<div role="group" aria-label=${say("Who went out?")} class="who"><h2 aria-hidden="true">${say("Round {n}: ", { n: pad.number.value })}${say("Who went out?")}</h2>
      ${staying(pad.board.value).map((player) => html`<button type="button" key=${player} aria-pressed=${pad.winners.value.includes(player)}
        onClick=${() => {
          pad.out(player, together.value);
          open.value = pad.asked.value[0] ?? null;
        }}>${name(player)}${sitting(pad.board.value, player)}</button>`)}</div>
    ${SEVERAL_OUT && html`<label class="check"><input type="checkbox" role="switch" checked=${together.value} onChange=${() => (together.value = !together.value)} />${say("Several went out at once")}</label>`}`;
}

/** What is entered stands below the picker, which stays where it is under a finger that taps on. @param {{player: string}} props */
function EnteredHand({ player }) {
  const cards = pad.handOf(player)?.cards ?? [];
  return html`<${Picker} cards=${CARDS} label=${say("Colour")} isOff=${(/** @type {string} */ card) => pad.left(card) <= 0}
      onPick=${(/** @type {string} */ card) => pad.take(player, card)} />
    <div class="hand">${cards.map((card, place) => html`<${CardButton} key=${`${card}-${place}`} card=${card}
      label=${say("Put back {card}", { card: nameOf(card) })} onClick=${() => pad.putBack(player, place)} />`)}</div>`;
}

/** Scroll so that an opened hand is visible as a whole. @param {Element | null} hand */
const show = (hand) => hand?.scrollIntoView({ block: "nearest" });

/** @param {string} player */
const idOf = (player) => `of-${player}`;

/** Show what was told of a hand, to be changed. @param {string} player */
export function change(player) {
  open.value = player;
  document.getElementById(idOf(player))?.focus();
}

/** @param {{player: string}} props */
function ByCards({ player }) {
  const isOpen = open.value === player;
  const cards = pad.handOf(player)?.cards ?? [];
  return html`<li ref=${isOpen && show}><div class="row"><button type="button" id=${idOf(player)} class="plain" aria-expanded=${isOpen}
      onClick=${() => (open.value = isOpen ? null : player)}>${say("{name}'s hand", { name: name(player) })}${sitting(pad.board.value, player)}</button>
      <span aria-live="polite">${count(cards.length, "{n} card", "{n} cards")} · ${count(pad.worthOf(pad.handOf(player)), "{n} point", "{n} points")}</span></div>
    ${isOpen && html`<${EnteredHand} player=${player} />`}</li>`;
}

/** @param {{player: string}} props */
const ByPoints = ({ player }) => html`<li><label class="row">${seat(pad.board.value, player)}<input id=${idOf(player)} type="number" inputmode="numeric" min="0" max="10000" step="1"
  aria-label=${say("Points of {name}", { name: name(player) })} value=${pad.handOf(player)?.points?.toString()}
  onInput=${(/** @type {any} */ event) => pad.tellPoints(player, event.target.valueAsNumber)} /></label></li>`;

export function Hands() {
  if (pad.asked.value.length === 0) return null;
  return html`<label class="check"><input type="checkbox" role="switch" checked=${pad.byPoints.value} aria-label=${say("Points")}
      onChange=${() => (pad.byPoints.value = !pad.byPoints.value)} />${say("Points instead of cards")}</label>
    <ul class="hands">${pad.asked.value.map((player) => (pad.byPoints.value ? html`<${ByPoints} key=${player} player=${player} />` : html`<${ByCards} key=${player} player=${player} />`))}</ul>`;
}

/** The scores of the round, shown before it is saved. */
export function Brings() {
  if (!pad.complete.value) return null;
  const scores = Object.entries(pad.scores.value).filter(([, score]) => score !== 0);
  return html`<p id="brings">${say("Round {n}: ", { n: pad.number.value })}${scores.length === 0
    ? say("nobody scores")
    : scores.map(([player, score]) => html`<span class="score"><bdi>${name(player)}</bdi> ${score > 0 ? "+" : "−"}${Math.abs(score)}</span>`)}</p>`;
}
