const NEWLINE = 10;

/** How many letters of a text of this length may be malformed UTF-8. */
const brokenMax = (length: number): number => 2 + (length >> 4);

/** Reused for every run: memory is not allocated per run. Emptied after use, so that nothing of a text remains. */
let scratch = new Uint8Array(1024);

/** The shared buffer, with room for at least `length` bytes. */
export function bytesFor(length: number): Uint8Array {
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch;
}

/**
 * Decodes digits of `bits` bits each into bytes, in the shared buffer. Returns the number of bytes, or -1 for what has a few unreadable
 * ones and is no text.
 */
export function bytesOf(units: Uint16Array, start: number, end: number, bits: number, values: Int8Array): number {
  const bytes = bytesFor(((end - start) * bits) >> 3);
  let [buffer, filled, odd, length] = [0, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const unit = units[i] ?? 0;
    if (unit === NEWLINE) continue;
    const value = unit < 128 ? (values[unit] ?? -1) : -1;
    if (value < 0) return emptied(length);
    buffer = ((buffer << bits) | value) & 0xffff;
    filled += bits;
    if (filled < 8) continue;
    filled -= 8;
    const byte = (buffer >> filled) & 255;
    if (!isReadable(byte) && ++odd > 2 + (length >> 4)) return emptied(length);
    bytes[length++] = byte;
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
