// @ts-check
/**
 * Says that the match was amended since the page was loaded. The page stays as it is until somebody asks for it anew: they may be reading or
 * writing in it.
 */
import { given, say } from "../core/given.js";
import { follow } from "../core/live.js";
import { html, render } from "../vendor/preact.js";

const place = document.createElement("div");

const Amended = () => html`<p role="alert" class="notice">${say("This match was amended meanwhile.")} <button type="button" class="plain" onClick=${() => location.reload()}>${say("Open the page anew")}</button></p>`;

follow(given.key, {
  state({ amendments }) {
    if (amendments === given.amended) return;
    // Above the buttons at the foot of the screen, so that it is seen and moves nothing.
    document.getElementById("controls")?.prepend(place);
    render(html`<${Amended} />`, place);
  },
  silent() {},
  shut() {},
});
