import type { Calibration } from "../src/prompt/score.ts";
import { isFalseAlarmPart, type Judged } from "./calibrate.ts";
import { grouped } from "./grouped.ts";
import { languageOf } from "./languages-of-texts.ts";
import { kindOf } from "./prompt-corpora.ts";

/** The share of some texts that is flagged, and blocked. */
export type Line = { name: string; texts: number; flagged: number; blocked: number };
export type Part = { title: string; lines: Line[] };

const indirect = new Set(["indirect-explicit", "indirect_injection", "rag_poisoning", "payload_injection"]);
const isCore = ({ row }: Judged): boolean => kindOf(row) === "core";
const isPlain = ({ form }: Judged): boolean => form === "plain";
const isHard = (text: Judged): boolean => isFalseAlarmPart(text) && text.row.hard !== undefined;
const isEasy = (text: Judged): boolean => isFalseAlarmPart(text) && text.row.hard === undefined;

const kinds: readonly (readonly [name: string, is: (text: Judged) => boolean])[] = [
  ["attacks, core", (text) => isPlain(text) && isCore(text)],
  ["attacks, core, direct", (text) => isPlain(text) && isCore(text) && !indirect.has(text.row.cat)],
  [
    "attacks, core, in documents and tool output",
    (text) => isPlain(text) && isCore(text) && indirect.has(text.row.cat),
  ],
  ["core attacks put into a harmless document", ({ form }) => form === "hosted"],
  ["core attacks in a disguise", ({ form }) => form === "disguised"],
  ["attacks, other languages", (text) => isPlain(text) && kindOf(text.row) === "multilingual"],
  ["attacks by scenario or in plain words", (text) => isPlain(text) && kindOf(text.row) === "other"],
  ["harmless, easy", isEasy],
  ["harmless, easy, as they are", (text) => isPlain(text) && isEasy(text)],
  ["harmless, like attacks", isHard],
  ["harmless, quoting attacks", ({ row }) => row.label === 0 && row.quotes_payload === true],
];

const lengths = [200, 1000, 4000];
const lengthOf = ({ text }: Judged): string => {
  const above = lengths.findIndex((length) => text.length < length);
  return above < 0 ? `from ${lengths.at(-1)} characters` : `below ${lengths[above]} characters`;
};

/** How the texts are judged: by kind, and by source, length and language. */
export function partsOf(texts: readonly Judged[], thresholds: Calibration["thresholds"]): Part[] {
  const line = (name: string, some: readonly Judged[]): Line => ({
    name,
    texts: some.length,
    flagged: some.filter(({ score }) => score >= thresholds.review).length,
    blocked: some.filter(({ score }) => score >= thresholds.block).length,
  });
  const by = (title: string, nameOf: (text: Judged) => string, some: readonly Judged[]): Part => ({
    title,
    lines: [...grouped(some, nameOf)]
      .map(([name, group]) => line(name, group))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  });
  const [easy, hard] = [texts.filter(isEasy), texts.filter(isHard)];
  const core = texts.filter((text) => isPlain(text) && isCore(text));
  const source = ({ row }: Judged): string => row.source;
  const language = ({ row }: Judged): string => languageOf(row);
  return [
    { title: "All", lines: kinds.map(([name, is]) => line(name, texts.filter(is))).filter(({ texts: n }) => n > 0) },
    by("Core attacks by source", source, core),
    by(
      "Attacks by language",
      language,
      texts.filter((text) => isPlain(text) && text.row.label === 1),
    ),
    by("Easy harmless texts by length", lengthOf, easy),
    by("Harmless texts like attacks, by length", lengthOf, hard),
    flaggedOnly(by("Easy harmless texts, sources of which any is flagged", source, easy)),
    flaggedOnly(by("Harmless texts like attacks, sources of which any is flagged", source, hard)),
    by("Harmless texts by language", language, [...easy, ...hard].filter(isPlain)),
  ].filter(({ lines }) => lines.length > 0);
}

const flaggedOnly = ({ title, lines }: Part): Part => ({ title, lines: lines.filter(({ flagged }) => flagged > 0) });

/** Per cent of core attacks and of all harmless texts that are flagged. */
export function headlineOf(parts: readonly Part[]): { attacks: number; harmless: number } {
  const [attacks, ...others] = parts[0]?.lines ?? [];
  const harmless = others.filter(({ name }) => name === "harmless, easy" || name === "harmless, like attacks");
  const per = (lines: readonly Line[]): number =>
    Math.round(
      (1000 * lines.reduce((sum, { flagged }) => sum + flagged, 0)) /
        Math.max(
          1,
          lines.reduce((sum, { texts }) => sum + texts, 0),
        ),
    ) / 10;
  return { attacks: per(attacks ? [attacks] : []), harmless: per(harmless) };
}

/** A share in per cent; small ones with two digits. */
export const shareText = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(part > 0 && part < whole / 100 ? 2 : 1)} %`;

export function summary(texts: readonly Judged[], thresholds: Calibration["thresholds"]): string {
  const harmless = texts
    .filter(isFalseAlarmPart)
    .map(({ text }) => text.length)
    .sort((a, b) => a - b);
  const parts = partsOf(texts, thresholds).map(({ title, lines }) =>
    [
      title,
      ...lines.map(
        ({ name, texts: n, flagged, blocked }) =>
          `  ${name.padEnd(46)} ${String(n).padStart(6)} ${shareText(flagged, n).padStart(8)} ${shareText(blocked, n).padStart(8)}`,
      ),
    ].join("\n"),
  );
  const middle = harmless[harmless.length >> 1] ?? 0;
  return [
    `thresholds ${thresholds.review}, ${thresholds.block}; median of harmless texts: ${middle} characters`,
    ...parts,
  ].join("\n\n");
}
