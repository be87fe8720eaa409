import { disguiseAtRandom } from "./disguises.ts";
import { grouped } from "./grouped.ts";
import { isHarmless, kindOf, type PromptRow } from "./prompt-corpora.ts";
import { drawBy, embedded, randomFrom } from "./random.ts";

/** How a text came about: as collected, glued from harmless texts, an attack inside a document, a disguised attack. */
export type Form = "plain" | "glued" | "hosted" | "disguised";
export type MeasuredText = { row: PromptRow; form: Form; text: string };

/** Words of a glued text, and the characters that the scan reads. */
const [gluedMin, gluedMax, charactersMax] = [40, 4500, 24_000];
/** Glued texts of a source with `n` texts: `n` times the first, plus the second, at most the third. */
const [gluedShare, gluedPlus, gluedMost] = [2, 30, 700];
const [hostLengthMin, hostLengthMax, hostedLengthMax, hostedShare] = [600, 8000, 500, 0.3];
const [disguisedLengthMax, disguisedShare] = [400, 0.25];

/** The rows, and what the protocol makes of them (see `bench/PROTOCOL.md`). The same seed gives the same texts. */
export function measuredTexts(rows: readonly PromptRow[], seed: number): MeasuredText[] {
  const random = randomFrom(seed);
  const draw = drawBy(random);
  const texts: MeasuredText[] = rows.map((row) => ({ row, form: "plain", text: row.text.slice(0, charactersMax) }));
  const harmless = grouped(rows.filter(isHarmless), ({ source }) => source);
  for (const some of harmless.values()) {
    const count = Math.min(Math.round(some.length * gluedShare) + gluedPlus, gluedMost);
    for (let k = 0; k < count; k++) {
      const aim = Math.round(gluedMin * (gluedMax / gluedMin) ** random());
      const parts: string[] = [];
      for (let words = 0; words < aim && parts.length < 400; ) {
        const { text } = draw(some);
        parts.push(text);
        words += text.split(/\s+/).length;
      }
      const text = parts.join("\n\n").slice(0, charactersMax);
      texts.push({ row: draw(some), form: "glued", text });
    }
  }
  const hosts = rows.filter((row) => isHarmless(row) && row.text.length > hostLengthMin);
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind !== "core" && kind !== "multilingual") continue;
    if (row.text.length < hostedLengthMax && hosts.length > 0 && random() < hostedShare) {
      const host = draw(hosts).text.slice(0, hostLengthMax);
      texts.push({ row, form: "hosted", text: embedded(random, row.text, host) });
    }
    if (kind === "core" && row.text.length < disguisedLengthMax && random() < disguisedShare)
      texts.push({ row, form: "disguised", text: disguiseAtRandom(row.text, random) });
  }
  return texts;
}
