import { standsAlone } from "./letters";
import { literalAt, stemOf, wordOf } from "./lexicon";

/** The words of a text: parallel arrays, so that a long text costs no object per word. */
export type Words = {
  count: number;
  hash: Int32Array;
  start: Int32Array;
  end: Int32Array;
  /** Index into the lexicon, 0 for a word the rules do not know. */
  word: Uint16Array;
  sentence: Int32Array;
  /** Words of letters and digits mixed, and the longest row of one-letter words: signs of disguise. */
  mixed: number;
  singles: number;
  /** The longest row of short words that begin with a digit or could be hexadecimal. */
  numbers: number;
  /** Words in which plain letters and digits stand beside an apostrophe or letters beyond ASCII. */
  parted: Int32Array;
  /** Which signs stand between the words: see `bitsOf`. */
  signs: number;
};

/** The signs that some rule cannot do without, a bit for each. */
const noted = '\n"#$%&(-./<=?@[\\_|!+:';
const signBits = new Int32Array(128);
for (let i = 0; i < noted.length; i++) signBits[noted.charCodeAt(i)] = 1 << i;

/** The bits that `Words.signs` has for the signs. */
export function bitsOf(signs: string): number {
  let bits = 0;
  for (let i = 0; i < signs.length; i++) {
    const bit = signBits[signs.charCodeAt(i)] ?? 0;
    if (bit === 0) throw new Error(`Not noted: ${signs.charAt(i)}`);
    bits |= bit;
  }
  return bits;
}

const [APOSTROPHE, NEWLINE, STOP, EXCLAMATION, QUESTION] = [39, 10, 46, 33, 63];
/** Below this a full stop ends nothing: "Ignore. All. Previous." is one sentence. */
const sentenceWordsMin = 3;

/** Folded unit of a letter or digit, 0 for anything else in ASCII. */
const folded = new Uint8Array(128);
for (let unit = 48; unit < 58; unit++) folded[unit] = unit;
for (let unit = 97; unit < 123; unit++) {
  folded[unit] = unit;
  folded[unit - 32] = unit;
}

const arraysFor = (room: number) => ({
  hash: new Int32Array(room),
  start: new Int32Array(room),
  end: new Int32Array(room),
  word: new Uint16Array(room),
  sentence: new Int32Array(room),
  parted: new Int32Array(room),
});
/** What a word is made of; an apostrophe is beyond letters and digits, too. */
const [DIGIT, LETTER, PLAIN, BEYOND] = [1, 2, 4, 8];
const none = new Int32Array(0);

/** Filled anew for each text and then copied from: fresh memory for the worst case costs more than the reading. */
let scratch = arraysFor(4096);

export function wordsOf(text: string): Words {
  if (scratch.hash.length <= text.length) scratch = arraysFor(text.length + 1);
  const { hash, start, end, word, sentence, parted } = scratch;
  let [signs, parts] = [0, 0];
  let [count, sentences, sentenceStart, mixed, row, singles, figures, numbers] = [0, 0, 0, 0, 0, 0, 0, 0];
  let i = 0;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    const first = unit < 128 ? (folded[unit] ?? 0) : unit;
    if (first === 0) {
      signs |= signBits[unit] ?? 0;
      if (endsSentence(text, unit, i) && count - sentenceStart >= sentenceWordsMin) {
        sentences++;
        sentenceStart = count;
      }
      i++;
      continue;
    }
    start[count] = i;
    sentence[count] = sentences;
    if (first > 127 && standsAlone(first)) {
      const literal = literalAt(text, i);
      const length = literal ? literal.text.length : 1;
      let value = 0x811c9dc5;
      for (let k = i; k < i + length; k++) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193);
      hash[count] = value;
      word[count] = literal ? literal.word : 0;
      i += length;
      row = length === 1 && count > 0 && (start[count] ?? 0) > (end[count - 1] ?? 0) ? row + 1 : 0;
      if (row > singles) singles = row;
    } else {
      let value = 0x811c9dc5;
      let kinds = 0;
      const from = i;
      while (i < text.length) {
        const next = text.charCodeAt(i);
        const letter = next < 128 ? (folded[next] ?? 0) : next;
        if (letter === 0) {
          const isInside = next === APOSTROPHE && i + 1 < text.length && (folded[text.charCodeAt(i + 1)] ?? 0) > 57;
          if (!isInside) break;
          kinds |= BEYOND;
        } else {
          if (letter > 127 && standsAlone(letter)) break;
          kinds |= letter < 58 ? DIGIT | PLAIN : letter < 128 ? LETTER | PLAIN : LETTER | BEYOND;
          value = Math.imul(value ^ letter, 0x01000193);
        }
        i++;
      }
      hash[count] = value;
      word[count] = wordOf(value) || stemOf(text, from, i);
      if ((kinds & (DIGIT | LETTER)) === (DIGIT | LETTER)) mixed++;
      if ((kinds & (PLAIN | BEYOND)) === (PLAIN | BEYOND)) parted[parts++] = count;
      figures = i - from > 1 && i - from < 9 && (kinds & DIGIT || i - from === 2) ? figures + 1 : 0;
      if (figures > numbers) numbers = figures;
      row = i - from === 1 && (kinds & LETTER) !== 0 ? row + 1 : 0;
      if (row > singles) singles = row;
    }
    end[count] = i;
    count++;
  }
  return {
    count,
    hash: hash.slice(0, count),
    start: start.slice(0, count),
    end: end.slice(0, count),
    word: word.slice(0, count),
    sentence: sentence.slice(0, count),
    mixed,
    singles,
    numbers,
    parted: parts === 0 ? none : parted.slice(0, parts),
    signs,
  };
}

/** Hash of the ASCII letters and digits from `start` to `end`, the same that a word of them has. */
export function plainHash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i++) value = Math.imul(value ^ (folded[text.charCodeAt(i)] ?? 0), 0x01000193);
  return value;
}

function endsSentence(text: string, unit: number, at: number): boolean {
  if (unit === NEWLINE) return text.charCodeAt(at + 1) === NEWLINE;
  if (unit !== STOP && unit !== EXCLAMATION && unit !== QUESTION) return false;
  const next = text.charCodeAt(at + 1);
  return next === 32 || next === NEWLINE || Number.isNaN(next);
}
