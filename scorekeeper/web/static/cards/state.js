// @ts-check
/** A round as it is followed card by card: what stands, what is being told, and what the service said to it. */
import { Refused, ask, uuid } from "../core/api.js";
import { given } from "../core/given.js";
import { queue } from "../core/queue.js";
import { strike, undo } from "../core/undo.js";
import { why } from "../core/why.js";
import { say } from "../core/words.js";
import { batch, signal } from "../vendor/preact.js";
import { clear, laying, several, uno } from "./draft.js";

/** The phases of a round that has begun and is not over. */
export const RUNNING = ["turning", "playing", "showing_hands"];

export const board = signal(given.board);
/** The event that was told last and is not recorded: it can be sent again, told as it was played, or with what it lacks. */
export const held = signal(/** @type {any} */ (null));
export const violations = signal(/** @type {{clause: string, message: string}[]} */ ([]));
export const notice = signal("");
/** Whether nothing was heard for so long that there is no connection. */
export const away = signal(false);
/** The version up to which this device's last event was recorded; 0 before the first. */
export const recorded = signal(0);
/** Whether that took something back. */
export const takenBack = signal(false);
/** What the service needs to know besides, and of whom. */
export const lacking = signal(/** @type {{code: string, player: string} | null} */ (null));

const LACKING = ["verdict-needed", "points-needed"];

/** @param {any} now a scoreboard; an older one than is shown is passed over */
export function show(now) {
  if (now.version >= board.value.version) board.value = now;
}

/** What this device had recorded, here or on the pad, the last one last. */
export const told = signal(/** @type {import("../core/queue.js").Told[]} */ ([]));

/** What it had recorded before the page was opened. */
export const recall = async () => void (told.value = (await queue(given.key)).told);

/**
 * From here on `now` is what it had recorded; a phone that can't keep that knows it while the page is open.
 * @param {Promise<import("../core/queue.js").Queue>} kept @param {import("../core/queue.js").Told[]} now
 */
const know = async (kept, now) => void (told.value = await kept.then((held) => held.told, () => now));

/** What was tapped and is not answered yet, in its order. @type {any[]} */
const line = [];
let telling = Promise.resolve();

/** Whether what is pressed belongs to the press before: a double tap, or a key that is held. */
let again = false;
addEventListener("click", ({ detail }) => void (again = detail > 1), true);
addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement && event.preventDefault(), true);

/** What an event says, whenever it was tapped. @param {any} event */
const said = (event) => JSON.stringify({ ...event, id: "", at: "" });

/**
 * Tell an event, once: sent again it has the same id, so that it is counted once. While an answer is awaited the next
 * tap waits in line, unless it says the same, since nothing seemed to happen yet; where that answer is a refusal, what
 * waits behind it was tapped on a false belief and is not sent.
 * @param {any} event
 */
export function tell(event) {
  const told = { id: uuid(), at: new Date().toISOString(), ...event };
  if (again || (line.length > 0 && said(line.at(-1)) === said(told))) return telling;
  if (takingBack > 0) {
    meanwhile ??= told;
    return telling;
  }
  line.push(told);
  if (line.length === 1) telling = tellAll();
  return telling;
}

async function tellAll() {
  try {
    while (line.length > 0) {
      const done = await send(line[0]);
      const behind = line.splice(0, done ? 1 : line.length).length - 1;
      if (behind > 0) notice.value = `${notice.value} ${say("What was tapped after it is not told.")}`;
    }
  } finally {
    // Whatever went wrong: the next tap is sent, not kept behind one that nobody sends any more.
    line.length = 0;
  }
}

/** @param {any} event @returns {Promise<boolean>} whether it was recorded */
async function send(event) {
  held.value = event;
  try {
    const answer = await ask(`${given.key}/events?names=display`, { method: "POST", body: { events: [event] }, ifMatch: board.value.version });
    await know(queue(given.key, (kept) => void kept.told.push(event.id)), [...told.value, event.id]);
    batch(() => {
      forget();
      clear();
      violations.value = answer.violations;
      recorded.value = answer.version;
      takenBack.value = false;
      show(answer.state);
    });
    return true;
  } catch (error) {
    await refused(error);
    return false;
  }
}

/** @param {unknown} error */
async function refused(error) {
  notice.value = why(error);
  if (!(error instanceof Refused)) return;
  const { problem } = error;
  violations.value = problem.violations ?? [];
  // They read like those of what is recorded although a rule forbids it.
  if (violations.value.length > 0) notice.value = say("Not recorded.");
  lacking.value = LACKING.includes(problem.code) ? { code: problem.code, player: problem.facts?.player } : null;
  if (problem.status === 412) {
    await catchUp();
  }
  // What the rules forbid can be told as it was played, what lacks something with it, and what got no answer again;
  // all else is to be told anew.
  if (problem.code !== "rule-violation" && problem.status !== 412 && lacking.value === null) held.value = null;
}

