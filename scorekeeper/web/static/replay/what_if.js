// @ts-check
/** "What if": the choices for a step, what would differ, and then proposing it or amending the log. */
import { face } from "../core/cards.js";
import { isFilledIn } from "../core/filled.js";
import { given, listed, say } from "../core/given.js";
import { CardButton, Picker } from "../core/picker.js";
import { keep, keepForm } from "../core/switching.js";
import { html, signal, useEffect, useSignal } from "../vendor/preact.js";
import { AnotherWinner } from "./another_winner.js";
import { Changes } from "./changes.js";
import { called, name } from "./hands.js";
import { Person, Refusal, entryOf, record } from "./recording.js";
import { at, explained, settles, steps } from "./steps.js";
import { CARDS, answer, changed, choice, choose, close, entry, look, nothing, placesOf } from "./trial.js";

/** The choice that is being made and takes more than one tap. */
const choosing = signal(/** @type {"another-card" | "another-winner" | "other-points" | null} */ (null));

/** The choice that was made in the other language, until it is made again. @type {import("./trial.js").Alternative | null} */
let kept = keep("what-if", () => choice.value);

/** @param {{label: string, isOn: boolean, onClick: () => void}} props */
const Option = ({ label, isOn, onClick }) => html`<button type="button" aria-pressed=${isOn} onClick=${onClick}>${label}</button>`;

function Options() {
  const { step, event } = /** @type {import("./trial.js").TriedStep} */ (entry.value);
  const kind = choosing.value ?? choice.value?.kind;
  const take = (/** @type {any} */ chosen) => () => {
    choosing.value = null;
    void choose(chosen);
  };
  const verdict = (/** @type {boolean} */ guilty) => {
    if (steps[step - 1]?.guilty === guilty) return event;
    const { hand, ...rest } = event;
    return { ...rest, guilty, as_played: true };
  };
  return html`<div class="actions" role="group" aria-label=${say("What if")}>
    <${Option} label=${say("Not played")} isOn=${kind === "not-played"} onClick=${take({ kind: "not-played", event: null })} />
    ${placesOf(event).length > 0 && html`<${Option} label=${say("Another card")} isOn=${kind === "another-card"} onClick=${() => (choosing.value = "another-card")} />`}
    ${event.type === "round_tallied" && html`<${Option} label=${say("Another winner")} isOn=${kind === "another-winner"} onClick=${() => (choosing.value = "another-winner")} />`}
    ${pointsOf(event).length > 0 && html`<${Option} label=${say("Other points")} isOn=${kind === "other-points"} onClick=${() => (choosing.value = "other-points")} />`}
    ${event.type === "wild_draw_four_challenged" && html`<${Option} label=${say("Guilty")} isOn=${kind === "guilty"} onClick=${take({ kind: "guilty", event: verdict(true) })} />
    <${Option} label=${say("Innocent")} isOn=${kind === "innocent"} onClick=${take({ kind: "innocent", event: verdict(false) })} />`}</div>`;
}

/** The player to whom a card or number in an event belongs, if its path says so. @param {(string | number)[]} path */
const whose = (path) => {
  const player = path.find((part) => given.players.includes(part));
  return player === undefined ? "" : name(String(player)) + say(": {told}", { told: "" });
};

