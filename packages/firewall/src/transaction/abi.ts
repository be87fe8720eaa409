import { digitsOf, hexAt, number4At, ZERO_QUAD } from "../chain/hex.ts";

/** An ABI type, as far as validating and finding values requires it. */
export type AbiType = { name: string; isDynamic: boolean; headDigits: number } & (
  | { kind: "word"; check: "unsigned" | "left" | "any"; digits: number }
  | { kind: "bytes" }
  | { kind: "array"; item: AbiType; length: number | null }
  | { kind: "tuple"; items: AbiType[] }
);

/** A range of calldata. Offsets count hexadecimal digits, two per byte; nothing is copied. */
export type Slice = { start: number; end: number };

/** A word is the offset of its 64 digits. */
export type Value = number | Slice | Value[];

/** The state of reading calldata. One is shared by all calls of a transaction, to avoid allocations. */
export type Reader = ReturnType<typeof readerOf>;

export const readerOf = (text: string, wordBudget: number) => ({
  text,
  digits: digitsOf(text),
  /** Words that may still be read. Bounds the work: valid calldata needs each word once per level of nesting. */
  words: wordBudget,
  limit: 0,
  /** Of the last decoding: bits outside the type of a value are set. Contracts may ignore or refuse them. */
  isDirty: false,
  /** Of the last decoding: the offset after the arguments. */
  end: 0,
});

export const UINT256_MAX = 2n ** 256n - 1n;
const WORD = 64;

/** The types between the parentheses of `name(type,…)`. Only for signatures of our own tables: it does not validate. */
export function typesOf(signature: string): AbiType[] {
  const open = signature.indexOf("(");
  return splitTypes(signature.slice(open + 1, -1)).map(parseType);
}

/**
 * The arguments of `types` from `start` to `end`. ABI offsets count from `start`. null when they cannot be read
 * completely.
 */
export function decode(reader: Reader, start: number, end: number, types: readonly AbiType[]): Value[] | null {
  reader.limit = end;
  reader.isDirty = false;
  reader.end = start;
  const values = readTuple(reader, types, start);
  reader.end = Math.min(end, reader.end);
  return values;
}

export function uintAt(text: string, index: number): bigint {
  // Twelve digits fit a double exactly, and most amounts have fewer.
  if (areZero(text, index, index + WORD - 12)) return BigInt(hexAt(text, index + WORD - 12, 12));
  return BigInt(`0x${text.slice(index, index + WORD)}`);
}

/** The number in a word, or null if it needs more than four bytes: no text is that long. */
export const lengthAt = (text: string, index: number): number | null =>
  areZero(text, index, index + WORD - 8) ? hexAt(text, index + WORD - 8, 8) : null;

export const addressAt = (text: string, index: number): string => `0x${text.slice(index + 24, index + WORD)}`;

export const isZeroWord = (text: string, index: number): boolean => areZero(text, index, index + WORD);

/** The values at `path`. "*" is every item of an array. */
export function select(values: Value[], path: readonly (number | "*")[]): Value[] {
  const matches: Value[] = [];
  collect(values, path, 0, matches);
  return matches;
}

function collect(value: Value, path: readonly (number | "*")[], from: number, matches: Value[]): void {
  let node = value;
  for (let index = from; index < path.length; index++) {
    const step = path[index];
    if (!Array.isArray(node) || step === undefined) return;
    if (step === "*") {
      for (const item of node) collect(item, path, index + 1, matches);
      return;
    }
    const next: Value | undefined = node[step];
    if (next === undefined) return;
    node = next;
  }
  matches.push(node);
}

function readTuple(reader: Reader, types: readonly AbiType[], base: number): Value[] | null {
  let position = base;
  // Allocated with the final length: growing arrays reserve much more.
  const values = new Array<Value>(types.length);
  for (let index = 0; index < types.length; index++) {
    const type = types[index];
    const value = type ? readHead(reader, type, base, position) : null;
    if (!type || value === null) return null;
    values[index] = value;
    position += type.headDigits;
  }
  return values;
}

/** A value with its head at `index`. The offset of a dynamic one counts from `base`. */
function readHead(reader: Reader, type: AbiType, base: number, index: number): Value | null {
  if (!type.isDynamic) return readBody(reader, type, index);
  const offset = readLength(reader, index);
  return offset === null ? null : readBody(reader, type, base + offset * 2);
}

function readBody(reader: Reader, type: AbiType, index: number): Value | null {
  switch (type.kind) {
    case "word":
      return readWord(reader, type, index);
    case "bytes":
      return readBytes(reader, index);
    case "tuple":
      return readTuple(reader, type.items, index);
    case "array":
      return readArray(reader, type, index);
    default:
      return type satisfies never;
  }
}

