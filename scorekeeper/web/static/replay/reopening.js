// @ts-check
/** Opens again what somebody was at when the language was switched: a dispute, or "What if". */
import { keep } from "../core/switching.js";
import { toggle } from "./asking.js";

if (keep("dispute", () => [])?.length > 0) void toggle("dispute");
if (keep("what-if", () => null)) void toggle("what-if");
