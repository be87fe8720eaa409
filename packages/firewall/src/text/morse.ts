import { bitsOf } from "./signs.ts";
import { standIn, type View } from "./view.ts";
import type { Words } from "./words.ts";

const letters: ReadonlyMap<string, string> = new Map(
  "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----."
    .split(" ")
    .map((entry): [string, string] => [entry.slice(1), entry.charAt(0)])
    .concat([
      ["/", " "],
      ["|", " "],
    ]),
);
/** Shorter runs are rows of dashes and dots, not text. */
const run = /[-./ |\n]{16,}/g;
const knownMin = 6;
const morseSigns = bitsOf(".-");

/** Texts in Morse code. */
export function* morseRuns(view: View, words: Words): Generator<View> {
  if ((words.signs & morseSigns) === 0 || !/[.-]{2}[ /|\n]/.test(view.text)) return;
  for (const { index, 0: code } of view.text.matchAll(run)) {
    const decoded = fromMorse(code);
    if (decoded !== undefined) yield standIn(view, decoded, index, index + code.length);
  }
}

/** The text of a run. An unknown code becomes a full stop, or a space if it is long. */
function fromMorse(text: string): string | undefined {
  const codes = text.split(/[ \n]/).filter((code) => code !== "");
  const knownCount = codes.filter((code) => letters.has(code)).length;
  if (knownCount < knownMin || knownCount * 4 < codes.length * 3) return undefined;
  return codes.map((code) => letters.get(code) ?? (code.length > 6 ? " " : ".")).join("");
}
