// @ts-check
/** The questions that a person has to decide: two accounts of a round, or a refused round. */
import { count, listed, say } from "../core/given.js";
import { name } from "../core/people.js";
import { nameOf } from "../core/picker.js";
import { html, signal } from "../vendor/preact.js";
import * as settle from "./settling.js";
import { board, differs, stopped } from "./state.js";
import { Dialog, once } from "./views.js";

/** The id of the tap for which "Replace by mine" was pressed and awaits confirmation. */
const replacing = signal("");

/** One account of a round. @param {{winners: string[], hands: Record<string, any>, scores?: Record<string, number>}} props */
function Account({ winners, hands, scores }) {
  return html`<p>${say("Who went out?")} <strong>${winners.map(name).join(" + ")}</strong></p>
    <ul>${Object.entries(hands ?? {})
      .filter(([player, hand]) => hand && !winners.includes(player))
      .map(([player, hand]) => html`<li><bdi>${name(player)}</bdi>${say(": {told}", { told: hand.cards ? listed(hand.cards.map(nameOf)) : count(hand.points ?? 0, "{n} point", "{n} points") })}</li>`)}</ul>
    ${scores && html`<p>${Object.entries(scores).filter(([, score]) => score !== 0).map(([player, score]) => html`<span class="score"><bdi>${name(player)}</bdi> ${score}</span>`)}</p>`}`;
}

function Differing() {
  const found = differs.value;
  if (found === null) return null;
  const { tap, round } = found;
  return html`<div key=${tap.id} role="group" aria-label=${say("Two accounts of round {n}", { n: tap.round })} class="trouble">
    <h2>${say("Two accounts of round {n}", { n: tap.round })}</h2>
    <div class="accounts">
      <div><h3>${say("On record")}</h3>${round.status === "voided" ? html`<p>${say("Broken off; it counts for nobody.")}</p>` : html`<${Account} winners=${round.winners} hands=${round.hands} scores=${round.scores} />`}</div>
      <div><h3>${say("Told here")}</h3><${Account} winners=${tap.event.winners} hands=${tap.event.hands} /></div>
    </div>
    <p class="actions">
      <button type="button" ...${once(() => settle.keepTheirs(found))}>${say("Keep theirs")}</button>
      <button type="button" class="plain" ...${once(() => (replacing.value = tap.id))}>${say("Replace by mine")}</button>
      <button type="button" class="plain" ...${once(() => settle.anotherRound(found))}>${say("Mine is another round")}</button>
      <button type="button" class="plain" ...${once(() => settle.throwAway(tap))}>${say("Throw away")}</button>
    </p>
    ${replacing.value === tap.id && html`<${Dialog} label=${say("Replace by mine")} close=${() => (replacing.value = "")}>
      <div id="asked"><p>${say("The log keeps both. From now on round {n} is read like this:", { n: tap.round })}</p>
        <${Account} winners=${tap.event.winners} hands=${tap.event.hands} /></div>
      <form method="dialog" class="actions"><button type="button" onClick=${() => {
          replacing.value = "";
          void settle.replaceByMine(found, say("Told again: two accounts differed"));
        }}>${say("Replace")}</button>
        <button class="plain" autofocus>${say("Cancel")}</button></form>
    <//>`}
  </div>`;
}

function Refused() {
  const tap = stopped.value;
  if (tap === null || tap.stopped === null) return null;
  const over = board.value.status !== "open";
  return html`<div key=${tap.id} role="group" aria-label=${say("Round {n} was not accepted", { n: tap.round })} class="trouble">
    <h2>${say("Round {n} was not accepted", { n: tap.round })}</h2>
    ${over && tap.stopped.reason === "wrong-phase" ? null : html`<p>${tap.stopped.violations?.[0]?.message ?? tap.stopped.detail}</p>`}
    ${over && html`<p>${say("The match is over. What you told is kept here.")}</p>`}
    <${Account} winners=${tap.event.winners} hands=${tap.event.hands} />
    <p class="actions">${tap.stopped.code === "rule-violation" && html`<button type="button" ...${once(() => settle.tellAsPlayed(tap))}>${say("It was played so")}</button>`}
      <button type="button" ...${once(() => settle.edit(tap))}>${say("Edit")}</button>
      <button type="button" class="plain" ...${once(() => settle.throwAway(tap))}>${say("Throw away")}</button></p>
  </div>`;
}

export const Troubles = () => html`<${Differing} /><${Refused} />`;
