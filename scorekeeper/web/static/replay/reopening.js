// @ts-check
/** Opens the dispute again that somebody was writing when the language was switched. */
import { keep } from "../core/switching.js";
import { toggle } from "./asking.js";

if (keep("dispute", () => [])?.length > 0) void toggle("dispute");
