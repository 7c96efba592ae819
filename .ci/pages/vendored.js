// What the one vendored file exports; vendor.js bundles it.
import { h } from "preact";
import htm from "htm";

export { Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useRef } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal } from "@preact/signals";
export const html = htm.bind(h);
