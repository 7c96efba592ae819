// @ts-check
import { onSend } from "../core/form.js";
import { given } from "../core/given.js";
import { areMeant } from "../core/namesakes.js";
import { namesIn, register } from "../core/registering.js";
import { reloadAt } from "../core/reload.js";

onSend("add", async (fields, form) => {
  const root = `/v1/leagues/${given.league}`;
  const names = namesIn(fields.get("players"));
  if (!(await areMeant(names, root))) return;
  await register(root, names);
  // Firefox fills in again what a page held when it was reloaded.
  form.reset();
  await reloadAt("#add button");
});
