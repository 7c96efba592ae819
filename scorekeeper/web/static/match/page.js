// @ts-check
/** Opens a match again that was ended by mistake, whichever device ended it. */
import { Refused, ask } from "../core/api.js";
import { onSend } from "../core/form.js";
import "../core/fresh.js";
import { given } from "../core/given.js";
import { reloadAt } from "../core/reload.js";

onSend("reopen", async () => {
  try {
    await ask(`${given.key}/undo`, { method: "POST", body: {}, ifMatch: given.version });
  } catch (error) {
    // 412: something was told or taken back meanwhile. The person looks at that first.
    if (!(error instanceof Refused) || error.problem.status !== 412) throw error;
  }
  await reloadAt("h1");
});
