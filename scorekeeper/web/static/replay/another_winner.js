// @ts-check
/** "What if" of a round that was told as a whole: somebody else went out. */
import { given, own, say } from "../core/given.js";
import { html, useSignal } from "../vendor/preact.js";
import { name } from "./hands.js";
import { choose, entry } from "./trial.js";

/**
 * The tally with another winner. Hands whose cards were told stay as they are, but for that of the new winner.
 * @param {any} event @param {string} winner @param {FormData} points of the others, by player
 */
function wonBy(event, winner, points) {
  const told = [...points].filter(([, each]) => each !== "").map(([player, each]) => [player, Number(each)]);
  if (event.scores) return { ...event, winners: [winner], scores: { ...event.scores, ...Object.fromEntries(told) } };
  if (!event.hands) return { ...event, winners: [winner] };
  const { [winner]: _, ...hands } = event.hands;
  return { ...event, winners: [winner], hands: { ...hands, ...Object.fromEntries(told.map(([player, each]) => [player, { points: each }])) } };
}

export function AnotherWinner() {
  const { event } = /** @type {import("./trial.js").TriedStep} */ (entry.value);
  const winner = useSignal(/** @type {string} */ (event.winners[0]));
  const { hands, scores } = event;
  const asked = given.players.filter((/** @type {string} */ each) => scores || (hands && each !== winner.value && !own(hands, each)?.cards));
  const tryWinner = (/** @type {any} */ submitted) => {
    submitted.preventDefault();
    void choose({ kind: "another-winner", event: wonBy(event, winner.value, new FormData(submitted.target)) });
  };
  return html`<form onSubmit=${tryWinner}><label>${say("Winner")}<select onChange=${(/** @type {any} */ { target }) => (winner.value = target.value)}>
      ${given.players.map((/** @type {string} */ each) => html`<option value=${each} selected=${each === winner.value}>${name(each)}</option>`)}</select></label>
    ${asked.map((/** @type {string} */ each) => html`<label key=${each}>${say("Points of {name}", { name: name(each) })}
      <input name=${each} type="number" inputmode="numeric" min=${scores ? -100_000 : 0} max="100000" defaultValue=${own(scores, each) ?? own(hands, each)?.points} /></label>`)}
    <p class="actions"><button>${say("Try")}</button></p></form>`;
}
