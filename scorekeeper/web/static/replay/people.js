// @ts-check
/** Choosing one of the people at the table. */
import { given } from "../core/given.js";
import { html } from "../vendor/preact.js";
import { name } from "./hands.js";

/** @param {{name: string}} props of the field */
export const Person = ({ name: field }) => html`<select name=${field}>${given.players.map((/** @type {string} */ player) => html`<option value=${player}>${name(player)}</option>`)}</select>`;
