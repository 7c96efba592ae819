// @ts-check
/** Everything else that can be told: by whom, about whom, in which words. */
import { say } from "../core/words.js";
import { html, signal } from "../vendor/preact.js";
import { name } from "./asked.js";
import { board, tell } from "./state.js";

/** What each event asks for, in the order of its fields. @type {Record<string, string[]>} */
const FIELDS = {
  uno_called: ["player"],
  uno_caught: ["player", "by"],
  wild_draw_four_challenged: ["by", "guilty"],
  misplay_called: ["by"],
  advice_called: ["player", "by"],
  accusation_made: ["by", "player"],
  hand_counted: ["player", "points"],
  pile_reshuffled: [],
  turn_passed: ["player"],
  seats_changed: ["players"],
  player_substituted: ["player", "substitute"],
  round_voided: ["reason", "redealt"],
  match_closed: ["reason"],
  match_abandoned: ["reason"],
  note_added: ["text"],
};

const titles = () => ({
  uno_called: say("UNO called"),
  uno_caught: say("Caught without UNO"),
  wild_draw_four_challenged: say("Wild draw four challenged"),
  misplay_called: say("Misplay called"),
  advice_called: say("Advice called"),
  accusation_made: say("Accusation"),
  hand_counted: say("Hand counted"),
  pile_reshuffled: say("Pile reshuffled"),
  turn_passed: say("Turn passed"),
  seats_changed: say("Seats changed"),
  player_substituted: say("Somebody sits in"),
  round_voided: say("Round broken off"),
  match_closed: say("Match closed"),
  match_abandoned: say("Match abandoned"),
  note_added: say("Note"),
});

const labels = () => ({
  player: say("Who"),
  by: say("By whom"),
  substitute: say("Who sits in"),
  guilty: say("Was it forbidden?"),
  redealt: say("Is it dealt again?"),
  points: say("Points"),
  reason: say("Reason"),
  text: say("Text"),
  players: say("Seats, clockwise, one short name a line"),
});

const chosen = signal("uno_called");

/** @param {{field: string}} props */
function Field({ field }) {
  const label = /** @type {Record<string, string>} */ (labels())[field];
  if (field === "player" || field === "by") {
    return html`<label>${label}<select name=${field}>${board.value.players.map((/** @type {string} */ player) => html`<option value=${player}>${name(player)}</option>`)}</select></label>`;
  }
  if (field === "guilty" || field === "redealt") {
    return html`<label>${label}<select name=${field}>${field === "guilty" && html`<option value="">${say("The cards tell")}</option>`}<option value="true">${say("Yes")}</option><option value="false">${say("No")}</option></select></label>`;
  }
  if (field === "points") return html`<label>${label}<input name="points" type="number" min="0" max="10000" required /></label>`;
  if (field === "players") return html`<label>${label}<textarea name="players" rows="4">${board.value.players.join("\n")}</textarea></label>`;
  return html`<label>${label}<input name=${field} required maxlength="500" /></label>`;
}

/** @param {string} field @param {string} text */
function read(field, text) {
  if (field === "guilty" || field === "redealt") return text === "" ? undefined : text === "true";
  if (field === "points") return Number(text);
  return field === "players" ? text.split("\n").map((each) => each.trim()).filter(Boolean) : text;
}

/** @param {SubmitEvent} event */
function tellChosen(event) {
  event.preventDefault();
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const told = (FIELDS[chosen.value] ?? []).map((field) => [field, read(field, String(fields.get(field)))]);
  void tell({ type: chosen.value, ...Object.fromEntries(told.filter(([, value]) => value !== undefined)) });
}

export const More = () => html`<details><summary>${say("More")}</summary><form onSubmit=${tellChosen}>
  <label>${say("What happened?")}<select value=${chosen.value} onChange=${(/** @type {any} */ event) => (chosen.value = event.target.value)}>
    ${Object.entries(titles()).map(([type, title]) => html`<option value=${type}>${title}</option>`)}</select></label>
  ${(FIELDS[chosen.value] ?? []).map((field) => html`<${Field} key=${`${chosen.value}-${field}`} field=${field} />`)}
  <button>${say("Tell")}</button></form></details>`;
