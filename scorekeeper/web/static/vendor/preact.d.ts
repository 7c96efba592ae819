// The types of the vendored file, for the check only.
import type { ComponentChildren } from "preact";

export { Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useRef } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal } from "@preact/signals";
export type { ReadonlySignal, Signal } from "@preact/signals";
export type { ComponentChildren };
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren;
