import type { Draw } from "./attack-carriers.ts";
import { randomFrom } from "./attack-grammar.ts";
import { playForms, playLists, unruledForms, unruledLists } from "./play-parts.ts";
import { filled } from "./wider-rows.ts";

const unruledShare = 0.3;

/**
 * `count` role plays, harmless ones and ones that take an assistant's rules away. The same seed gives the same texts.
 */
export function playRows(count: number, seed: number): { text: string; label: 0 | 1 }[] {
  const random = randomFrom(seed);
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
  return Array.from({ length: count }, () =>
    random() < unruledShare
      ? { text: filled(draw, draw(unruledForms), unruledLists), label: 1 as const }
      : { text: filled(draw, draw(playForms), playLists), label: 0 as const },
  );
}
