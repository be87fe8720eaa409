import type { View } from "./view.ts";

/** Characters that are displayed as nothing and have no sound. A row of them carries or hides a message. */
const veils = new Uint8Array(0x10000).fill(1, 0xe000, 0xf900);
for (const unit of "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u3164\u2800\u115f\uffa0")
  veils[unit.charCodeAt(0)] = 1;
const isVeil = (unit: number): boolean => veils[unit] === 1;
const isBraille = (unit: number): boolean => unit > 0x2800 && unit <= 0x28ff;
const [BRAILLE_BLANK, letterMin, punctuationMin, punctuationMax] = [0x2800, 0x590, 0x2000, 0x206f];

/** Enough for a finding: a row of this length, or as many in total that are this share of the text. */
const [rowMin, shareMin] = [8, 0.05];
const decodedMin = 4;
const bitsMax = 60_000;
/** An encoding uses two characters for bits, and others as separators. */
const unitsMax = 4;

export type Veil = { start: number; end: number; decoded: View | undefined };

/** Collects the invisible characters of a text. */
export class Veils {
  private readonly places: number[] = [];
  private row = 0;
  private longest = 0;
  private hasBraille = false;

  /** Reads the character at `index`. Joiners after letters of other scripts and in emoji are legitimate. */
  see(text: string, index: number): void {
    const unit = text.charCodeAt(index);
    if (isBraille(unit)) this.hasBraille = true;
    if (!isVeil(unit)) return;
    const previousUnit = index > 0 ? text.charCodeAt(index - 1) : 0;
    const isSpelling =
      previousUnit >= letterMin &&
      !isVeil(previousUnit) &&
      !(previousUnit >= punctuationMin && previousUnit <= punctuationMax);
    if (isSpelling && this.places.at(-1) !== index - 1) return;
    this.row = this.places.at(-1) === index - 1 ? this.row + 1 : 1;
    if (this.row > this.longest) this.longest = this.row;
    this.places.push(index);
  }

  /** The result, or undefined when there are few. */
  of(text: string): Veil | undefined {
    const places = this.hasBraille
      ? this.places.filter((index) => text.charCodeAt(index) !== BRAILLE_BLANK)
      : this.places;
    const isRow = this.longest >= rowMin && places.length >= rowMin;
    if (!isRow && (places.length < rowMin || places.length < text.length * shareMin)) return undefined;
    return {
      start: places[0] ?? 0,
      end: (places.at(-1) ?? 0) + 1,
      decoded: decoded(text, places.slice(0, bitsMax)),
    };
  }
}

/** Decodes letters written as bits, one character for 0 and one for 1, with an optional separator. */
function decoded(text: string, places: readonly number[]): View | undefined {
  const counts: { unit: number; count: number }[] = [];
  for (const index of places) {
    const unit = text.charCodeAt(index);
    const tally = counts.find((one) => one.unit === unit);
    if (tally) tally.count++;
    else if (counts.push({ unit, count: 1 }) > unitsMax) return undefined;
  }
  const [a, b] = counts.sort((x, y) => y.count - x.count).map(({ unit }) => unit);
  if (a === undefined || b === undefined) return undefined;
  const bits = places.filter((index) => text.charCodeAt(index) === a || text.charCodeAt(index) === b);
  for (const width of [8, 7])
    for (const one of [a, b]) {
      const view = inBits(text, bits, one, width);
      if (view) return view;
    }
  return undefined;
}

function inBits(text: string, bits: readonly number[], one: number, width: number): View | undefined {
  const count = Math.floor(bits.length / width);
  if (count < decodedMin) return undefined;
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  let letters = "";
  for (let i = 0; i < count; i++) {
    let letter = 0;
    for (let k = 0; k < width; k++) letter = letter * 2 + (text.charCodeAt(bits[i * width + k] ?? 0) === one ? 1 : 0);
    if (letter !== 10 && (letter < 32 || letter > 126)) return undefined;
    letters += String.fromCharCode(letter);
    from[i] = bits[i * width] ?? 0;
    to[i] = (bits[i * width + width - 1] ?? 0) + 1;
  }
  return { text: letters, from, to };
}
