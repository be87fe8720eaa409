import type { Span } from "../verdict.ts";

/** A text as the rules read it, with a map from its units to places in the original. */
export type View = {
  text: string;
  /** Start and end in the original of each unit. Absent when units map to themselves. */
  from?: Int32Array;
  to?: Int32Array;
  /** The whole text maps to this place. */
  whole?: Span;
  /** The units of the text, valid until its words are read or another text is cleaned. */
  units?: Uint16Array;
};

/** The place in the original of units `start` to `end`. */
export function spanOf(view: View, start: number, end: number): Span {
  if (end <= start) return { start, end };
  if (view.whole) return { start: view.whole.start, end: view.whole.end };
  if (!view.from || !view.to) return { start, end };
  const [a = 0, b = 0, c = 0, d = 0] = [view.from[start], view.from[end - 1], view.to[start], view.to[end - 1]];
  return { start: Math.min(a, b), end: Math.max(c, d) };
}

/** A view of a part of `parent`: unit i maps to its units `from[i]` to `to[i]`. */
export function derived(parent: View, text: string, from: Int32Array, to: Int32Array): View {
  if (parent.whole) return { text, whole: parent.whole };
  const { from: starts, to: ends } = parent;
  if (starts && ends)
    for (let i = 0; i < text.length; i++) {
      const first = from[i] ?? 0;
      const last = Math.max(first, (to[i] ?? 0) - 1);
      from[i] = Math.min(starts[first] ?? 0, starts[last] ?? 0);
      to[i] = Math.max(ends[first] ?? 0, ends[last] ?? 0);
    }
  return { text, from, to };
}

/** Decoded text in place of the run from `start` to `end`: every place in it maps to the whole run. */
export const standIn = (view: View, text: string, start: number, end: number): View => ({
  text,
  whole: spanOf(view, start, end),
});

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** The text of the first `length` units. Half of a surrogate pair becomes U+FFFD. */
export const textOf = (codes: Uint16Array, length: number): string => decoder.decode(codes.subarray(0, length));

export const isLatin = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122;

export const isLetterOrDigit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);

export const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** Arrays are reused for every text, then copied from: allocating memory for the worst case costs more than reading the text. */
const arraysFor = (room: number) => ({
  codes: new Uint16Array(room),
  from: new Int32Array(room),
  to: new Int32Array(room),
});
let scratch = arraysFor(4096);

/** Writes a view unit by unit. One at a time can be written. */
export class Output {
  length = 0;
  /** Whether a unit maps to another place than its own. */
  private isMoved = false;
  readonly codes: Uint16Array;
  private readonly from: Int32Array;
  private readonly to: Int32Array;

  /** `room`: how many units can be written. */
  constructor(room: number) {
    if (scratch.codes.length < room) scratch = arraysFor(room);
    this.codes = scratch.codes;
    this.from = scratch.from;
    this.to = scratch.to;
  }

  put(unit: number, from: number, to: number): void {
    const { length } = this;
    if (from !== length || to !== from + 1) this.isMoved = true;
    this.codes[length] = unit;
    this.from[length] = from;
    this.to[length] = to;
    this.length++;
  }

  view(): View & { units: Uint16Array } {
    const { codes, from, to, length, isMoved } = this;
    const places = isMoved ? { from: from.slice(0, length), to: to.slice(0, length) } : {};
    return { text: textOf(codes, length), units: codes.subarray(0, length), ...places };
  }
}
