/** The value of a hexadecimal digit, or -1. */
export function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

const encoder = new TextEncoder();
let bytes = new Uint8Array(4096);
/** Copying pays off only for longer texts, in units. */
const copiedMin = 64;

/** The bytes of an ASCII text, valid until the next call, or undefined for other texts. */
function bytesOf(text: string): Uint8Array | undefined {
  const length = text.length;
  // Samples a few places first: most texts beyond ASCII are recognised without copying them.
  for (let i = 0; i < length; i += (length >> 4) + 1) if (text.charCodeAt(i) > 127) return undefined;
  if (bytes.length < length) bytes = new Uint8Array(length);
  const { read: unitsRead, written } = encoder.encodeInto(text, bytes);
  if (unitsRead === length && written === length) return bytes.subarray(0, length);
  bytes.fill(0, 0, written);
  return undefined;
}

/** Whether the text is ASCII only. */
export function isAscii(text: string): boolean {
  if (text.length < copiedMin) return !/[\u0080-\uffff]/.test(text);
  const asciiBytes = bytesOf(text);
  asciiBytes?.fill(0);
  return asciiBytes !== undefined;
}

/** Copies the units of the text into `units`. ASCII is copied as a whole. */
export function spell(text: string, units: Uint16Array): void {
  const asciiBytes = text.length < copiedMin ? undefined : bytesOf(text);
  if (asciiBytes) {
    units.set(asciiBytes);
    asciiBytes.fill(0);
  } else for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
}
