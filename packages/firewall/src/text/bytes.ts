const NEWLINE = 10;

/** How many letters of a text of this length may be malformed UTF-8. */
export const brokenMax = (length: number): number => 2 + (length >> 4);

/** Reused for every run: memory is not allocated per run. Emptied after use, so that nothing of a text remains. */
let scratch = new Uint8Array(1024);

/** The shared buffer, with room for at least `length` bytes. */
export function bytesFor(length: number): Uint8Array {
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch;
}

/**
 * Decodes digits of `bits` bits each into bytes, in the shared buffer. Returns the number of bytes, or -1 for what is
 * not text: a few unreadable bytes, or more malformed letters than `most`.
 */
export function bytesOf(
  units: Uint16Array,
  start: number,
  end: number,
  bits: number,
  values: Int8Array,
  most: number,
): number {
  const [bytes, isText] = [bytesFor(((end - start) * bits) >> 3), readable];
  let [buffer, filled, odd, length] = [0, 0, 0, 0];
  // The UTF-8 letter being read: how many bytes are missing, and the range of the next one.
  let [missing, least, greatest, broken] = [0, 0x80, 0xbf, 0];
  for (let i = start; i < end; i++) {
    // The common case: four digits of base64 are three letters of ASCII.
    if (bits === 6 && filled === 0 && missing === 0) {
      while (i + 4 <= end) {
        const [a, b, c, d] = [units[i] ?? 0, units[i + 1] ?? 0, units[i + 2] ?? 0, units[i + 3] ?? 0];
        if ((a | b | c | d) > 127) break;
        const [p, q, r, s] = [values[a] ?? -1, values[b] ?? -1, values[c] ?? -1, values[d] ?? -1];
        if ((p | q | r | s) < 0) break;
        const [x, y, z] = [(p << 2) | (q >> 4), ((q & 15) << 4) | (r >> 2), ((r & 3) << 6) | s];
        if ((x | y | z) > 127 || ((isText[x] ?? 0) & (isText[y] ?? 0) & (isText[z] ?? 0)) === 0) break;
        bytes[length] = x;
        bytes[length + 1] = y;
        bytes[length + 2] = z;
        length += 3;
        i += 4;
      }
      if (i >= end) break;
    }
    const unit = units[i] ?? 0;
    if (unit === NEWLINE) continue;
    const value = unit < 128 ? (values[unit] ?? -1) : -1;
    if (value < 0) return emptied(length);
    buffer = ((buffer << bits) | value) & 0xffff;
    filled += bits;
    if (filled < 8) continue;
    filled -= 8;
    const byte = (buffer >> filled) & 255;
    if (isText[byte] === 0 && ++odd > 2 + (length >> 4)) return emptied(length);
    bytes[length++] = byte;
    if (missing > 0) {
      if (byte >= least && byte <= greatest) {
        missing--;
        least = 0x80;
        greatest = 0xbf;
        continue;
      }
      missing = 0;
      if (++broken > most) return emptied(length);
    }
    if (byte < 0x80) continue;
    if (byte < 0xc2 || byte > 0xf4) {
      if (++broken > most) return emptied(length);
      continue;
    }
    missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    greatest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }
  return length;
}

/** Empties the buffer after a failure. Returns -1. */
export function emptied(length: number): number {
  scratch.fill(0, 0, length);
  return -1;
}

/** Whether a byte occurs in text: printable, white space, or part of a letter beyond ASCII. */
const readable = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 32 && byte !== 127) || byte === 10 || byte === 13 || byte === 9 ? 1 : 0,
);
export const isReadable = (byte: number): boolean => readable[byte] === 1;

/**
 * The text in the first `length` bytes, or undefined for noise: its bytes can be readable one by one, but few of them
 * are letters.
 */
export function letters(length: number): string | undefined {
  const bytes = scratch;
  let [plain, beyond] = [0, 0];
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte > 127) beyond++;
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) plain++;
  }
  if ((plain + beyond) * 2 < length) {
    emptied(length);
    return undefined;
  }
  const text = textFrom(length);
  if (beyond === 0) return text;
  let broken = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 0xfffd) broken++;
  return broken > brokenMax(text.length) ? undefined : text;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
export function textFrom(length: number): string {
  const text = decoder.decode(scratch.subarray(0, length));
  scratch.fill(0, 0, length);
  return text;
}
