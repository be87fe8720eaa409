import type { Words } from "../text/words.ts";

/** A quotation has at most this many units, so that a search takes time in proportion to the length of the text. */
const quotation = /"[^"\n]{8,400}"|“[^“”]{8,400}”|„[^„“]{8,400}“|«[^«»]{8,400}»|`[^`\n]{8,400}`/g;
/** Before a value in code or data, and not before what somebody is said to have written. */
const assigning = /[:=([{<]\s?$/;

/** Sums of weights without the words in quotation marks, or undefined when there are none. `placeOf`: where a word starts in `text`. */
export function unquoted(
  text: string,
  words: Words,
  placeOf: (wordIndex: number) => number,
  perWord: Int32Array,
): Int32Array | undefined {
  let rest: Int32Array | undefined;
  let next = 0;
  for (const { index, 0: quoted } of text.matchAll(quotation)) {
    if (assigning.test(text.slice(Math.max(0, index - 2), index))) continue;
    while (next < words.count && placeOf(next) < index) next++;
    for (; next < words.count && placeOf(next) < index + quoted.length; next++) {
      rest ??= perWord.slice(0, words.count);
      rest[next] = 0;
    }
  }
  return rest;
}
