const encoder = new TextEncoder();
let bytes = new Uint8Array(4096);
/** Shorter texts are as quickly read one by one. */
const copiedMin = 64;

/** The text's bytes, until another one's are asked for; nothing where it holds more than ASCII. */
function bytesOf(text: string): Uint8Array | undefined {
  const length = text.length;
  // What is beyond ASCII mostly shows in a few places: then nothing is copied in vain.
  for (let i = 0; i < length; i += (length >> 4) + 1) if (text.charCodeAt(i) > 127) return undefined;
  if (bytes.length < length) bytes = new Uint8Array(length);
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read === length && written === length) return bytes.subarray(0, length);
  bytes.fill(0, 0, written);
  return undefined;
}

/** Whether there is nothing but ASCII in the text. */
export function isAscii(text: string): boolean {
  if (text.length < copiedMin) return !/[\u0080-\uffff]/.test(text);
  const found = bytesOf(text);
  found?.fill(0);
  return found !== undefined;
}

/** Fills in the text's units. ASCII is copied as a whole. */
export function spell(text: string, units: Uint16Array): void {
  const found = text.length < copiedMin ? undefined : bytesOf(text);
  if (found) {
    units.set(found);
    found.fill(0);
  } else for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
}
