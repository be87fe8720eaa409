/** FNV-1a over UTF-16 units. */
export const hashStart = 0x811c9dc5 | 0;
export const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** The hash of a word, from its units. Words are hashed as folded: lower case, letters and digits only. */
export function hashOf(word: string): number {
  let hash = hashStart;
  for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i));
  return hash;
}

/** A hash table from words to small positive numbers. Looking up an absent word usually takes one read. */
export class WordTable {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly values: Uint16Array;

  /** A word can be given by its hash. Of two with the same hash, the first is kept. */
  constructor(entries: Iterable<readonly [word: string | number, value: number]>) {
    const all = [...entries];
    const slots = 2 ** Math.ceil(Math.log2(all.length * 4 + 2));
    this.mask = slots - 1;
    this.hashes = new Int32Array(slots);
    this.values = new Uint16Array(slots);
    for (const [wordOrHash, value] of all)
      this.insert(typeof wordOrHash === "number" ? wordOrHash : hashOf(wordOrHash), value);
  }

  /** The number of the word with this hash, or 0. */
  get(hash: number): number {
    let slot = (hash ^ (hash >>> 15)) & this.mask;
    while (this.values[slot] !== 0) {
      if (this.hashes[slot] === hash) return this.values[slot] ?? 0;
      slot = (slot + 1) & this.mask;
    }
    return 0;
  }

  private insert(hash: number, value: number): void {
    let slot = (hash ^ (hash >>> 15)) & this.mask;
    while (this.values[slot] !== 0) {
      if (this.hashes[slot] === hash) return;
      slot = (slot + 1) & this.mask;
    }
    this.hashes[slot] = hash;
    this.values[slot] = value;
  }
}
