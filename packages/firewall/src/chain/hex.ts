/** The number that `digits` lower-case hexadecimal digits from `at` on write; at most 12 of them, or it would not be exact. */
export function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const code = text.charCodeAt(i);
    value = value * 16 + (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

/** The same of a function's four bytes, as a signed number of 32 bits: engines keep those without allocating. */
export function selectorAt(text: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + 8; i++) {
    const code = text.charCodeAt(i);
    value = (value << 4) | (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

const [DIGIT_ZERO, LETTER_A] = [48, 97];
const PREFIX = 2;

/** A text's digits behind its prefix, two and four at a time: read so they take a fraction of the time. */
export type Digits = { pairs: Uint16Array; quads: Uint32Array };

const encoder = new TextEncoder();
let bytes = new Uint8Array(1 << 17);
let [pairs, quads] = [new Uint16Array(bytes.buffer), new Uint32Array(bytes.buffer)];

/** There until another text's are asked for. */
export function digitsOf(text: string): Digits {
  spell(text);
  return { pairs, quads };
}

/** What `bytes` holds, and how many of them. */
let [spelt, length] = ["", 0];

/** Fills in the digits behind the text's prefix. */
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

/** Whether lower-case hexadecimal digits in pairs, and nothing else, follow a prefix of two characters. */
export function areBytes(text: string): boolean {
  spell(text);
  const [isOther, fours, end] = [isNoPair, quads, length >> 2];
  let found = length % 2;
  for (let at = 0; at < end; at++) {
    const four = fours[at] ?? 0;
    if (four !== ZERO_QUAD) found |= (isOther[four & 0xffff] ?? 1) | (isOther[four >>> 16] ?? 1);
  }
  if (length % 4 === 2) found |= isOther[pairs[(length >> 1) - 1] ?? 0] ?? 1;
  return found === 0;
}

/** Four digits that are zero. */
export const ZERO_QUAD = 0x30303030;

/** The number that eight digits write, which begin with pair `at`. */
export function number4At({ pairs }: Digits, at: number): number {
  const value = byteOf;
  const low = ((value[pairs[at + 2] ?? 0] ?? 0) << 8) | (value[pairs[at + 3] ?? 0] ?? 0);
  return (((value[pairs[at] ?? 0] ?? 0) << 8) | (value[pairs[at + 1] ?? 0] ?? 0)) * 0x10000 + low;
}

/** By two digits as the machine has them in memory: the byte that they write, and whether they write none. */
const byteOf = new Uint8Array(1 << 16);
const isNoPair = new Uint8Array(1 << 16).fill(1);
for (let byte = 0; byte < 256; byte++) {
  encoder.encodeInto(byte.toString(16).padStart(2, "0"), bytes);
  byteOf[pairs[0] ?? 0] = byte;
  isNoPair[pairs[0] ?? 0] = 0;
}
