import { row, shareText, type Table, tableText } from "../bench/report.ts";
import type { Calibration } from "../src/prompt/score.ts";
import { isFalseAlarmPart, type Judged } from "./calibrate.ts";
import { grouped } from "./grouped.ts";
import { languageOf } from "./languages-of-texts.ts";
import { kindOf } from "./prompt-corpora.ts";

type Thresholds = Calibration["thresholds"];
/** Texts, and how many of them are flagged and blocked. */
type Line = { name: string; texts: number; flagged: number; blocked: number };

const indirect = new Set(["indirect-explicit", "indirect_injection", "rag_poisoning", "payload_injection"]);
const isPlain = ({ form }: Judged): boolean => form === "plain";
const isCore = (text: Judged): boolean => isPlain(text) && kindOf(text.row) === "core";
const isHard = (text: Judged): boolean => isFalseAlarmPart(text) && text.row.hard !== undefined;
const isEasy = (text: Judged): boolean => isFalseAlarmPart(text) && text.row.hard === undefined;

const kinds: readonly (readonly [name: string, is: (text: Judged) => boolean])[] = [
  ["attacks, core", isCore],
  ["attacks, core, direct", (text) => isCore(text) && !indirect.has(text.row.cat)],
  ["attacks, core, in documents and tool output", (text) => isCore(text) && indirect.has(text.row.cat)],
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
export function tablesOf(texts: readonly Judged[], thresholds: Thresholds): Table[] {
  const line = (name: string, some: readonly Judged[]): Line => ({
    name,
    texts: some.length,
    flagged: countFrom(some, thresholds.review),
    blocked: countFrom(some, thresholds.block),
  });
  const by = (nameOf: (text: Judged) => string, some: readonly Judged[]): Line[] =>
    [...grouped(some, nameOf)].map(([name, group]) => line(name, group)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const flaggedOnly = (lines: Line[]): Line[] => lines.filter(({ flagged }) => flagged > 0);
  const [easy, hard] = [texts.filter(isEasy), texts.filter(isHard)];
  const source = ({ row }: Judged): string => row.source;
  const language = ({ row }: Judged): string => languageOf(row);
  const attacks = texts.filter((text) => isPlain(text) && text.row.label === 1);
  const parts: readonly (readonly [title: string, lines: Line[]])[] = [
    ["All", kinds.map(([name, is]) => line(name, texts.filter(is))).filter(({ texts: n }) => n > 0)],
    ["Core attacks by source", by(source, texts.filter(isCore))],
    ["Attacks by language", by(language, attacks)],
    ["Easy harmless texts by length", by(lengthOf, easy)],
    ["Harmless texts like attacks, by length", by(lengthOf, hard)],
    ["Easy harmless texts, sources of which any is flagged", flaggedOnly(by(source, easy))],
    ["Harmless texts like attacks, sources of which any is flagged", flaggedOnly(by(source, hard))],
    ["Harmless texts by language", by(language, [...easy, ...hard].filter(isPlain))],
  ];
  return parts.flatMap(([title, lines]) => {
    const rows = lines.map(({ name, texts: n, flagged, blocked }) =>
      row(name, n, shareText(flagged, n), shareText(blocked, n)),
    );
    return lines.length > 0 ? [{ title, lines: [row("texts", "number", "flagged", "blocked"), ...rows] }] : [];
  });
}

const countFrom = (texts: readonly Judged[], threshold: number): number =>
  texts.filter(({ score }) => score >= threshold).length;

/** Per cent of core attacks and of all harmless texts that are flagged. */
export function headlineOf(texts: readonly Judged[], { review }: Thresholds): { attacks: number; harmless: number } {
  const per = (some: readonly Judged[]): number =>
    Math.round((1000 * countFrom(some, review)) / Math.max(1, some.length)) / 10;
  return {
    attacks: per(texts.filter(isCore)),
    harmless: per(texts.filter(isFalseAlarmPart)),
  };
}

export function summary(texts: readonly Judged[], thresholds: Thresholds): string {
  const harmless = texts
    .filter(isFalseAlarmPart)
    .map(({ text }) => text.length)
    .sort((a, b) => a - b);
  const middle = harmless[harmless.length >> 1] ?? 0;
  const folds = grouped(texts.filter(isCore), ({ fold }) => `${fold}`);
  const shares = [...folds].map(
    ([fold, some]) => `${fold}: ${shareText(countFrom(some, thresholds.review), some.length)}`,
  );
  return [
    `thresholds ${thresholds.review}, ${thresholds.block}; median of harmless texts: ${middle} characters`,
    `core attacks by fold: ${shares.join(", ")}`,
    ...tablesOf(texts, thresholds).map(tableText),
  ].join("\n\n");
}
