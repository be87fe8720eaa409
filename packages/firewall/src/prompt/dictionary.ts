import { disguisedWords, spellingWords } from "../text/disguises.ts";
import { hashOf, WordTable } from "../text/hashes.ts";
import { lexiconEntries } from "../text/lexicon.ts";
import { markWords } from "./marks.ts";
import { orderWords } from "./orders.ts";
import { senseByHash } from "./senses.ts";
import { taskWords } from "./tasks.ts";

/**
 * Traits of a word, one bit each. A text without a word of a trait need not be searched for the patterns of that trait.
 */
export const [CUE, DISGUISED, SPELLING] = [1, 2, 4];

/** Every word that a rule looks for, in one table, so that each word of a text is looked up once. */
const entriesByHash = new Map<number, { lexicon: number; traits: number; sense: number }>();
const entryOf = (hash: number) => {
  const entry = entriesByHash.get(hash) ?? { lexicon: 0, traits: 0, sense: 0 };
  entriesByHash.set(hash, entry);
  return entry;
};
for (const [word, id] of lexiconEntries) {
  const entry = entryOf(hashOf(word));
  if (entry.lexicon === 0) entry.lexicon = id;
}
for (const [wordList, trait] of [
  [markWords, CUE],
  [orderWords, CUE],
  [taskWords, CUE],
  [disguisedWords, DISGUISED],
  [spellingWords, SPELLING],
] as const)
  for (const word of wordList) entryOf(hashOf(word)).traits |= trait;
for (const [hash, sense] of senseByHash) entryOf(hash).sense = sense;

export const dictionary = new WordTable([...entriesByHash.keys()].map((hash, index) => [hash, index + 1] as const));
/** A Bloom filter of the hashes: most words of a text are dismissed by one bit. */
export const listing = new Int32Array(1 << 11);
export const listedMask = listing.length - 1;
for (const hash of entriesByHash.keys())
  listing[(hash >>> 5) & listedMask] = (listing[(hash >>> 5) & listedMask] ?? 0) | (1 << (hash & 31));
/** By the number of a word in the dictionary: its index in the lexicon (0 for none), its traits and its sense (0 for none). */
export const lexiconPlaces = Uint16Array.from([0, ...[...entriesByHash.values()].map(({ lexicon }) => lexicon)]);
export const traitsOf = Uint8Array.from([0, ...[...entriesByHash.values()].map(({ traits }) => traits)]);
export const sensesOf = Uint8Array.from([0, ...[...entriesByHash.values()].map(({ sense }) => sense)]);
