import { disguisedWords, spellingWords } from "../text/disguises.ts";
import { hashOf, WordTable } from "../text/hashes.ts";
import { lexiconEntries } from "../text/lexicon.ts";

/**
 * Traits of a word, one bit each. A text without a word of a trait need not be searched for the disguise of that trait.
 */
export const [DISGUISED, SPELLING] = [1, 2];

/** Every word that is looked for, in one table, so that each word of a text is looked up once. */
const entriesByHash = new Map<number, { lexicon: number; traits: number }>();
const entryOf = (hash: number) => {
  const entry = entriesByHash.get(hash) ?? { lexicon: 0, traits: 0 };
  entriesByHash.set(hash, entry);
  return entry;
};
for (const [word, id] of lexiconEntries) {
  const entry = entryOf(hashOf(word));
  if (entry.lexicon === 0) entry.lexicon = id;
}
for (const [wordList, trait] of [
  [disguisedWords, DISGUISED],
  [spellingWords, SPELLING],
] as const)
  for (const word of wordList) entryOf(hashOf(word)).traits |= trait;

export const dictionary = new WordTable([...entriesByHash.keys()].map((hash, index) => [hash, index + 1] as const));
/** A Bloom filter of the hashes: most words of a text are dismissed by one bit. */
export const listing = new Int32Array(1 << 11);
export const listedMask = listing.length - 1;
for (const hash of entriesByHash.keys())
  listing[(hash >>> 5) & listedMask] = (listing[(hash >>> 5) & listedMask] ?? 0) | (1 << (hash & 31));
/** By the number of a word in the dictionary: its index in the lexicon (0 for none), and its traits. */
export const lexiconPlaces = Uint16Array.from([0, ...[...entriesByHash.values()].map(({ lexicon }) => lexicon)]);
export const traitsOf = Uint8Array.from([0, ...[...entriesByHash.values()].map(({ traits }) => traits)]);
