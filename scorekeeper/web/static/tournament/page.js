// @ts-check
/** The forms of an organiser: substitutes, withdrawals, lots, and the end of a tournament. */
import { Refused, ask } from "../core/api.js";
import "../core/fresh.js";
import { onSend } from "../core/form.js";
import { given, say } from "../core/given.js";
import { keyOf } from "../core/keys.js";
import { areMeant } from "../core/namesakes.js";
import { register } from "../core/registering.js";
import { reloadAt } from "../core/reload.js";

const league = `/v1/leagues/${given.league}`;

/** @param {Record<string, unknown>} event */
async function tell(event) {
  const events = [{ ...event, id: keyOf(JSON.stringify(event)) }];
  try {
    await ask(`${league}/tournaments/${given.tournament}/events?names=display`, { method: "POST", body: { events } });
  } catch (error) {
    if (!wasDrawn(event, error)) throw atItsTable(error);
  }
  // Firefox fills in again what a page held when it was reloaded.
  for (const form of document.forms) form.reset();
  await reloadAt("h1");
}

/**
 * Whether another device has drawn the lot meanwhile. The page then shows the order on record. A tie stands if somebody was given two places.
 * @param {Record<string, any>} event @param {unknown} error
 */
const wasDrawn = ({ order }, error) =>
  error instanceof Refused && error.problem.reason === "not-tied" && !error.problem.facts?.tied?.some((/** @type {string[]} */ tied) => tied.includes(order[0]));

/** Word a refusal about a running round by its segment and table, as the schedule names them. @param {unknown} error */
function atItsTable(error) {
  if (!(error instanceof Refused) || error.problem.reason !== "wrong-phase") return error;
  const [, segment, table] = /-s(\d+)-t(\d+)$/.exec(error.problem.facts?.match ?? "") ?? [];
  if (segment === undefined || table === undefined) return error;
  const at = say("Segment {segment}, table {table}", { segment, table });
  return new Refused({ ...error.problem, detail: say("{table}: the round that is being played there has to end first.", { table: at }) });
}

/** @param {FormData} fields @param {string} name */
const textIn = (fields, name) => String(fields.get(name) ?? "").trim();

/** The reason, if there is one. @param {FormData} fields */
const because = (fields) => (textIn(fields, "reason") ? { reason: textIn(fields, "reason") } : {});

/** Draw an order. All orders are equally likely. @param {string[]} names */
function drawn(names) {
  const order = [...names];
  for (let left = order.length; left > 1; left -= 1) {
    const at = below(left);
    [order[at], order[left - 1]] = [/** @type {string} */ (order[left - 1]), /** @type {string} */ (order[at])];
  }
  return order;
}

/** Draw a number from 0 to below `most`. Random values that would favour low numbers are drawn again. @param {number} most */
function below(most) {
  const fair = 2 ** 32 - (2 ** 32 % most);
  for (;;) {
    const number = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    if (number < fair) return number % most;
  }
}

for (const form of document.querySelectorAll("form[data-lot]")) {
  const isDrawn = /** @type {HTMLElement} */ (form).dataset["lot"] === "drawn";
  // If the form is sent again after a lost answer, it sends the same lot, which may be recorded already.
  /** @type {string[] | undefined} */
  let lot;
  onSend(form.id, async (fields) => {
    const order = fields.getAll("order").map(String);
    if (isDrawn) lot ??= drawn(order);
    await tell({ type: "tie_drawn", order: lot ?? order });
  });
}

for (const form of document.querySelectorAll("form[data-return]")) {
  const player = /** @type {HTMLElement} */ (form).dataset["return"];
  onSend(form.id, () => tell({ type: "player_substituted", player, substitute: player }));
}

onSend("substitute", async (fields) => {
  const fresh = textIn(fields, "substitute") ? [] : [textIn(fields, "name")];
  if (!(await areMeant(fresh, league))) return;
  const [substitute = textIn(fields, "substitute")] = await register(league, fresh);
  await tell({ type: "player_substituted", player: textIn(fields, "player"), substitute });
});
onSend("withdraw", (fields) => tell({ type: "player_withdrawn", player: textIn(fields, "player"), ...because(fields) }));
onSend("close", (fields) => tell({ type: "tournament_closed", ...because(fields) }));