function AnotherCard() {
  const { event } = /** @type {import("./trial.js").TriedStep} */ (entry.value);
  const places = placesOf(event);
  const which = useSignal(0);
  const wild = useSignal(/** @type {string | null} */ (null));
  const swaps = useSignal(/** @type {string | null} */ (null));
  const place = places[which.value] ?? places[0];
  if (place === undefined) return null;
  const own = place.path.length === 1 && place.path[0] === "card";
  const isSwap = (/** @type {string} */ card) => given.swaps.includes(card);
  /** @param {string} card @param {Record<string, string>} [more] the fields that depend on the card */
  const put = (card, more = {}) => {
    const { color, swap_with, ...rest } = changed(event, place.path, card);
    const before = { ...(color === undefined ? {} : { color }), ...(swap_with === undefined ? {} : { swap_with }) };
    // Only with a wild card a colour is named, and only with some cards hands are exchanged.
    const said = !own ? before : isSwap(card) && swap_with !== undefined ? { swap_with, ...more } : more;
    void choose({ kind: "another-card", event: { ...rest, ...said, as_played: true } });
  };
  const take = (/** @type {string} */ card) => {
    const laid = own && event.type === "card_played";
    wild.value = laid && face(card).color === null ? card : null;
    swaps.value = laid && isSwap(card) && event.swap_with === undefined ? card : null;
    if (wild.value === null && swaps.value === null) put(card);
  };
  return html`${places.length > 1 && html`<p>${say("In place of which card?")}</p><div class="cards">${places.map(({ card, path }, index) =>
      html`<span class=${index === which.value ? "chosen" : ""}><${CardButton} key=${index} card=${card} label=${`${whose(path)}${called(card)}`} current=${index === which.value} onClick=${() => (which.value = index)} /></span>`)}</div>`}
    <${Picker} cards=${CARDS} label=${say("Colour of the card")} onPick=${take} />
    ${wild.value !== null && html`<label>${say("Named colour")}<select onChange=${(/** @type {any} */ event) => put(wild.value ?? "", event.target.value ? { color: event.target.value } : {})}>
      <option value="">${say("choose")}</option>${Object.entries(given.edition.colors).map(([color, words]) => html`<option value=${color}>${words}</option>`)}</select></label>`}
    ${swaps.value !== null && html`<label>${say("With whom?")}<select onChange=${(/** @type {any} */ submitted) => submitted.target.value && put(swaps.value ?? "", { swap_with: submitted.target.value })}>
      <option value="">${say("choose")}</option>${given.players.filter((/** @type {string} */ each) => each !== event.player).map((/** @type {string} */ each) => html`<option value=${each}>${name(each)}</option>`)}</select></label>`}`;
}

/** The places in an event at which points are named. @param {any} event @returns {{path: string[], points: number}[]} */
function pointsOf(event) {
  if (typeof event.points === "number") return [{ path: ["points"], points: event.points }];
  const hands = Object.entries(event.hands ?? {}).filter(([, hand]) => typeof /** @type {any} */ (hand).points === "number");
  const scores = Object.entries(event.scores ?? {});
  return [
    ...hands.map(([player, hand]) => ({ path: ["hands", player, "points"], points: /** @type {any} */ (hand).points })),
    ...scores.map(([player, score]) => ({ path: ["scores", player], points: /** @type {number} */ (score) })),
  ];
}

function OtherPoints() {
  const { event } = /** @type {import("./trial.js").TriedStep} */ (entry.value);
  const places = pointsOf(event);
  const tryPoints = (/** @type {any} */ submitted) => {
    submitted.preventDefault();
    const fields = new FormData(submitted.target);
    const altered = places.map(({ path, points }, index) => ({ path, points, now: Number(fields.get(String(index))) })).filter(({ points, now }) => points !== now);
    const other = altered.reduce((whole, { path, now }) => changed(whole, path, now), event);
    void choose({ kind: "other-points", event: other });
  };
  return html`<form onSubmit=${tryPoints}>${places.map(({ path, points }, index) => html`<label>${say("Points of {name}", { name: name(path[1] ?? event.player) })}
      <input name=${index} type="number" inputmode="numeric" min=${path[0] === "scores" ? -100_000 : 0} max="100000" required value=${points} /></label>`)}
    <p class="actions"><button>${say("Try")}</button></p></form>`;
}