/** Somebody told something meanwhile; the person sees it before the next tap. */
async function catchUp() {
  try {
    show(await ask(given.key));
    notice.value = say("Somebody told something meanwhile. Look, and try again.");
  } catch (error) {
    await refused(error);
  }
}

/** A new event: the one that was refused, with more said. @param {Record<string, unknown>} more */
export const tellWith = (more) => tell({ ...held.value, ...more, id: uuid() });

/** The table let it pass. */
export const tellAsPlayed = () => tellWith({ as_played: true });

export const tellAgain = () => tell(held.value);

export function forget() {
  batch(() => {
    held.value = null;
    violations.value = [];
    notice.value = "";
    lacking.value = null;
  });
}

/** What the table may tell of a card besides that it was laid. @param {string} player @param {string} card @returns {string[]} */
export function effectsOf(player, card) {
  const { hand_counts: counts, options } = board.value;
  const [, told] = Object.entries(given.edition.effects).find(([each]) => each === card) ?? ["", {}];
  if (told.agreed && card === "question-block" && options.question_block === null) return [];
  if (counts?.[player] === 1 && !told.last) return [];
  return (seated().length === 2 ? told.two : told.many) ?? [];
}

/** @returns {string[]} who is still in, in seating order */
export const seated = () => board.value.players.filter((/** @type {string} */ player) => !board.value.eliminated.includes(player));

/** How many cards a player is left with who lays so many as are told. @param {string} player */
export const leftWith = (player) => (board.value.hand_counts?.[player] ?? 0) - several.value;

/** With whom the player of a card can exchange hands by it. @param {import("./draft.js").Laying} laid */
export const partners = ({ player, card }) =>
  given.edition.swaps.includes(card) && leftWith(player) > 0 ? seated().filter((each) => each !== player) : [];

/** Lay a card: at once, or after what it did is told. @param {string} player @param {string} card @param {Record<string, unknown>} [how] */
export function lay(player, card, how = {}) {
  const laid = { player, card, effects: [], how: several.value > 1 ? { ...how, count: several.value } : how };
  // Whoever lays in the own turn can say it beforehand.
  const asksUno = "jump_in" in how && leftWith(player) === 1;
  if (effectsOf(player, card).length > 0 || partners(laid).length > 1 || asksUno) laying.value = laid;
  else void tellLaid(laid);
}

/** @param {import("./draft.js").Laying} laid @param {string} [partner] with whom hands are exchanged, where there is a choice */
export function tellLaid(laid, partner = partners(laid)[0]) {
  const { player, card, effects, how } = laid;
  return tell({
    type: "card_played",
    player,
    card,
    ...how,
    ...(partner === undefined ? {} : { swap_with: partner }),
    ...(uno.value === null ? {} : { uno: uno.value }),
    ...(effects.length > 0 ? { effects } : {}),
  });
}

/** @type {Promise<void>} */
let taking = Promise.resolve();
/** How many times something is being taken back. */
let takingBack = 0;
/** What was tapped meanwhile, which may not be meant any more once it is seen what stands. @type {any} */
let meanwhile = null;

/**
 * Take back what this device told last by the time of the tap: pressed again before it is gone, the same is meant. What is
 * on its way is recorded before.
 */
export function takeBack() {
  if (again) return taking;
  const of = line.at(-1)?.id ?? told.value.at(-1);
  takingBack += 1;
  const mine = taking.then(() => takeBackNow(of)).finally(hold);
  taking = mine.catch(() => {});
  return mine;
}

/** What was tapped while something was taken back is told when the person says so. */
function hold() {
  takingBack -= 1;
  if (takingBack > 0 || meanwhile === null) return;
  notice.value = `${notice.value || say("Taken back.")} ${say("What was tapped after it is not told.")}`;
  if (violations.value.length === 0) held.value = meanwhile;
  meanwhile = null;
}

/** @param {import("../core/queue.js").Told} of */
const forgo = (of) => know(strike(given.key, of), told.value.filter((each) => each !== of));

/** @param {import("../core/queue.js").Told | undefined} of */
async function takeBackNow(of) {
  await telling.catch(() => {});
  if (of === undefined || !told.value.includes(of)) return;
  forget();
  try {
    const answer = await undo(given.key, of, board.value.version);
    await forgo(of);
    batch(() => {
      recorded.value = answer.version;
      takenBack.value = true;
      show(answer.state);
    });
  } catch (error) {
    await refused(error);
    if (error instanceof Refused && error.problem.code === "nothing-to-undo") await forgo(of);
  }
}
