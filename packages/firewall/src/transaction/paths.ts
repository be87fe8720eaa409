import { addressAt, isZeroWord, type Slice, select, type Value } from "./abi.ts";
import type { Path } from "./effects.ts";

export const isSlice = (value: Value | undefined): value is Slice => typeof value === "object" && !Array.isArray(value);

const isWord = (value: Value): value is number => typeof value === "number";

export const wordsAt = (values: Value[], path: Path): number[] => select(values, path).filter(isWord);

export const addressesAt = (text: string, values: Value[], path: Path): string[] =>
  path.length === 0 ? [] : wordsAt(values, path).map((index) => addressAt(text, index));

/** Whether any word at a path is not zero. */
export function isAnySet(text: string, values: Value[], path: Path): boolean {
  return wordsAt(values, path).some((index) => !isZeroWord(text, index));
}
