import { isLetterOrDigit } from "./view";
import type { Words } from "./words";

/** Beginnings of words, looked for in a text's words by their first two letters: a text without any has no match. */
export class Heads {
  /** By the first two letters, the heads that begin with them. */
  private readonly byStart: readonly (readonly string[])[];

  constructor(heads: string) {
    const all = heads.split(" ");
    const mayBegin = (head: string, start: number) =>
      head.length === 1 ? (head.charCodeAt(0) & 31) === start >> 5 : startOf(head, 0) === start;
    this.byStart = Array.from({ length: 1 << 10 }, (_, start) => all.filter((head) => mayBegin(head, start)));
  }

  /** Whether any word begins with one of the heads, or any part of a word that letters beyond ASCII part. */
  in(text: string, words: Words): boolean {
    const { start, end, parted, parts, count } = words;
    for (let i = 0; i < count; i++) if (this.begins(text, start[i] ?? 0)) return true;
    for (let p = 0; p < parts; p++) {
      const i = parted[p] ?? 0;
      for (let at = (start[i] ?? 0) + 1; at < (end[i] ?? 0); at++)
        if (!isLetterOrDigit(text.charCodeAt(at - 1)) && this.begins(text, at)) return true;
    }
    return false;
  }

  private begins(text: string, at: number): boolean {
    for (const head of this.byStart[startOf(text, at)] ?? []) {
      let k = 0;
      while (k < head.length && (text.charCodeAt(at + k) | 32) === head.charCodeAt(k)) k++;
      if (k === head.length) return true;
    }
    return false;
  }
}

const startOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 31) << 5) | (at + 1 < text.length ? text.charCodeAt(at + 1) & 31 : 0);