function readWord(reader: Reader, type: AbiType & { kind: "word" }, index: number): number | null {
  if (!take(reader, index, WORD)) return null;
  const { text } = reader;
  if (type.check === "unsigned" && !areZeroIn(reader, index, index + WORD - type.digits)) reader.isDirty = true;
  if (type.check === "left" && !areZeroIn(reader, index + type.digits, index + WORD)) reader.isDirty = true;
  if (type.name === "bool" && !areZero(text, index + WORD - 2, index + WORD - 1)) reader.isDirty = true;
  if (type.name === "bool" && text.charCodeAt(index + WORD - 1) > ONE) reader.isDirty = true;
  return index;
}

function readBytes(reader: Reader, index: number): Slice | null {
  const bytes = readLength(reader, index);
  const start = index + WORD;
  const length = (bytes ?? 0) * 2;
  if (bytes === null || length > reader.limit - start) return null;
  reader.end = Math.max(reader.end, start + Math.ceil(length / WORD) * WORD);
  return { start, end: start + length };
}

function readArray(reader: Reader, type: AbiType & { kind: "array" }, position: number): Value[] | null {
  const length = type.length ?? readLength(reader, position);
  const start = type.length === null ? position + WORD : position;
  const stride = type.item.headDigits;
  if (length === null || length * stride > reader.limit - start) return null;
  const items = new Array<Value>(length);
  for (let index = 0; index < length; index++) {
    const item = readHead(reader, type.item, start, start + index * stride);
    if (item === null) return null;
    items[index] = item;
  }
  return items;
}

/** A length or offset, or null when it exceeds what is left to read. */
function readLength(reader: Reader, index: number): number | null {
  if (!take(reader, index, WORD) || !areZeroIn(reader, index, index + WORD - 8)) return null;
  const value = number4At(reader.digits, (index + WORD - 8 - PREFIX) >> 1);
  return value <= reader.limit ? value : null;
}

function take(reader: Reader, index: number, length: number): boolean {
  if (index + length > reader.limit || reader.words <= 0) return false;
  reader.words--;
  reader.end = Math.max(reader.end, index + length);
  return true;
}

function areZero(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text.charCodeAt(index) !== ZERO) return false;
  return true;
}

/** As `areZero`. Packed calls are not aligned to four digits and are compared one by one. */
function areZeroIn({ text, digits: { quads } }: Reader, start: number, end: number): boolean {
  const from = start - PREFIX;
  if (((from | (end - start)) & 3) !== 0) return areZero(text, start, end);
  for (let index = from >> 2; index < (end - PREFIX) >> 2; index++) if (quads[index] !== ZERO_QUAD) return false;
  return true;
}

const PREFIX = 2;
const ZERO = 48;
const ONE = 49;

/** Splits at commas outside of parentheses. */
function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth++;
    else if (text[index] === ")") depth--;
    else if (text[index] === "," && depth === 0) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return text === "" ? [] : [...parts, text.slice(from)];
}

function parseType(name: string): AbiType {
  if (name.endsWith("]")) {
    const open = name.lastIndexOf("[");
    const size = name.slice(open + 1, -1);
    return arrayOf(name, parseType(name.slice(0, open)), size === "" ? null : Number(size));
  }
  if (name.startsWith("(")) return tupleOf(name, splitTypes(name.slice(1, -1)).map(parseType));
  if (name === "bytes" || name === "string") return { kind: "bytes", name, isDynamic: true, headDigits: WORD };
  if (name === "address") return wordOf(name, "unsigned", 20);
  if (name === "bool") return wordOf(name, "unsigned", 1);
  if (name.startsWith("uint")) return wordOf(name, "unsigned", Number(name.slice(4)) / 8);
  if (name.startsWith("bytes")) return wordOf(name, "left", Number(name.slice(5)));
  return wordOf(name, "any", 32);
}

const wordOf = (name: string, check: "unsigned" | "left" | "any", bytes: number): AbiType => ({
  kind: "word",
  name,
  check,
  digits: bytes * 2,
  isDynamic: false,
  headDigits: WORD,
});

function arrayOf(name: string, item: AbiType, length: number | null): AbiType {
  const isDynamic = length === null || item.isDynamic;
  return {
    kind: "array",
    name,
    item,
    length,
    isDynamic,
    headDigits: isDynamic ? WORD : (length ?? 0) * item.headDigits,
  };
}

function tupleOf(name: string, items: AbiType[]): AbiType {
  const isDynamic = items.some((item) => item.isDynamic);
  const headDigits = isDynamic ? WORD : items.reduce((sum, item) => sum + item.headDigits, 0);
  return { kind: "tuple", name, items, isDynamic, headDigits };
}
