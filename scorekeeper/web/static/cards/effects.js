// @ts-check
/** Telling the effects of a special card, in the order in which they happened. */
import { count, say } from "../core/given.js";
import { name } from "../core/people.js";
import { nameOf } from "../core/picker.js";
import { html, signal, useSignal } from "../vendor/preact.js";
import { EFFECT, how, laying, list, listed, takeUp, tellHow } from "./draft.js";
import { Count, Listed, Person } from "./parts.js";
import { board, effectsOf, leftOf, partners, seated, tellLaid } from "./state.js";

/** @typedef {Record<string, any>} Effect */

const chosen = signal("");

const titles = () => ({
  discard: say("Cards are discarded"),
  give: say("Cards are given away"),
  draw: say("Cards are drawn"),
  swap: say("Hands change owners"),
  skip: say("A turn is left out"),
  reverse: say("The direction turns round"),
});

/** @param {Effect} effect */
function Cards({ effect }) {
  const cards = effect.cards ?? [];
  return html`${cards.map((/** @type {string} */ card) => html` ${nameOf(card)}`)}${cards.length === 0 && effect.count
    ? count(effect.count, "{n} card", "{n} cards")
    : ""}`;
}

/** @type {Record<string, (effect: Effect) => unknown>} */
const SENTENCES = {
  discard: (effect) => html`${say("{name} discards", { name: name(effect.player) })} <${Cards} effect=${effect} />`,
  give: (effect) => html`${say("{name} gives to {other}", { name: name(effect.from), other: name(effect.to) })} <${Cards} effect=${effect} />`,
  draw: (effect) => html`${say("{name} draws", { name: name(effect.player) })} <${Cards} effect=${effect} />`,
  swap: (effect) => Object.entries(effect.hands).filter(([player, former]) => player !== former)
    .map(([player, former]) => html`${say("{name} takes over the hand of {other}.", { name: name(player), other: name(String(former)) })} `),
  skip: (effect) => say("{name} is left out", { name: name(effect.player) }),
  reverse: () => say("The direction turns round"),
};

/** Read an effect of a kind from the form. @param {string} kind @param {FormData} fields @returns {Effect} */
function read(kind, fields) {
  const cards = listed(EFFECT);
  const number = Number(fields.get("count")) || 1;
  /** @type {Record<string, () => Effect>} */
  const readers = {
    discard: () => ({ player: fields.get("player"), cards }),
    give: () => ({ from: fields.get("player"), to: fields.get("to"), ...(cards.length > 0 ? { cards } : { count: number }) }),
    draw: () => ({ player: fields.get("player"), count: Math.max(number, cards.length), ...(cards.length > 0 ? { cards } : {}) }),
    swap: () => ({ hands: Object.fromEntries(seated().map((player) => [player, fields.get(`hand-${player}`)])) }),
    skip: () => ({ player: fields.get("player") }),
    reverse: () => ({}),
  };
  return { type: kind, ...readers[kind]?.() };
}

/** @param {{kind: string, player: string}} props */
function Fields({ kind, player }) {
  const people = seated();
  if (kind === "reverse") return null;
  if (kind === "swap") {
    return people.map((each) => html`<${Person} key=${each} label=${say("{name} takes over the hand of", { name: name(each) })} name=${`hand-${each}`} of=${people} first=${leftOf(each)} />`);
  }
  return html`<${Person} label=${say("Who")} name="player" of=${people} first=${player} />
    ${kind === "give" && html`<${Person} label=${say("To whom")} name="to" of=${people} first=${people.find((each) => each !== player)} />`}
    ${kind !== "skip" && html`<${Listed} place=${EFFECT} label=${say("Colour of these cards")} />`}
    ${(kind === "give" || kind === "draw") && html`<${Count} label=${say("How many, where nobody names them")} name="count" least=${1} />`}`;
}

/** @param {{player: string}} props whether UNO was called with the card that is laid */
export const Uno = ({ player }) => html`<div role="group" class="actions" aria-label=${say("Does {name} call UNO with it?", { name: name(player) })}>
  ${[true, false].map((called) => html`<button type="button" key=${called} aria-pressed=${how(player).uno === called}
    onClick=${() => tellHow(player, { uno: how(player).uno === called ? undefined : called })}>${called ? say("UNO called") : say("UNO not called")}</button>`)}</div>`;

const NeverMind = () => html`<button type="button" class="plain" onClick=${takeUp}>${say("Never mind")}</button>`;

