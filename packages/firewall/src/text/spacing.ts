import { isKnown } from "./lexicon.ts";
import { Pieces } from "./pieces.ts";
import { segmented } from "./segments.ts";
import type { View } from "./view.ts";
import type { Words } from "./words.ts";

const spacedMin = 5;
const spacedTotalMax = 1024;
/** Words on both sides of a spaced-out row that are read together with it. */
const besideRow = 12;
const gluedTotalMax = 2048;

/**
 * Undoes "i g n o r e" and "i-g-n-o-r-e": joins the letters of a row at its commonest gap and cuts it at other gaps.
 */
export function unspaced(view: View, words: Words): View | undefined {
  if (words.singles < spacedMin) return undefined;
  const { start, end, count } = words;
  const pieces = new Pieces();
  let [remainingLetters, knownCount, added] = [spacedTotalMax, 0, 0];
  const addPlain = (from: number, to: number) => {
    for (let i = Math.max(from, added); i < to; i++)
      pieces.add(`${view.text.slice(start[i], end[i])} `, start[i] ?? 0, end[i] ?? 0);
    added = Math.max(added, to);
  };
  for (let first = 0; first < count && remainingLetters > 0; first++) {
    let last = first;
    while (last < count && last - first < remainingLetters && (end[last] ?? 0) - (start[last] ?? 0) === 1) last++;
    if (last - first >= spacedMin) {
      if (added > 0) addPlain(added, Math.min(first, added + besideRow));
      addPlain(first - besideRow, first);
      knownCount += addRow(view, words, first, last, pieces);
      added = last;
    }
    remainingLetters -= last - first;
    first = Math.max(first, last - 1);
  }
  if (knownCount === 0) return undefined;
  addPlain(added, Math.min(count, added + besideRow));
  return pieces.view(view);
}

/** Adds the words that the letters of a row spell. Returns how many are known. */
function addRow(view: View, { start, end }: Words, first: number, last: number, pieces: Pieces): number {
  const gapAfter = (i: number): number => {
    const length = (start[i + 1] ?? 0) - (end[i] ?? 0);
    return length === 0 ? 0 : length * 0x10000 + view.text.charCodeAt(end[i] ?? 0);
  };
  const gaps = new Map<number, number>();
  for (let i = first; i + 1 < last; i++) gaps.set(gapAfter(i), (gaps.get(gapAfter(i)) ?? 0) + 1);
  const joint = [...gaps].reduce((most, gap) => (gap[1] > most[1] ? gap : most), [0, 0])[0];
  // Scripts without spaces are not disguised.
  if (joint === 0) return 0;
  let knownCount = 0;
  let word = "";
  let wordStart = first;
  for (let i = first; i < last; i++) {
    word += view.text.charAt(start[i] ?? 0).toLowerCase();
    if (i + 1 < last && gapAfter(i) === joint) continue;
    const isWhole = isKnown(word);
    const parts = isWhole || gaps.size > 1 ? undefined : segmented(word);
    knownCount += parts ? parts.known : isWhole ? 1 : 0;
    pieces.add(`${parts ? parts.text : word} `, start[wordStart] ?? 0, end[i] ?? 0);
    word = "";
    wordStart = i + 1;
  }
  return knownCount;
}

/** Undoes "ignoreallpreviousinstructions". */
export function unglued(view: View, words: Words): View | undefined {
  if (words.longs === 0) return undefined;
  const pieces = new Pieces();
  let [remainingLetters, gluedCount] = [gluedTotalMax, 0];
  for (let k = 0; k < words.longs && remainingLetters > 0; k++) {
    const i = words.long[k] ?? 0;
    const [start, end] = [words.start[i] ?? 0, words.end[i] ?? 0];
    const glued = view.text.slice(start, Math.min(end, start + remainingLetters));
    remainingLetters -= glued.length;
    // Names in code consist of words too.
    if (/[a-z][A-Z]/.test(glued)) continue;
    const { text, known: knownCount, covered } = segmented(glued.toLowerCase());
    if (knownCount < 3 || covered * 3 < glued.length * 2) continue;
    pieces.add(`${text} `, start, end);
    gluedCount++;
  }
  return gluedCount > 0 ? pieces.view(view) : undefined;
}
