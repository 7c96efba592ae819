// @ts-check
import { reloadAt } from "../core/reload.js";
import { onSend } from "../core/form.js";
import { given } from "../core/given.js";
import { namesIn, register } from "../core/registering.js";

onSend("add", async (fields) => {
  await register(`/v1/leagues/${given.league}`, namesIn(fields.get("players")));
  await reloadAt("#add button");
});
