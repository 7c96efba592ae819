// @ts-check
import "../core/switching.js";
import { count } from "../core/given.js";

const clauses = [...document.querySelectorAll("ol.clauses > li")].map((element) => ({
  element: /** @type {HTMLElement} */ (element),
  text: (element.textContent ?? "").toLowerCase(),
}));
const search = /** @type {HTMLInputElement} */ (document.querySelector("#search input"));
const status = /** @type {HTMLElement} */ (document.querySelector("[role=status]"));
const house = /** @type {HTMLElement | null} */ (document.querySelector("section[aria-labelledby=house-rules]"));

search.form?.addEventListener("submit", (event) => event.preventDefault());
function seek() {
  const wanted = search.value.toLowerCase().trim().split(/\s+/);
  let found = 0;
  for (const { element, text } of clauses) {
    const shown = wanted.every((word) => text.includes(word));
    element.hidden = !shown;
    found += Number(shown);
  }
  // The heading of the house rules is hidden if none of them is found.
  if (house) house.hidden = ![...house.querySelectorAll("li")].some((clause) => !clause.hidden);
  status.textContent = search.value.trim() ? count(found, "{n} clause", "{n} clauses") : "";
}

search.addEventListener("input", seek);
// The page in the other language may have kept what was searched for.
seek();
