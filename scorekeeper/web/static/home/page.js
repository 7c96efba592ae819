// @ts-check
import { ask } from "../core/api.js";
import { NAME_KEY } from "../core/device_name.js";
import { leave, onSend } from "../core/form.js";
import { say } from "../core/given.js";
import { keyOf } from "../core/keys.js";
import { areMeant } from "../core/namesakes.js";
import { namesIn, register } from "../core/registering.js";

onSend("enter", (fields) => leave(`/join#${encodeURIComponent(String(fields.get("code")).trim())}`));

onSend("create", async (fields) => {
  const names = namesIn(fields.get("players"));
  if (!(await areMeant(names))) return;
  const opening = { name: String(fields.get("name")).trim() };
  const { league } = await ask("/v1/leagues", { method: "POST", body: opening, key: keyOf(opening.name) });
  const root = `/v1/leagues/${league}`;
  await register(root, names);
  await enter(root);
  await leave(`/l/${league}`);
});

/** Make this browser a device of the new league. @param {string} root */
async function enter(root) {
  const invitation = await ask(`${root}/invitations`, { method: "POST", body: { role: "owner", uses: 1 } });
  const body = { code: invitation.code, name: sessionStorage.getItem(NAME_KEY) ?? say("First phone") };
  await ask("/v1/session", { method: "POST", body });
}
