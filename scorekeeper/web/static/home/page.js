// @ts-check
import { ask, uuid } from "../core/api.js";
import { onSend } from "../core/form.js";
import { say } from "../core/words.js";

onSend("enter", async (fields) => {
  location.assign(`/join#${encodeURIComponent(String(fields.get("code")).trim())}`);
});

// The keys are those of this page: a request whose answer was lost is not carried out twice.
const keys = { league: uuid(), players: uuid() };

onSend("create", async (fields) => {
  const opening = { name: String(fields.get("name")).trim() };
  const { league } = await ask("/v1/leagues", { method: "POST", body: opening, key: keys.league });
  const root = `/v1/leagues/${league}`;
  const names = String(fields.get("players")).split("\n").map((name) => name.trim()).filter(Boolean);
  for (const [line, name] of names.entries()) {
    await ask(`${root}/players`, { method: "POST", body: { name }, key: `${keys.players}-${line}` });
  }
  await enter(root);
  location.assign(`/l/${league}`);
});

/** From here on this browser is a device of the league, as every other. @param {string} root */
async function enter(root) {
  const invitation = await ask(`${root}/invitations`, { method: "POST", body: { role: "owner", uses: 1 } });
  const body = { code: invitation.code, name: say("First phone") };
  await ask("/v1/session", { method: "POST", body });
}
