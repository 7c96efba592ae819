// @ts-check
import { ask, uuid } from "../core/api.js";
import { onSend } from "../core/form.js";
import { given } from "../core/given.js";

// The key is this page's: a request whose answer was lost is not carried out twice.
const key = uuid();

onSend("add", async (fields) => {
  const names = String(fields.get("players")).split("\n").map((name) => name.trim()).filter(Boolean);
  for (const [line, name] of names.entries()) {
    await ask(`/v1/leagues/${given.league}/players`, { method: "POST", body: { name }, key: `${key}-${line}` });
  }
  location.reload();
});
