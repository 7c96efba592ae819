// @ts-check
/** Taking back what this phone told last: here while it waits, else in the log. */
import { Refused, Unreachable, ask } from "../core/api.js";
import { drop } from "../core/queue.js";
import { strike, undo } from "../core/undo.js";
import { say } from "../core/words.js";
import { away, board, cutOff, inTurn, key, notice, read, sendNow, show, told, waiting } from "./state.js";

/** Take back the last round that this phone told. */
export const takeBack = () => inTurn(takeBackNow);

async function takeBackNow() {
  const last = waiting.value.at(-1);
  if (last && !last.tried) return read(await drop(key, last.id, { moveUp: false }));
  await sendNow();
  const of = told.value.at(-1);
  if (waiting.value.length > 0 && away.value) notice.value = say("It may be saved already. Take it back once there is a connection.");
  if (waiting.value.length > 0 || of === undefined) return;
  try {
    const answer = await undo(key, of, board.value.version);
    read(await strike(key, of));
    show(answer.state);
    notice.value = say("Taken back.");
  } catch (error) {
    if (error instanceof Unreachable) cutOff(error);
    else if (!(error instanceof Refused)) throw error;
    else if (error.problem.status === 412) await catchUp();
    else {
      if (error.problem.code === "nothing-to-undo") read(await strike(key, of));
      notice.value = error.message;
    }
  }
}

/** Somebody told something meanwhile; the person sees it before the next touch. */
async function catchUp() {
  show(await ask(key));
  notice.value = say("Somebody told something meanwhile. Look, and try again.");
}
