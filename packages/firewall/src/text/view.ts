import type { Span } from "../verdict.ts";

/** A text as the rules read it, with a map from its units to places in the original. */
export type View = {
  text: string;
  /** Start and end in the original of each unit. Absent when units map to themselves. */
  from?: Int32Array;
  to?: Int32Array;
  /** A sparse form of the same map. `placesOf` expands it. */
  moves?: Moves;
  /** The whole text maps to this place. */
  whole?: Span;
  /** The units of the text, valid until its words are read or another text is cleaned. */
  units?: Uint16Array;
};

/**
 * Unit `at[k]` maps to units `from[k]` to `to[k]` of the original. Units up to `at[k + 1]` follow it one for one.
 */
export type Moves = { at: Int32Array; from: Int32Array; to: Int32Array };

/** The place in the original of units `start` to `end`. */
export function spanOf(view: View, start: number, end: number): Span {
  if (end <= start) return { start, end };
  if (view.whole) return { start: view.whole.start, end: view.whole.end };
  if (view.from && view.to) {
    const [a = 0, b = 0, c = 0, d = 0] = [view.from[start], view.from[end - 1], view.to[start], view.to[end - 1]];
    return { start: Math.min(a, b), end: Math.max(c, d) };
  }
  return view.moves ? { start: placeIn(view.moves, start, 0), end: placeIn(view.moves, end - 1, 1) } : { start, end };
}

/** Start in the original of a unit, or its end for `width` 1. Moves are in ascending order. */
function placeIn({ at: offsets, from, to }: Moves, unit: number, width: 0 | 1): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= unit) low = middle + 1;
    else high = middle;
  }
  const last = low - 1;
  if (last < 0) return unit + width;
  const steps = unit - (offsets[last] ?? 0);
  if (steps > 0) return (to[last] ?? 0) + steps - 1 + width;
  return (width === 1 ? to[last] : from[last]) ?? 0;
}

/** For each unit of the view, its start and end in the original. undefined if each unit maps to itself, or all to one place. */
export function placesOf(view: View): { from: Int32Array; to: Int32Array } | undefined {
  if (view.from && view.to) return { from: view.from, to: view.to };
  if (!view.moves) return undefined;
  const { at: offsets, from: starts, to: ends } = view.moves;
  const length = view.text.length;
  const [from, to] = [new Int32Array(length), new Int32Array(length)];
  let [place, next] = [0, 0];
  for (let i = 0; i < length; i++) {
    if (offsets[next] === i) {
      from[i] = starts[next] ?? 0;
      place = ends[next++] ?? 0;
    } else from[i] = place++;
    to[i] = place;
  }
  view.from = from;
  view.to = to;
  return { from, to };
}

/** A view of a part of `parent`: unit i maps to its units `from[i]` to `to[i]`. */
export function derived(parent: View, text: string, from: Int32Array, to: Int32Array): View {
  if (parent.whole) return { text, whole: parent.whole };
  const places = placesOf(parent);
  if (places) {
    const { from: starts, to: ends } = places;
    for (let i = 0; i < text.length; i++) {
      const first = from[i] ?? 0;
      const last = Math.max(first, (to[i] ?? 0) - 1);
      from[i] = Math.min(starts[first] ?? 0, starts[last] ?? 0);
      to[i] = Math.max(ends[first] ?? 0, ends[last] ?? 0);
    }
  }
  return { text, from, to };
}

/** `view` was derived from `parent`. Returns it with positions in the original text instead of in `parent`. */
export function composed(parent: View, view: View): View {
  if (parent.whole) return { ...view, whole: parent.whole };
  if (!parent.moves && !parent.from) return view;
  const places = placesOf(view);
  return places ? { ...view, ...derived(parent, view.text, places.from, places.to) } : { ...parent, ...view };
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
