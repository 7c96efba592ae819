// @ts-check
import { onSend } from "../core/form.js";
import { given } from "../core/given.js";
import { namesIn, register } from "../core/registering.js";

onSend("add", async (fields) => {
  await register(`/v1/leagues/${given.league}`, namesIn(fields.get("players")));
  location.reload();
});
