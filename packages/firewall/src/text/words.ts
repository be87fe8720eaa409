/** The words of a text, as parallel arrays: a long text then costs no object per word. `count` of their entries are valid. */
export type Words = {
  count: number;
  /** The UTF-16 units of the text. The array may be longer than the text. */
  units: Uint16Array;
  /** By word: its hash (see `hashOf`), and where it starts and ends in the text (`end` exclusive). */
  hash: Int32Array;
  start: Int32Array;
  end: Int32Array;
  /** By word: its index in the lexicon, 0 when the lexicon does not have it. */
  word: Uint16Array;
  /** Indexes of the `knowns` words that the lexicon has. */
  known: Int32Array;
  knowns: number;
  /** Whether any word may be a disguised form of a word that attacks need. */
  isDisguised: boolean;
  /** Indexes of the `mixes` words that mix letters and digits. */
  mixed: Int32Array;
  mixes: number;
  /** Offsets in the text of the `marks` signs that may be used as letters. */
  mark: Int32Array;
  marks: number;
  /** Length of the longest row of one-letter words. */
  singles: number;
  /** Length of the longest word. */
  widest: number;
  /** Indexes of the `longs` words outside the lexicon that are long enough to be several words glued together. */
  long: Int32Array;
  longs: number;
  /** Whether a sign that may be used as a letter has letters on both sides. */
  isSigned: boolean;
  /** Length of the longest row of short words that have digits or could be hexadecimal. */
  numbers: number;
  /** Which signs occur between the words, as a bit set: see `bitsOf`. */
  signs: number;
};
