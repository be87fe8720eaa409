import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { z } from "zod";
import { scanTransaction } from "../src/transaction/scan.ts";
import type { Conclusion } from "../src/verdict.ts";
import { scanX402 } from "../src/x402/scan.ts";
import { readRows } from "../training/rows.ts";
import { figureTable, missing, share, type Table, timesOf, timeTable, timing } from "./report.ts";

const labelled = z.looseObject({
  note: z.string(),
  expectedCodes: z.array(z.string()),
  forbiddenCodes: z.array(z.string()),
  /** A verdict, or several joined by "-or-". */
  expectedVerdict: z.string(),
});

type Labelled = z.output<typeof labelled>;

/** Members of a row that are no part of the request. */
const ABOUT = new Set([...Object.keys(labelled.shape), "id", "source", "origin", "selector", "txHash"]);

const RUNS = 300;
const ALL = { atLeast: 100 };
const NONE = { atMost: 0 };
const FAST = { atMost: 0.3 };

const COLLECTIONS = [
  ["", ""],
  [", second collection", "-2"],
] as const;

/** The agreement of a scan with both collections of labelled requests. */
const agreements = (folder: string, scanName: string, file: string, scan: (row: unknown) => Conclusion): Table[] =>
  COLLECTIONS.map(([suffix, fileSuffix]) => {
    const [title, path] = [`${scanName}${suffix}`, `${file}${fileSuffix}.jsonl.gz`];
    const rows = readRows(folder, path, labelled);
    return rows === null ? missing(title, path) : agreement(title, rows.map(asRead), scan);
  });

export const agreementFigures = (folder: string): Table[] => [
  ...agreements(folder, "Transaction scan", "transactions", scanTransaction),
  ...agreements(folder, "x402 scan", "x402", scanX402),
];

const UNREAD = "UNSUPPORTED_VERSION";

/** The labels are older than the reading of version 2: they expect nothing of its bodies but that their version is not read. */
function asRead(row: Labelled): Labelled {
  const version = (row.paymentRequired as { x402Version?: unknown } | null | undefined)?.x402Version;
  if (version !== 2 || !row.expectedCodes.includes(UNREAD)) return row;
  const expectedCodes = row.expectedCodes.filter((code) => code !== UNREAD);
  const isHonest = expectedCodes.length === 0;
  return { ...row, expectedCodes, expectedVerdict: isHonest ? `${row.expectedVerdict}-or-pass` : row.expectedVerdict };
}

export function paymentSpeedFigures(folder: string): Table {
  const title = "Transaction and x402 scans, time";
  const timings = LARGE.map(([name, data]) =>
    timing(
      `${name}, ${Math.round(data.length / 1024)} KB`,
      timesOf(() => scanTransaction({ to: TOKEN, data }), RUNS),
      FAST,
    ),
  );
  const rows = readRows(folder, "x402.jsonl.gz", labelled);
  if (rows === null) return timeTable(title, timings);
  const times = timesOf((index) => scanX402(rows[index % rows.length]), RUNS);
  return timeTable(title, [...timings, timing("x402 requirements", times)]);
}

function agreement(title: string, rows: readonly Labelled[], scan: (row: unknown) => Conclusion): Table {
  const judged = rows.map((row) => {
    const request = Object.fromEntries(Object.entries(row).filter(([name]) => !ABOUT.has(name)));
    const { verdict, findings } = scan(request);
    const codes = new Set(findings.map((finding) => finding.code));
    return {
      note: row.note,
      isVerdictRight: row.expectedVerdict.split("-or-").includes(verdict),
      hasExpected: row.expectedCodes.every((code) => codes.has(code)),
      forbidden: row.forbiddenCodes.filter((code) => codes.has(code)),
    };
  });
  const wrong = judged.filter((row) => !row.isVerdictRight || !row.hasExpected || row.forbidden.length > 0);
  const notes = new Set(wrong.map(({ note, forbidden }) => [note, ...forbidden].join(" ")));
  const figures = [
    share("verdict as labelled", judged, (row) => row.isVerdictRight, ALL),
    share("all expected codes", judged, (row) => row.hasExpected, ALL),
    share("a forbidden code", judged, (row) => row.forbidden.length > 0, NONE),
  ];
  return figureTable(
    title,
    figures,
    [...notes].map((note) => `differs: ${note}`),
  );
}

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const SPENDER = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
const abi = parseAbi(["function transfer(address,uint256)", "function multicall(bytes[])", "function exec(bytes)"]);
const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [SPENDER, 1_000_000n] });
const batch = (count: number) =>
  encodeFunctionData({ abi, functionName: "multicall", args: [Array<Hex>(count).fill(transfer)] });

/** Calldata that fills a body of 64 KB. */
const LARGE: readonly (readonly [name: string, data: Hex])[] = [
  ["a transfer", transfer],
  ["an unknown function", encodeFunctionData({ abi, functionName: "exec", args: [`0x${"ab".repeat(32_000)}`] })],
  ["a batch of 190 transfers", batch(190)],
  ["a batch of 20 transfers", batch(20)],
];
