import { addressAt, isZeroWord, type Slice, select, type Value } from "./abi.ts";
import type { Path } from "./effects.ts";

export const isSlice = (value: Value | undefined): value is Slice => typeof value === "object" && !Array.isArray(value);

const isWord = (value: Value | undefined): value is number => typeof value === "number";

/** The word at a path without "*", or null. */
export function wordAt(values: Value[], path: Path): number | null {
  const [first] = path;
  if (path.length !== 1 || typeof first !== "number") return null;
  const value = values[first];
  return isWord(value) ? value : null;
}

export function wordsAt(values: Value[], path: Path): number[] {
  const offset = wordAt(values, path);
  return offset === null ? select(values, path).filter(isWord) : [offset];
}

export const addressesAt = (text: string, values: Value[], path: Path): string[] =>
  path.length === 0 ? [] : wordsAt(values, path).map((index) => addressAt(text, index));

/** Whether any word at a path is not zero. */
export function isAnySet(text: string, values: Value[], path: Path): boolean {
  return wordsAt(values, path).some((index) => !isZeroWord(text, index));
}
