import { hashed, hashStart } from "../text/hashes.ts";
import { standsAlone } from "../text/letters.ts";
import { literalAt, stemOf } from "../text/lexicon.ts";
import { bitsOf, signBits } from "../text/signs.ts";
import { isLatin } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import { dictionary, disguises, lexiconPlaces } from "./dictionary.ts";

/** Flags of a character, above the 8 bits of its folded unit. */
const [DIGIT, LETTER] = [1 << 8, 2 << 8];
const MIXED = DIGIT | LETTER;
/** By ASCII unit: the folded unit of a letter or digit with its flags, 0 for others. */
const folded = new Uint16Array(128);
for (let unit = 48; unit < 58; unit++) folded[unit] = unit | DIGIT;
for (let unit = 97; unit < 123; unit++) {
  folded[unit] = unit | LETTER;
  folded[unit - 32] = unit | LETTER;
}

const APOSTROPHE = 39;
/** Signs that are used as letters, and those of them that are used inside a word. */
const letterSigns = bitsOf("@$!|+(%");
const insideSigns = bitsOf("@$!|+");
const longMin = 12;

const arraysFor = (room: number) => ({
  units: new Uint16Array(room),
  hash: new Int32Array(room),
  start: new Int32Array(room),
  end: new Int32Array(room),
  word: new Uint16Array(room),
  known: new Int32Array(room),
  long: new Int32Array(room),
  mixed: new Int32Array(room),
  mark: new Int32Array(room),
});
type Room = ReturnType<typeof arraysFor>;

/** Pools arrays between texts: allocating them costs more than reading a text. */
export class Rooms {
  private readonly rooms: Room[] = [];
  /** By room: how many units are in use. */
  private readonly filled: number[] = [];

  /** The words of the text, valid until `clear`. `codes`, its units if given, are zeroed. */
  wordsOf(text: string, codes: Uint16Array | undefined): Words {
    const index = this.filled.push(text.length) - 1;
    const room = this.rooms[index];
    const fitting =
      room && room.hash.length > text.length ? room : arraysFor(Math.max(roomMin, text.length + (text.length >> 2)));
    this.rooms[index] = fitting;
    const words = wordsOf(text, fitting, codes);
    codes?.fill(0);
    return words;
  }

  /** Zeroes the used units, so that no part of a text stays in memory. */
  clear(): void {
    for (const [index, length] of this.filled.entries()) this.rooms[index]?.units.fill(0, 0, length);
    this.filled.length = 0;
  }
}

const roomMin = 1024;

/** The words of the text, in arrays that may be longer. `codes` are the units of the text, if already known. */
export function wordsOf(text: string, room = arraysFor(text.length + 1), codes?: Uint16Array): Words {
  const { units, hash, start, end, word: wordIds, known: knownIndexes, long, mixed, mark } = room;
  const length = text.length;
  if (codes) units.set(codes);
  else for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
  // Local copies: engines look up module variables at every use.
  const [letters, bitsFor, table] = [folded, signBits, dictionary];
  const [places, disguised] = [lexiconPlaces, disguises];
  let [count, row, singles, figures, numbers] = [0, 0, 0, 0, 0];
  let [isSigned, longs, mixes, marks] = [false, 0, 0, 0];
  let [signs, widest, knowns, disguiseBits] = [0, 0, 0, 0];
  let i = 0;
  while (i < length) {
    const unit = units[i] ?? 0;
    const first = unit < 128 ? (letters[unit] ?? 0) : unit;
    if (first === 0) {
      const bits = bitsFor[unit] ?? 0;
      if (bits !== 0) {
        signs |= bits;
        if ((bits & letterSigns) !== 0) {
          mark[marks++] = i;
          if ((bits & insideSigns) !== 0 && isLatin(units[i - 1] ?? 0) && isLatin(units[i + 1] ?? 0)) isSigned = true;
        }
      }
      i++;
      continue;
    }
    start[count] = i;
    if (unit > 127 && standsAlone(unit)) {
      const literal = literalAt(text, i);
      const width = literal ? literal.text.length : 1;
      let value = hashStart;
      for (let k = i; k < i + width; k++) value = hashed(value, units[k] ?? 0);
      hash[count] = value;
      wordIds[count] = literal ? literal.word : 0;
      if (literal) knownIndexes[knowns++] = count;
      i += width;
      row = width === 1 && count > 0 && (start[count] ?? 0) > (end[count - 1] ?? 0) ? row + 1 : 0;
      if (row > singles) singles = row;
    } else {
      let value = hashStart;
      let kinds = 0;
      const from = i;
      while (i < length) {
        const next = units[i] ?? 0;
        if (next < 128) {
          const letter = letters[next] ?? 0;
          if (letter !== 0) {
            kinds |= letter;
            value = hashed(value, letter & 127);
          } else {
            if (next !== APOSTROPHE || i + 1 >= length) break;
            if (((letters[units[i + 1] ?? 0] ?? 0) & LETTER) === 0) break;
          }
        } else {
          if (standsAlone(next)) break;
          kinds |= LETTER;
          value = hashed(value, next);
        }
        i++;
      }
      hash[count] = value;
      const entry = table.get(value);
      const id = (places[entry] ?? 0) || stemOf(units, from, i);
      wordIds[count] = id;
      if (id !== 0) knownIndexes[knowns++] = count;
      disguiseBits |= disguised[entry] ?? 0;
      const width = i - from;
      if (width > widest) widest = width;
      if (id === 0 && width >= longMin) long[longs++] = count;
      if ((kinds & MIXED) === MIXED) mixed[mixes++] = count;
      figures = width > 1 && width < 9 && ((kinds & DIGIT) !== 0 || width === 2) ? figures + 1 : 0;
      if (figures > numbers) numbers = figures;
      row = width === 1 && (kinds & LETTER) !== 0 ? row + 1 : 0;
      if (row > singles) singles = row;
    }
    end[count] = i;
    count++;
  }
  // A single literal: engines read objects built by spreading more slowly.
  return {
    count,
    units,
    hash,
    start,
    end,
    word: wordIds,
    known: knownIndexes,
    knowns,
    isDisguised: disguiseBits !== 0,
    mixed,
    mixes,
    mark,
    marks,
    singles,
    widest,
    long,
    longs,
    isSigned,
    numbers,
    signs,
  };
}
