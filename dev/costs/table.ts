import { readFileSync, writeFileSync } from "node:fs";
import { DEFAULT_LIMITS, STORED_UNIT_BYTES } from "@/lib/core/limits";
import type { Cost } from "./measure";
import type { Row } from "./play";

/** The measurement of a row. `unit`: CPU time of a /healthz call in the same run. */
export type Priced = { row: Row; cost: Cost; unit: number };

/** Limits per call and per address that no row may exceed without payment. */
export const GOALS = { blockMs: 50, corePercent: 5, storedMbADay: 100, rpcAMinute: 60, memoryMb: 64 } as const;

const FILE = "docs/operations.md";
const [START, END] = ["<!-- costs -->", "<!-- /costs -->"];
const HEAD = [
  ...[
    "call",
    "by",
    "answer",
    "CPU",
    "ms",
    "database ms",
    "block ms",
    "MB",
    "sent KB",
    "stored KB",
    "statements",
    "rows",
    "pages",
  ],
  ...["RPC", "outbound", "a minute", "% of a core", "MB a day", "RPC a minute"],
];

/** The most that one address can store per day, in MB. */
const STORED_MB_A_DAY = (DEFAULT_LIMITS.stored_kb_per_address.requests * STORED_UNIT_BYTES) / 1e6;

/** The share of one address in the units of GOALS. Null for an unlimited row. */
export function shareOf({ row, cost }: Pick<Priced, "row" | "cost">) {
  const calls = row.callsAMinute;
  if (calls === null) return null;
  const storedMbADay = (calls * 1_440 * cost.storedBytes) / 1e6;
  return {
    corePercent: (calls * (cost.cpuMs + cost.databaseMs)) / 600,
    storedMbADay: row.isStorageCounted ? Math.min(storedMbADay, STORED_MB_A_DAY) : storedMbADay,
    rpcAMinute: calls * cost.rpc,
  };
}

/** Descriptions of the goals that a row misses. */
export function missed(priced: Priced): string[] {
  const { blockMs, memoryBytes } = priced.cost;
  const share = shareOf(priced);
  const found: string[] = [];
  if (blockMs > GOALS.blockMs) found.push(`blocks ${Math.round(blockMs)} ms`);
  if (memoryBytes / 1e6 > GOALS.memoryMb) found.push(`${Math.round(memoryBytes / 1e6)} MB`);
  if (!share) return [...found, ...unlimited(priced.cost, priced.unit)];
  if (share.corePercent > GOALS.corePercent) found.push(`${Math.round(share.corePercent)} % of a core`);
  if (share.storedMbADay > GOALS.storedMbADay) found.push(`${Math.round(share.storedMbADay)} MB a day`);
  if (share.rpcAMinute > GOALS.rpcAMinute) found.push(`${Math.round(share.rpcAMinute)} RPC calls a minute`);
  return found;
}

/** Multiple of a /healthz call up to which no limit is needed, because a refusal costs as much. */
const CHEAP = 2;

const unlimited = ({ cpuMs, storedBytes, rpc }: Cost, unit: number): string[] => [
  ...(cpuMs > CHEAP * unit ? ["no limit of calls"] : []),
  ...(storedBytes > 0 ? ["stores without a limit"] : []),
  ...(rpc > 0 ? ["RPC calls without a limit"] : []),
];

const round = (value: number, digits = 1) => `${Number(value.toFixed(digits))}`;
/** The cell of `callsAMinute`. */
export const toCalls = (calls: number | null): string => (calls === null ? "no limit" : round(calls));
const kb = (bytes: number) => round(bytes / 1_000);

export function toTable(all: readonly Priced[]): string {
  const lines = all.map((priced) => {
    const { row, cost, unit } = priced;
    const share = shareOf(priced);
    const calls = row.callsAMinute;
    return [
      ...[`\`${row.name.replaceAll("|", "\\|")}\``, row.actor, cost.status],
      ...[`${round(cost.cpuMs / unit)} ×`, round(cost.cpuMs), round(cost.databaseMs), round(cost.blockMs, 0)],
      ...[round(cost.memoryBytes / 1e6, 0), kb(cost.sentBytes), kb(cost.storedBytes)],
      ...[cost.statements, cost.rows, cost.pages, cost.rpc, cost.outbound].map((count) => round(count, 0)),
      toCalls(calls),
      ...(share
        ? [share.corePercent, share.storedMbADay, share.rpcAMinute].map((value) => round(value))
        : ["", "", ""]),
    ];
  });
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The rows in docs/operations.md, with the columns of `HEAD`. */
export type Recorded = { ratio: number; callsAMinute: string; corePercent: number } & Pick<
  Cost,
  "sentBytes" | "storedBytes" | "statements" | "rows" | "pages" | "rpc" | "outbound"
>;

// Why: docs/decisions.md, 430.
export function recordedCosts(): Map<string, Recorded> {
  const text = readFileSync(FILE, "utf8");
  const block = text.slice(text.indexOf(START), text.indexOf(END));
  const lines = block.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    lines.map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const value = (column: string) => Number.parseFloat(cells[HEAD.indexOf(column) + 1] ?? "");
      const recorded = {
        ratio: value("CPU"),
        callsAMinute: cells[HEAD.indexOf("a minute") + 1] ?? "",
        corePercent: value("% of a core"),
        sentBytes: value("sent KB") * 1_000,
        storedBytes: value("stored KB") * 1_000,
        statements: value("statements"),
        rows: value("rows"),
        pages: value("pages"),
        rpc: value("RPC"),
        outbound: value("outbound"),
      };
      return [(cells[1] ?? "").replaceAll("`", "").replaceAll("\\|", "|"), recorded] as const;
    }),
  );
}

/** Replaces the measured rows, and adds new ones at the end of the table. */
export function saveRows(table: string): void {
  const nameIn = (line: string) => /^\| (`[^`]+`) \|/.exec(line)?.[1];
  const measured = new Map(table.split("\n").flatMap((line) => (nameIn(line) ? [[nameIn(line), line]] : [])));
  const text = readFileSync(FILE, "utf8");
  const lines = text.slice(0, text.indexOf(END)).split("\n");
  const saved = lines.map((line) => (nameIn(line) && measured.get(nameIn(line))) || line);
  const isNew = ([name]: [string | undefined, string]) => !lines.some((line) => nameIn(line) === name);
  const newRows = [...measured].filter(isNew).map(([, line]) => line);
  const end = saved.findLastIndex((line) => nameIn(line)) + 1;
  writeFileSync(FILE, saved.toSpliced(end, 0, ...newRows).join("\n") + text.slice(text.indexOf(END)));
}

export function saveTable(table: string, setting: string): void {
  const text = readFileSync(FILE, "utf8");
  const [from, to] = [text.indexOf(START) + START.length, text.indexOf(END)];
  if (from < START.length || to < from) throw new Error(`${FILE} has no place for the table of costs`);
  writeFileSync(FILE, `${text.slice(0, from)}\n${table}\n\n${setting}\n${text.slice(to)}`);
}
