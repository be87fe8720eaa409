import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "./report.ts";

const HEADLINE = join(import.meta.dirname, "figures.json");
const PAGE = join(import.meta.dirname, "../../../docs/firewall.md");

/** Tables, and when and with which ruleset they were measured. */
export type Measurement = { on: string; rulesetVersion: string; tables: readonly Table[] };

/** The sections of docs/firewall.md that end with measured tables. The page is the only place where the figures are. */
const sections = {
  folds: "How well the prompt scan judges",
  heldBack: "Held back until the end",
  labelled: "Other measurements",
  times: "Speed",
  peers: "Compared with other prompt scanners",
} as const;
type SectionName = keyof typeof sections;
const sectionNames = Object.keys(sections) as SectionName[];
export type Measured = Record<SectionName, Measurement>;

export const measuredOn = ({ on, rulesetVersion }: Measurement): string =>
  `On ${on} with ruleset \`${rulesetVersion}\``;
const measuredOnPattern = /On (\S+) with ruleset `([^`]+)`/;

export const tablesText = (tables: readonly Table[]): string =>
  tables
    .map(({ title, lines: [header = "", ...rows] }) => {
      const rule = `|${"---|".repeat(header.split(" | ").length)}`;
      return [`### ${title}\n`, `| ${header} |`, rule, ...rows.map((cells) => `| ${cells} |`)].join("\n");
    })
    .join("\n\n");
const tablePattern = /^### (.+)\n\n\| (.*) \|\n[-|]+\n((?:\|.*\n)*)/gm;

const sectionOf = (page: string, name: SectionName): string =>
  page.split(/^(?=## )/m).find((section) => section.startsWith(`## ${sections[name]}\n`)) ?? "";

/** The figures in the text of the page. */
export function figuresIn(page: string): Measured {
  const measurementIn = (name: SectionName): Measurement => {
    const section = sectionOf(page, name);
    const [, on = "", rulesetVersion = ""] = measuredOnPattern.exec(section) ?? [];
    const tables = [...section.matchAll(tablePattern)].map(([, title = "", header = "", rows = ""]) => ({
      title,
      lines: [header, ...rows.split("\n").flatMap((row) => (row ? [row.slice(2, -2)] : []))],
    }));
    return { on, rulesetVersion, tables };
  };
  return Object.fromEntries(sectionNames.map((name) => [name, measurementIn(name)])) as Measured; // Of each section.
}

/** The text of the page with other figures in one section. */
export function withFigures(page: string, name: SectionName, measurement: Measurement): string {
  const section = sectionOf(page, name);
  const text = section.slice(0, section.search(tablePattern)).replace(measuredOnPattern, measuredOn(measurement));
  const isLast = page.endsWith(section);
  return page.replace(section, () => `${text}${tablesText(measurement.tables)}\n${isLast ? "" : "\n"}`);
}

export const savedFigures = (): Measured => figuresIn(readFileSync(PAGE, "utf8"));

export function saveFigures(name: SectionName, measurement: Measurement): void {
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, "utf8"), name, measurement));
}

/** Per cent of recognisable attacks and of harmless texts that are flagged in the folds, for the site. */
export function saveHeadline(headline: { attacks: number; harmless: number }): void {
  writeFileSync(HEADLINE, `${JSON.stringify({ headline }, null, 2)}\n`);
}

export const measurementOf = (now: Date, rulesetVersion: string, tables: Measurement["tables"]): Measurement => ({
  on: now.toISOString().slice(0, 10),
  rulesetVersion,
  tables,
});
