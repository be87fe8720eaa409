/** mulberry32: numbers from 0 (inclusive) to 1 (exclusive). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The text as lines of its own inside `host`, at a space of it. */
export function embedded(random: () => number, text: string, host: string): string {
  const place = Math.max(0, host.indexOf(" ", Math.floor(random() * host.length)));
  return `${host.slice(0, place)}\n${text}\n${host.slice(place)}`;
}

export type Draw = <T>(list: readonly T[]) => T;

/** A random entry of a list that has one. */
export const drawBy =
  (random: () => number): Draw =>
  (list) =>
    list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
