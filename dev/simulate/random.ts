import type { Hex } from "viem";

/** Seeded random numbers, identical on every machine. */
export type Random = {
  /** An integer from `min` to `max`, inclusive. */
  int: (min: number, max: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(from: readonly [T, ...T[]]) => T;
  /** A name, drawn by weight. */
  weighted: <T extends string>(weights: Readonly<Partial<Record<T, number>>>) => T;
  hex: (bytes: number) => Hex;
};

/** The generator sfc32, seeded with splitmix32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const split = () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  let [a, b, c, counter] = [split(), split(), split(), 1];
  const next = () => {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + drawn;
    return drawn >>> 0;
  };
  for (let warming = 0; warming < 12; warming++) next();

  const int: Random["int"] = (min, max) => min + (next() % (max - min + 1));
  return {
    int,
    chance: (probability) => next() < probability * 2 ** 32,
    pick: (from) => from[int(0, from.length - 1)] ?? from[0],
    weighted: <T extends string>(weights: Readonly<Partial<Record<T, number>>>) => {
      const entries = Object.entries(weights) as [T, number][];
      let index = int(
        1,
        entries.reduce((sum, [, weight]) => sum + weight, 0),
      );
      for (const [name, weight] of entries) {
        index -= weight;
        if (index <= 0) return name;
      }
      throw new Error("nothing to draw from");
    },
    hex: (bytes) => `0x${Array.from({ length: bytes }, () => int(0, 255).toString(16).padStart(2, "0")).join("")}`,
  };
}
