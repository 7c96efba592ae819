// @ts-check
import { isServed, later } from "../core/api.js";
import { keepAwake } from "../core/awake.js";
import { Card } from "../core/cards.js";
import { keepFocus } from "../core/focus.js";
import { count, given, say } from "../core/given.js";
import { follow } from "../core/live.js";
import { Winners, meet, name, seat, sitting } from "../core/people.js";
import { nameOf } from "../core/picker.js";
import { halfTold, keepHalf } from "../core/queue.js";
import { effect, html, render, signal } from "../vendor/preact.js";
import { Asked, offers, titleOf } from "./asked.js";
import { dropAnswers, isBegun, kept, laying, listed } from "./draft.js";
import { Laid } from "./effects.js";
import { Count, Listed } from "./parts.js";
import * as round from "./state.js";

/** What another phone told, for whoever does not see it, and the version of the match up to which it is told. */
const heard = signal({ version: 0, told: "" });
const isOpen = signal(false);
/** The form behind "More". It is loaded when it is first opened. */
const form = signal(/** @type {any} */ (null));
/** Jumping in, whose code is loaded only where the match has this house rule. */
const jumpIn = signal(/** @type {any} */ (null));

/** The card on top, and the colour that counts. @param {any} board */
const onTop = ({ top_card: top, color }) => `${nameOf(top)}${color ? ` · ${given.edition.colors[color] ?? color}` : ""}`;

/** Show a scoreboard of the live stream. @param {any} board */
function follows(board) {
  const { version, hand_counts: before } = round.board.value;
  round.show(board);
  if (board.version <= version) return;
  const { hand_counts: counts, players, top_card: top, turn } = board;
  const changed = players.filter((/** @type {string} */ player) => counts && counts[player] !== before?.[player]);
  const parts = changed.map((/** @type {string} */ player) => `${seat(board, player)} ${count(counts[player], "{n} card", "{n} cards")}`);
  if (top) parts.push(onTop(board));
  if (turn) parts.push(say("{name} is on turn", { name: seat(board, turn) }));
  heard.value = { version: board.version, told: parts.join(" · ") };
}

function Hands() {
  const board = round.board.value;
  const { players, totals, turn, hand_counts: counts, winners, eliminated } = board;
  return html`<table class="scores"><caption class="aside">${say("Scores")}</caption><tbody>
    ${players.map((/** @type {string} */ player) => html`<tr key=${player} class=${turn === player && "turn"}><th scope="row">${seat(board, player)}${winners.includes(player) && " ★"}${turn === player && ` · ${say("on turn")}`}${eliminated.includes(player) && ` · ${say("out")}`}</th>
      <td class="number held">${counts?.[player] === undefined ? "" : count(counts[player], "{n} card", "{n} cards")}</td><td class="number">${totals[player]}</td></tr>`)}
  </tbody></table>`;
}

function Middle() {
  const { top_card: top, direction, phase, draw_pile_count: pile } = round.board.value;
  if (top === null || phase === "over" || phase === "ready") return null;
  return html`<p class="middle"><${Card} card=${top} name=${nameOf(top)} /><span>${onTop(round.board.value)}</span>
    <span class="hint">${given.directions[direction]}${pile === null ? "" : ` · ${count(pile, "{n} card in the pile", "{n} cards in the pile")}`}</span></p>`;
}

/** Who went out. Shown while the hands of the others are told. */
function Out() {
  const board = round.board.value;
  if (board.phase !== "showing_hands") return null;
  const out = round.seated().filter((player) => board.hand_counts?.[player] === 0);
  return out.length > 0 && html`<p class="state">${count(out.length, "{names} went out.", "{names} went out together.", { names: out.map((player) => seat(board, player)).join(" + ") })}</p>`;
}

/** Asks for what the service needs before it can record the last event: a verdict on a hand, or the points of one. */
function Lacking() {
  const lack = round.lacking.value;
  if (lack === null) return null;
  const place = "lacking";
  const tellPoints = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    round.tellWith({ points: Number(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("points")) });
  };
  return lack.code === "points-needed"
    ? html`<form onSubmit=${tellPoints}><${Count} label=${say("Points of {name}", { name: name(lack.player) })} name="points" needed /><button>${say("Tell")}</button></form>`
    : html`<p>${say("Which cards were left in {name}'s hand?", { name: name(lack.player) })}</p><${Listed} place=${place} label=${say("Colour of these cards")} />
      <p class="actions"><button type="button" disabled=${listed(place).length === 0} onClick=${() => round.tellWith({ hand: listed(place) })}>${say("Show these cards")}</button>
      <button type="button" class="plain" onClick=${() => round.tellWith({ guilty: true })}>${say("Guilty")}</button>
      <button type="button" class="plain" onClick=${() => round.tellWith({ guilty: false })}>${say("Innocent")}</button></p>`;
}

/** A violation. The clause in its message is a link to the booklet. @param {{violation: {clause: string, message: string}}} props */
function Broken({ violation: { clause, message } }) {
  const [before, ...after] = message.split(clause);
  return html`<p>${before}<a href=${`/e/${round.board.value.edition}#${clause}`}>${clause}</a>${after.join(clause)}</p>`;
}

/** What was told, in one line, so that nothing below it moves. @param {any} event */
const told = ({ card, color }) => [say("Recorded")].concat(nameOf(card) ?? given.edition.colors[color] ?? []).join(" · ");

