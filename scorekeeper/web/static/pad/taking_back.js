// @ts-check
/** Taking back the last round that this phone told: from the queue if it still waits there, otherwise in the log. */
import { Refused, Unreachable, ask } from "../core/api.js";
import { drop } from "../core/queue.js";
import { strike, undo } from "../core/undo.js";
import { say } from "../core/words.js";
import { away, board, comeAt, cutOff, inTurn, key, moveUp, notice, read, sendNow, show, told, waiting } from "./state.js";

/** Take back the last round of this phone. It is chosen at the press: a second press before the first is done means the same round. */
export function takeBack() {
  const of = waiting.value.at(-1)?.id ?? told.value.at(-1);
  return inTurn(() => takeBackNow(of));
}

/** @param {import("../core/queue.js").Told | undefined} of */
async function takeBackNow(of) {
  const waits = waiting.value.find((tap) => tap.id === of);
  if (waits && !waits.tried) {
    read(await drop(key, waits.id, { moveUp: false }));
    return comeAt(waits.round);
  }
  await sendNow();
  if (waiting.value.length > 0 && away.value) notice.value = say("It may be saved already. Take it back once there is a connection.");
  if (waiting.value.length > 0 || of === undefined || !told.value.includes(of)) return;
  try {
    await gone(of, await undo(key, of, board.value.version));
    notice.value = say("Taken back.");
  } catch (error) {
    if (error instanceof Unreachable) cutOff(error);
    else if (!(error instanceof Refused)) throw error;
    else if (error.problem.status === 412) await catchUp();
    else {
      if (error.problem.code === "nothing-to-undo") await gone(of);
      notice.value = error.message;
    }
  }
}

/** @param {import("../core/queue.js").Told} of @param {any} [answer] left out if it had been taken back before */
async function gone(of, answer) {
  read(await strike(key, of));
  show(answer?.state);
  await moveUp();
}

/** Somebody else has told something meanwhile: show it before the person presses again. */
async function catchUp() {
  show(await ask(key));
  notice.value = say("Somebody told something meanwhile. Look, and try again.");
}
