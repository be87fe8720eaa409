import { bytesFor, emptied, textFrom } from "./bytes.ts";
import { bitsOf } from "./signs.ts";
import { standIn, type View } from "./view.ts";
import type { Words } from "./words.ts";

/** Shorter runs are rows of dashes and dots, not text. */
const runMin = 16;
const knownMin = 6;
const [NEWLINE, SPACE, DASH, DOT] = [10, 32, 45, 46];

/** Letters by Morse code as a binary number: a leading 1, then 1 for a dash and 0 for a dot. */
const [noCode, wordEnd] = [128, 129];
const morseLetter = new Uint8Array(wordEnd + 1);
morseLetter[wordEnd] = SPACE;
".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
  .split(" ")
  .forEach((code, index) => {
    const digits = code.replaceAll(".", "0").replaceAll("-", "1");
    morseLetter[Number.parseInt(`1${digits}`, 2)] = "abcdefghijklmnopqrstuvwxyz0123456789".charCodeAt(index);
  });

const isMorse = (unit: number): boolean =>
  unit === 46 || unit === 45 || unit === 47 || unit === 32 || unit === 124 || unit === 10;

const morseSigns = bitsOf(".-");

export function morseRuns(view: View, words: Words): View[] {
  const { text } = view;
  const runs: View[] = [];
  if ((words.signs & morseSigns) === 0 || !/[.-]{2}[ /|\n]/.test(text)) return runs;
  const { units } = words;
  for (let start = 0; start + runMin <= text.length; ) {
    let end = start + runMin - 1;
    while (end >= start && isMorse(units[end] ?? 0)) end--;
    if (end < start) {
      for (end = start + runMin; end < text.length && isMorse(units[end] ?? 0); ) end++;
      const decoded = fromMorse(units, start, end);
      if (decoded !== undefined) runs.push(standIn(view, decoded, start, end));
    }
    start = end + 1;
  }
  return runs;
}

/** The text of a run in Morse code. An unknown code becomes a full stop, or a space if it is long. */
function fromMorse(units: Uint16Array, start: number, end: number): string | undefined {
  const [bytes, letters] = [bytesFor(end - start), morseLetter];
  let [code, codeStart, count, knownCount] = [1, start, 0, 0];
  for (let i = start; i <= end; i++) {
    const unit = i < end ? (units[i] ?? 0) : SPACE;
    if (unit === DOT || unit === DASH) code = Math.min((code << 1) | (unit === DASH ? 1 : 0), noCode);
    else if (unit !== SPACE && unit !== NEWLINE) code = i === codeStart ? wordEnd : noCode;
    else {
      const length = i - codeStart;
      const letter = letters[code] ?? 0;
      if (letter !== 0) knownCount++;
      if (length > 0) bytes[count++] = letter !== 0 ? letter : length > 6 ? SPACE : DOT;
      code = 1;
      codeStart = i + 1;
    }
  }
  if (knownCount >= knownMin && knownCount * 4 >= count * 3) return textFrom(count);
  emptied(count);
  return undefined;
}