/** The answer to the last event, and the two taps with which it is recorded as played. */
function Answer() {
  const said = html`<p role="status" class="state">${round.recorded.value === "back" ? say("Taken back.") : round.recorded.value && told(round.recorded.value)}</p>`;
  const isAnswered = round.notice.value !== "" || round.violations.value.length > 0;
  if (!isAnswered && !round.away.value) return said;
  return html`${said}<div role="alert" class="trouble">
    ${round.violations.value.map((violation) => html`<${Broken} violation=${violation} />`)}
    ${(round.notice.value || !isAnswered) && html`<p>${round.notice.value || say("No connection")}</p>`}
    <${Lacking} />
    ${isAnswered && round.unrecorded.value && html`<p class="actions">
      ${round.lacking.value !== null ? null : round.violations.value.length > 0
        ? html`<button type="button" onClick=${round.tellAsPlayed}>${say("It was played so")}</button>`
        : html`<button type="button" onClick=${round.tellAgain}>${say("Try again")}</button>`}
      <button type="button" class="plain" onClick=${round.forget}>${say("Never mind")}</button></p>`}
  </div>`;
}

/** The calls of a running round. Each takes one tap if there is no player to choose. */
function Calls() {
  const { phase, hand_counts: counts, players, turn } = round.board.value;
  if (!["playing", "showing_hands"].includes(phase) || counts === null) return null;
  const one = phase === "playing" ? players.filter((/** @type {string} */ player) => counts[player] === 1) : [];
  return html`<p class="actions">${one.map((/** @type {string} */ player) => html`<button type="button" class="plain" aria-description=${name(player)} aria-label=${one.length === 1 ? say("UNO") : say("UNO, {name}", { name: name(player) })}
        onClick=${() => round.tell({ type: "uno_called", player })}>${say("UNO")} ${name(player)}${sitting(round.board.value, player)}</button>
      <button type="button" class="plain" aria-description=${name(player)} aria-label=${one.length === 1 ? say("Caught") : say("Caught, {name}", { name: name(player) })}
        onClick=${() => round.tell({ type: "uno_caught", player, by: turn === player ? round.leftOf(player) : turn })}>${say("Caught")} ${name(player)}${sitting(round.board.value, player)}</button>`)}</p>`;
}

/** @param {any} event */
async function toggled(event) {
  isOpen.value = event.target.open;
  if (!isOpen.value) return;
  try {
    const { Form } = await later("../cards/telling.js");
    form.value ??= html`<${Form} />`;
  } catch {
    round.notice.value = say("No connection. Try again.");
    if ((await isServed()) && round.isIdle() && round.unrecorded.value === null && !isBegun()) location.reload();
  }
}

/** If the code can't be loaded now, the next tap tries again. */
async function loadJumpIn() {
  try {
    const { JumpIn } = await later("../cards/jump_in.js");
    jumpIn.value = html`<${JumpIn} />`;
  } catch {
    addEventListener("click", loadJumpIn, { once: true });
  }
  round.away.value = jumpIn.value === null;
}

/** Everything else that can be told. */
const More = () => html`<details open=${isOpen.value} onToggle=${toggled}><summary>${say("More")}</summary>
  ${isOpen.value && form.value}
  ${round.RUNNING.includes(round.board.value.phase) && html`<p><a class="button plain" href="pad">${say("Tell the whole round at once")}</a></p>`}</details>`;

function Page() {
  const asked = offers(round.board.value);
  return html`<${Answer} /><${Hands} /><${Middle} /><${Out} />
    ${laying.value !== null ? html`<${Laid} />` : asked.map((offer) => html`<${Asked} key=${titleOf(offer)} offer=${offer} />`)}
    <p class="aside" aria-live="polite">${heard.value.version === round.board.value.version && heard.value.told}</p>
    <div aria-live="polite">${round.board.value.status !== "open" && html`<p class="notice">${say("The match is over.")} <${Winners} board=${round.board.value} /></p>`}</div>
    <${Calls} />${jumpIn.value}<${More} />
    <p class="foot"><button type="button" class="plain" disabled=${round.told.value.length === 0} onClick=${() => round.takeBack()}>${say("Take back")}</button></p>`;
}

// What is half told is dropped if somebody has told something since.
const place = `cards ${given.key}`;
const [version, ...half] = halfTold(place) ?? [];
if (version === given.board.version) kept.forEach((part, at) => void (part.value = half[at]));
/** The places of what the page asks. @type {string[]} */
let asks = [];
effect(() => {
  const now = offers(round.board.value).map(titleOf);
  dropAnswers(asks.filter((place) => !now.includes(place)));
  asks = now;
});
effect(() => keepHalf(place, [round.board.value.version, ...kept.map((part) => part.value)]));

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
render(html`<${Page} />`, root);
keepFocus(root);
effect(() => meet(round.board.value));
if (given.edition.alone) void loadJumpIn();
follow(given.key, {
  begun: round.reached,
  state: (board) => {
    round.reached();
    round.whenIdle(() => follows(board));
  },
  resync: () => void (round.board.value = { ...round.board.value, version: 0 }),
  silent: (since) => void (round.away.value = since !== null),
  shut: () => void (round.notice.value = say("This device is not let in any more: ask for a new code.")),
});
void round.recall();
void round.resume();
// A page that is hidden may be one that is left: what it begins to read may not end.
addEventListener("visibilitychange", () => document.hidden || round.recall());
keepAwake(() => round.board.value.status === "open");
