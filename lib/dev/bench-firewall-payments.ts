import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { z } from "zod";
import { scanTransaction } from "@/lib/firewall/rules/transaction";
import type { Conclusion } from "@/lib/firewall/rules/verdict";
import { scanX402 } from "@/lib/firewall/rules/x402";
import { missing, readRows, type Section, share, timesOf } from "./firewall-corpora";

const labelled = z.looseObject({
  note: z.string(),
  expectedCodes: z.array(z.string()),
  forbiddenCodes: z.array(z.string()),
  /** One verdict, or several joined by "-or-". */
  expectedVerdict: z.string(),
});

type Labelled = z.output<typeof labelled>;

const RUNS = 2000;

export function transactionFigures(folder: string): Section {
  const file = "transactions.jsonl.gz";
  const rows = readRows(folder, file, labelled);
  if (rows === null) return missing("Transaction scan", file);
  const speeds = LARGE.map(([name, data]) => {
    const input = { to: TOKEN, data };
    return speedOf(`${name}, ${Math.round(data.length / 1024)} KB`, () => scanTransaction(input));
  });
  return { title: "Transaction scan", figures: [...agreement(rows, scanTransaction), ...speeds] };
}

export function x402Figures(folder: string): Section {
  const file = "x402.jsonl.gz";
  const rows = readRows(folder, file, labelled);
  if (rows === null) return missing("x402 scan", file);
  let next = 0;
  const speed = speedOf("one row after another", () => scanX402(rows[next++ % rows.length]));
  return { title: "x402 scan", figures: [...agreement(rows, scanX402), speed] };
}

function agreement(rows: readonly Labelled[], scan: (row: unknown) => Conclusion): Section["figures"] {
  const judged = rows.map((row) => {
    const { verdict, findings } = scan(row);
    const codes = new Set(findings.map((finding) => finding.code));
    return {
      note: row.note,
      isVerdictRight: row.expectedVerdict.split("-or-").includes(verdict),
      hasExpected: row.expectedCodes.every((code) => codes.has(code)),
      hasForbidden: row.forbiddenCodes.some((code) => codes.has(code)),
    };
  });
  const wrong = judged.filter((row) => !row.isVerdictRight || !row.hasExpected || row.hasForbidden);
  const notes = [...new Set(wrong.map((row) => row.note))].join("; ");
  return [
    ["verdict as labelled", share(judged.filter((row) => row.isVerdictRight).length, rows.length)],
    ["all expected codes", share(judged.filter((row) => row.hasExpected).length, rows.length)],
    ["a forbidden code", share(judged.filter((row) => row.hasForbidden).length, rows.length)],
    ["rows that differ", notes === "" ? "none" : notes],
  ];
}

function speedOf(name: string, run: () => unknown): readonly [string, string] {
  const { median, p99 } = timesOf(run, RUNS);
  return [name, `median ${median.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`];
}

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const SPENDER = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
const abi = parseAbi(["function transfer(address,uint256)", "function multicall(bytes[])", "function exec(bytes)"]);
const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [SPENDER, 1_000_000n] });
const batch = (count: number) =>
  encodeFunctionData({ abi, functionName: "multicall", args: [Array<Hex>(count).fill(transfer)] });

/** What a body of 64 KB can hold. */
const LARGE: readonly (readonly [name: string, data: Hex])[] = [
  ["a transfer", transfer],
  ["an unknown function", encodeFunctionData({ abi, functionName: "exec", args: [`0x${"ab".repeat(32_000)}`] })],
  ["a batch of 190 transfers", batch(190)],
  ["a batch of 20 transfers", batch(20)],
];
