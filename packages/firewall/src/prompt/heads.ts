import { isLetterOrDigit } from "../text/view.ts";
import type { Words } from "../text/words.ts";

/** A set of beginnings of words. A text in which no word starts with one of them has no match. */
export class Heads {
  /** By the first two letters: the beginnings with them. */
  private readonly byStart: readonly (readonly string[])[];
  private readonly isStart: Uint8Array;

  constructor(heads: string) {
    const all = heads.split(" ");
    const mayBegin = (head: string, start: number) =>
      head.length === 1
        ? (head.charCodeAt(0) & 31) === start >> 5
        : startOf(head.charCodeAt(0), head.charCodeAt(1)) === start;
    this.byStart = Array.from({ length: 1 << 10 }, (_, start) => all.filter((head) => mayBegin(head, start)));
    this.isStart = Uint8Array.from(this.byStart, (some) => (some.length > 0 ? 1 : 0));
  }

  /** Whether a word, or a part of a word next to letters beyond ASCII, starts with one of the beginnings. */
  in({ units, start, end, parted, parts, count }: Words): boolean {
    const { isStart } = this;
    for (let i = 0; i < count; i++) {
      const index = start[i] ?? 0;
      if (isStart[startOf(units[index] ?? 0, units[index + 1] ?? 0)] === 1 && this.begins(units, index)) return true;
    }
    for (let p = 0; p < parts; p++) {
      const i = parted[p] ?? 0;
      for (let index = (start[i] ?? 0) + 1; index < (end[i] ?? 0); index++)
        if (!isLetterOrDigit(units[index - 1] ?? 0) && this.begins(units, index)) return true;
    }
    return false;
  }

  private begins(units: Uint16Array, index: number): boolean {
    for (const head of this.byStart[startOf(units[index] ?? 0, units[index + 1] ?? 0)] ?? []) {
      let k = 0;
      while (k < head.length && ((units[index + k] ?? 0) | 32) === head.charCodeAt(k)) k++;
      if (k === head.length) return true;
    }
    return false;
  }
}

const startOf = (first: number, second: number): number => ((first & 31) << 5) | (second & 31);