/** Choosing the player with whom hands are exchanged. @param {{laid: import("./draft.js").Laying, with: string[]}} props */
function Exchange({ laid, with: others }) {
  const { player, card } = laid;
  const takesOne = others.some((each) => board.value.hand_counts[each] === 1);
  return html`<section class="card" aria-label=${say("With whom?")}><h2>${say("{name} lays {card}. With whom are hands exchanged?", { name: name(player), card: nameOf(card) })}</h2>
    ${takesOne && html`<${Uno} player=${player} />`}
    <div role="group" class="who" aria-label=${say("With whom?")}>${others.map((each) => html`<button type="button" key=${each} onClick=${() => tellLaid(laid, each)}>${name(each)}</button>`)}</div>
    <p class="actions"><${NeverMind} /></p></section>`;
}

/** The card that is to be laid, and the questions about it. */
export function Laid() {
  const laid = laying.value;
  if (laid === null) return null;
  const { player, card } = laid;
  const others = partners(laid);
  if (others.length > 1) return html`<${Exchange} laid=${laid} with=${others} />`;
  if (effectsOf(player, card).length > 0) return html`<${Effects} laid=${laid} />`;
  return html`<section class="card" aria-label=${say("{name} lays {card}.", { name: name(player), card: nameOf(card) })}><h2>${say("{name} lays {card}.", { name: name(player), card: nameOf(card) })}</h2>
    <${Uno} player=${player} /><p class="actions"><button type="button" onClick=${() => tellLaid(laid)}>${say("Lay it")}</button> <${NeverMind} /></p></section>`;
}

/** Return the effect that the form describes, in a list. The list is empty if the form lacks the cards that the effect needs. @param {string} kind @param {HTMLFormElement} form @returns {Effect[]} */
function effectIn(kind, form) {
  const effect = read(kind, new FormData(form));
  return kind === "discard" && effect.cards.length === 0 ? [] : [effect];
}

/** The effects told so far, and the form for the next one. @param {{laid: import("./draft.js").Laying}} props */
function Effects({ laid }) {
  const { player, card, effects } = laid;
  const kinds = effectsOf(player, card);
  const kind = kinds.includes(chosen.value) ? chosen.value : (kinds[0] ?? "");
  const begun = useSignal(false);
  const agreed = card === "question-block" ? board.value.options.question_block : null;
  const change = (/** @type {Effect[]} */ now) => void (laying.value = { ...laid, effects: now });
  const add = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    change([...effects, ...effectIn(kind, /** @type {HTMLFormElement} */ (event.target))]);
    list(EFFECT, []);
    begun.value = false;
  };
  // An effect that is filled in counts, even if "add" was not pressed.
  const lay = (/** @type {any} */ event) => {
    const more = begun.value || listed(EFFECT).length > 0 ? effectIn(kind, event.currentTarget.form) : [];
    void tellLaid({ ...laid, effects: [...effects, ...more] });
  };
  return html`<section class="card" aria-label=${say("What does it do?")}>
    <h2>${say("{name} lays {card}. What does it do?", { name: name(player), card: nameOf(card) })}</h2>
    ${agreed && html`<p class="hint">${say("Agreed before the match: {text}", { text: agreed })}</p>`}
    <ol>${effects.map((effect, at) => html`<li class="actions"><span>${SENTENCES[String(effect.type)]?.(effect)}</span><button type="button" class="plain"
      onClick=${() => change(effects.filter((_, each) => each !== at))}>${say("Take away")}</button></li>`)}</ol>
    <form onSubmit=${add} onInput=${() => (begun.value = true)} key=${`${kind}-${effects.length}`}>
      ${kinds.length > 1 ? html`<label>${say("What happened?")}<select onChange=${(/** @type {any} */ event) => (chosen.value = event.target.value)}>
        ${Object.entries(titles()).filter(([each]) => kinds.includes(each)).map(([each, title]) => html`<option value=${each} selected=${each === kind}>${title}</option>`)}</select></label>`
      : html`<h3>${titles()[/** @type {keyof ReturnType<typeof titles>} */ (kind)]}</h3>${kind === "swap" && say("Everybody takes the hand on the left, unless you change it.")}`}
      <${Fields} kind=${kind} player=${player} /><button class="plain">${say("Add")}</button>
      <${Uno} player=${player} />
      <p class="actions"><button type="button" onClick=${lay}>${say("Lay it")}</button><${NeverMind} /></p></form></section>`;
}
