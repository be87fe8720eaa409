import { disguisedWords } from "../text/disguises.ts";
import { hashOf, WordTable } from "../text/hashes.ts";
import { lexiconEntries } from "../text/lexicon.ts";

/** Every word that is looked for, in one table, so that each word of a text is looked up once. */
const entriesByHash = new Map<number, { lexicon: number; isDisguise: boolean }>();
const entryOf = (hash: number) => {
  const entry = entriesByHash.get(hash) ?? { lexicon: 0, isDisguise: false };
  entriesByHash.set(hash, entry);
  return entry;
};
for (const [word, id] of lexiconEntries) {
  const entry = entryOf(hashOf(word));
  if (entry.lexicon === 0) entry.lexicon = id;
}
for (const word of disguisedWords) entryOf(hashOf(word)).isDisguise = true;

export const dictionary = new WordTable([...entriesByHash.keys()].map((hash, index) => [hash, index + 1] as const));
const entries = [...entriesByHash.values()];
/** By the number of a word in the dictionary: its index in the lexicon, 0 for none, and 1 if a word that attacks need looks so in a disguise. */
export const lexiconPlaces = Uint16Array.from([0, ...entries.map(({ lexicon }) => lexicon)]);
export const disguises = Uint8Array.from([0, ...entries.map(({ isDisguise }) => (isDisguise ? 1 : 0))]);
