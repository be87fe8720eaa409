/**
 * Attacks and harmless look-alikes composed from parts. They teach the model the classes of attacks of which the corpora have
 * too few examples.
 */

import { carried, type Draw, misspelt } from "./attack-carriers.ts";
import { type GameList, gameLists, games, type HarmlessList, harmless, harmlessLists } from "./attack-games.ts";
import { type AttackPart, attackForms, attackParts } from "./attack-parts.ts";
import { benignLists, dailyLists, playLists } from "./lookalike-parts.ts";

const attackShare = 0.6;
const [gameShare, carriedShare, misspeltShare] = [0.35, 0.3, 0.12];

/** `count` labelled rows. The same seed gives the same rows. */
export function grammarRows(count: number, seed: number): { text: string; label: 0 | 1 }[] {
  const random = randomFrom(seed);
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
  return Array.from({ length: count }, () =>
    random() < attackShare
      ? { text: surrounded(draw, random, attack(draw, random)), label: 1 as const }
      : { text: surrounded(draw, random, lookalike(draw, random)), label: 0 as const },
  );
}

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

/** The same for both labels: otherwise the model would learn the surroundings instead of the text. */
function surrounded(draw: Draw, random: () => number, text: string): string {
  const spelt = random() < misspeltShare ? misspelt(draw, text) : text;
  return random() < carriedShare ? carried(draw, spelt) : spelt;
}

const isPart = (part: string): part is AttackPart => part in attackParts;

function attack(draw: Draw, random: () => number): string {
  if (random() < gameShare) return draw(games).replace(/\{(\w+)\}/g, (_, list) => draw(gameLists[list as GameList])); // Games name only lists of gameLists.
  const parts = draw(attackForms).map((part) => (isPart(part) ? draw(attackParts[part]) : part));
  return parts
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll(" ,", ",")
    .replaceAll(" .", ".");
}

function lookalike(draw: Draw, random: () => number): string {
  if (random() < gameShare)
    return draw(harmless).replace(/\{(\w+)\}/g, (_, list) => draw(harmlessLists[list as HarmlessList])); // The same of harmlessLists.
  const kind = draw([0, 1, 2, 3, 4]);
  if (kind === 2) {
    const { who, did, please, end } = dailyLists;
    return `${draw(who)} ${draw(did)}, ${draw(please)}. ${draw(end)}`;
  }
  if (kind === 0) {
    const { role, reply, request } = playLists;
    return `I want you to act as ${draw(role)}. ${draw(reply)} ${draw(reply)} ${draw(request)}`;
  }
  if (kind === 1) return `${draw(playLists.filler)} ${draw(playLists.filler)}`;
  return draw([0, 1]) === 0
    ? `${draw(benignLists.ask)} ${draw(benignLists.chore)}.`
    : `${draw(benignLists.talk)} ${draw(benignLists.talk)}`;
}