/** A choice in words, for the reason of an amendment. @param {import("./trial.js").Alternative} chosen */
function inWords({ kind, event }) {
  const told = /** @type {import("./trial.js").TriedStep} */ (entry.value).event;
  if (kind === "other-points") {
    const now = pointsOf(event);
    const altered = pointsOf(told).map((was, index) => ({ ...was, now: now[index]?.points })).filter(({ points, now }) => points !== now);
    return listed(altered.map(({ path, points, now }) => say("{whose}{points} in place of {other}", { whose: whose(path), points: String(now), other: points })));
  }
  if (kind === "another-winner") return say("{card} in place of {other}", { card: name(event.winners[0]), other: listed(told.winners.map(name)) });
  if (kind === "another-card") {
    const now = placesOf(event);
    const places = placesOf(told);
    const index = places.findIndex(({ card }, index) => card !== now[index]?.card);
    // The same card may have been chosen again.
    const [was, other] = index < 0 ? [places[0], places[0]] : [places[index], now[index]];
    return say("{card} in place of {other}", { card: called(other?.card ?? ""), other: called(was?.card ?? "") });
  }
  return { "not-played": say("Not played"), guilty: say("Guilty"), innocent: say("Innocent") }[kind];
}

/** @param {HTMLFormElement | null} form */
const keepHere = (form) => form && keepForm("reason", form);

async function begin() {
  await look();
  if (kept) void choose(kept);
  kept = null;
}

/** The form for proposing the change, which opens a dispute, or for amending the log. */
function Decide() {
  const { would, amendment } = /** @type {{would: any, amendment: any}} */ (answer.value);
  const otherwise = inWords(/** @type {import("./trial.js").Alternative} */ (choice.value));
  const open = given.disputes.filter((/** @type {any} */ each) => each.ruling === null);
  const first = (/** @type {(each: any) => boolean} */ suits) => open.find(suits);
  const about = first((each) => each.dispute === settles.value) ?? first((each) => each.step === at.value) ?? first((each) => each.step === null);
  const fields = (/** @type {any} */ event) => {
    const { form } = event.currentTarget;
    return isFilledIn(form) ? new FormData(form) : null;
  };
  const propose = (/** @type {any} */ event) => {
    const filled = fields(event);
    if (filled) void record([{ type: "dispute_opened", by: filled.get("by"), round: given.round, claim: filled.get("reason"), ...entryOf() }], say("The dispute is open."));
  };
  const amend = (/** @type {any} */ event) => {
    const filled = fields(event);
    if (!filled) return;
    const dispute = Number(filled.get("dispute") || 0);
    const reason = filled.get("reason");
    const settles = dispute === 0 ? {} : { dispute };
    const ruling = dispute !== 0 && given.may === "own" ? [{ type: "dispute_ruled", dispute, ruling: "upheld", reason }] : [];
    void record([{ type: "log_amended", reason, ...amendment, ...settles }, ...ruling], say("The log is amended."), would.state.version - 1);
  };
  return html`<form key=${otherwise} ref=${keepHere} onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>${say("Why")}<textarea name="reason" required maxlength="500" rows="2">${say("Step {n} ({step}): {otherwise}", { n: at.value, step: explained(at.value).replace(/[.。]$/, ""), otherwise }).slice(0, 500)}</textarea></label>
    <label>${say("Proposed by")}<${Person} name="by" /></label>
    <p class="actions"><button type="button" onClick=${propose}>${say("Propose")}</button></p>
    ${open.length > 0 && html`<label>${given.may === "own" ? say("Upholds the dispute") : say("Settles the dispute")}<select name="dispute"><option value="">${say("none")}</option>
      ${open.map((/** @type {any} */ each) => html`<option value=${each.dispute} selected=${each === about}>${name(each.by)}${say(": {told}", { told: each.claim })}</option>`)}</select></label>`}
    <p class="actions"><button type="button" class="plain" onClick=${amend}>${say("Amend")}</button></p></form>`;
}

export function Part() {
  useEffect(() => {
    void begin();
    return close;
  }, []);
  if (entry.value === null) return html`${nothing.value && html`<p class="hint">${nothing.value}</p>`}<${Refusal} />`;
  return html`<${Options} />
    ${choosing.value === "another-card" && html`<${AnotherCard} key=${entry.value.step} />`}
    ${choosing.value === "another-winner" && html`<${AnotherWinner} key=${entry.value.step} />`}
    ${choosing.value === "other-points" && html`<${OtherPoints} key=${entry.value.step} />`}
    ${answer.value && html`<${Changes} would=${answer.value.would} /><${Decide} />`}<${Refusal} />`;
}
