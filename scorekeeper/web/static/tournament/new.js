// @ts-check
/** Opening a tournament: says beforehand whether the number of people works, and sends the form to the service. */
import { ask } from "../core/api.js";
import { leave, send } from "../core/form.js";
import { count, given, listed, say } from "../core/given.js";
import { chosen, follow } from "../core/house_rules.js";
import { keyOf } from "../core/keys.js";
import { areMeant } from "../core/namesakes.js";
import { namesIn, register } from "../core/registering.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("tournament"));
const open = /** @type {HTMLButtonElement} */ (document.getElementById("open"));
const size = /** @type {HTMLElement} */ (document.getElementById("size"));
/** The number of segments and of simultaneous tables, by the number of people. @type {Record<string, [number, number]>} */
const sizes = given.sizes;
const root = `/v1/leagues/${given.league}`;

/** @param {FormData} fields */
const added = (fields) => namesIn(fields.get("added"));

/** The nearest numbers of people for which there is a schedule: a smaller and a larger one, or one of these. @param {number} people */
function nearest(people) {
  const working = Object.keys(sizes).map(Number).sort((one, other) => one - other);
  return [working.findLast((each) => each < people), working.find((each) => each > people)].filter((each) => each !== undefined).map(String);
}

function look() {
  const fields = new FormData(form);
  const people = fields.getAll("players").length + added(fields).length;
  const works = sizes[people];
  open.disabled = works === undefined;
  const said = works
    ? count(works[1], "{people} people: {segments} segments, {n} table at the same time.", "{people} people: {segments} segments, {n} tables at the same time.", { people, segments: works[0] })
    : nearest(people).length < 2
      ? say("Choose 4 to 41 people.")
      : say("With {n} people not everybody can be everybody's partner equally often. The nearest numbers that work: {numbers}.", { n: people, numbers: listed(nearest(people)) });
  // The same text, set again, would be read out with each letter that is typed.
  if (size.textContent !== said) size.textContent = said;
}

form.addEventListener("input", look);
// If somebody comes back to the page, the browser restores the fields only after this module has run.
addEventListener("pageshow", look);
look();
follow(form);

open.addEventListener("click", () => {
  void send(form, open, async (fields) => {
    if (!(await areMeant(added(fields), root))) return;
    const players = [...fields.getAll("players").map(String), ...(await register(root, added(fields)))];
    const house = chosen(form);
    const body = {
      name: String(fields.get("name")).trim(),
      edition: fields.get("edition"),
      players,
      rounds_per_partner: Number(fields.get("rounds")),
      cycles: Number(fields.get("cycles")),
      scoring: { mode: fields.get("mode") },
      ...(Object.keys(house).length > 0 ? { house_rules: house } : {}),
    };
    const { tournament } = await ask(`${root}/tournaments`, { method: "POST", body, key: keyOf(JSON.stringify(body)) });
    await leave(`/l/${given.league}/t/${tournament}${tournament === "new" ? "/standings" : ""}`);
  });
});
