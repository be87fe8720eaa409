/** The number in `digits` lower-case hexadecimal digits from `index`. With more than 12 digits it would not be exact. */
export function hexAt(text: string, index: number, digits: number): number {
  let value = 0;
  for (let i = index; i < index + digits; i++) {
    const code = text.charCodeAt(i);
    value = value * 16 + (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

/** The selector at `index`, as a signed 32-bit number: engines store these without allocating. */
export function selectorAt(text: string, index: number): number {
  let value = 0;
  for (let i = index; i < index + 8; i++) {
    const code = text.charCodeAt(i);
    value = (value << 4) | (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

const [DIGIT_ZERO, LETTER_A] = [48, 97];
const PREFIX = 2;

/** The digits after the prefix of a text, as pairs and as groups of four. Comparing these is several times faster. */
export type Digits = { pairs: Uint16Array; quads: Uint32Array };

const encoder = new TextEncoder();
let bytes = new Uint8Array(1 << 17);
let [pairs, quads] = [new Uint16Array(bytes.buffer), new Uint32Array(bytes.buffer)];

/** The digits of `text`. The result is overwritten by the next call with another text. */
export function digitsOf(text: string): Digits {
  spell(text);
  return { pairs, quads };
}

/** The text whose digits `bytes` has, and their number. */
let [spelt, length] = ["", 0];

/** Copies the digits after the prefix into `bytes`. */
function spell(text: string): void {
  if (text === spelt) return;
  if (bytes.length < text.length * 3) {
    bytes = new Uint8Array((text.length + 1) * 4);
    pairs = new Uint16Array(bytes.buffer);
    quads = new Uint32Array(bytes.buffer);
  }
  length = encoder.encodeInto(text.slice(PREFIX), bytes).written;
  spelt = text;
}

/** Whether the text after a prefix of two characters is pairs of lower-case hexadecimal digits only. */
export function areBytes(text: string): boolean {
  spell(text);
  const [isOther, fours, end] = [isNoPair, quads, length >> 2];
  let invalidBits = length % 2;
  for (let index = 0; index < end; index++) {
    const four = fours[index] ?? 0;
    if (four !== ZERO_QUAD) invalidBits |= (isOther[four & 0xffff] ?? 1) | (isOther[four >>> 16] ?? 1);
  }
  if (length % 4 === 2) invalidBits |= isOther[pairs[(length >> 1) - 1] ?? 0] ?? 1;
  return invalidBits === 0;
}

/** Four zero digits, as an entry of `quads`. */
export const ZERO_QUAD = 0x30303030;

/** The number in the eight digits that start at pair `index`. */
export function number4At({ pairs }: Digits, index: number): number {
  const value = byteOf;
  const low = ((value[pairs[index + 2] ?? 0] ?? 0) << 8) | (value[pairs[index + 3] ?? 0] ?? 0);
  return (((value[pairs[index] ?? 0] ?? 0) << 8) | (value[pairs[index + 1] ?? 0] ?? 0)) * 0x10000 + low;
}

/** By two digits in the machine's byte order: the byte that they encode, and whether they are not hexadecimal. */
const byteOf = new Uint8Array(1 << 16);
const isNoPair = new Uint8Array(1 << 16).fill(1);
for (let byte = 0; byte < 256; byte++) {
  encoder.encodeInto(byte.toString(16).padStart(2, "0"), bytes);
  byteOf[pairs[0] ?? 0] = byte;
  isNoPair[pairs[0] ?? 0] = 0;
}
