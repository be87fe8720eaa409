import { usdcFault } from "@/components/ui/usdc-fault";
import { parseUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import type { WeighedAddress } from "@/lib/payouts/address-book/contract";
import { PAYOUT_KEY, TEXT_MAX } from "@/lib/payouts/rules";
import { DEFAULT_NETWORK, NETWORK_NAMES, type NetworkName, networkNamed } from "@/lib/x402/networks";
import { csvLine, parseCsv } from "./csv";
import { readAddress } from "./draft";

const COLUMNS = ["payout_id", "to_address", "amount", "network", "description", "biz_id"] as const;
export type ColumnName = (typeof COLUMNS)[number];

const REQUIRED = ["payout_id", "to_address", "amount"] as const satisfies readonly ColumnName[];

export type BatchRow = {
  line: number;
  payoutId: string;
  toAddress: string;
  amount: Usdc;
  network: NetworkName;
  description: string;
  bizId: string;
};
/** A fault on a line; `field` is null when it concerns the whole line or file. */
export type BatchFault = { line: number; field: ColumnName | null; reason: string };
export type ReadBatch = { rows: BatchRow[]; faults: BatchFault[] };
/** `known`: facts about the rows' addresses, by address. */
export type Checked = ReadBatch & { known: ReadonlyMap<string, WeighedAddress> };

/** Far above a handwritten batch; still parsed by a browser without delay. */
const ROWS_MAX = 5_000;
export const FILE_BYTES_MAX = 2_097_152;

/** The payouts of a file, and the faults of its other lines. */
export function readBatch(text: string): ReadBatch {
  const csv = parseCsv(text);
  if (csv.type === "invalid") return { rows: [], faults: [{ line: csv.line, field: null, reason: csv.fault }] };
  const [head, ...lines] = csv.lines;
  if (!head) return { rows: [], faults: [{ line: 1, field: null, reason: "The file is empty." }] };
  const names = head.cells.map((cell) => cell.trim().toLowerCase());
  const wrong = headFault(names);
  if (wrong !== undefined) return { rows: [], faults: [{ line: head.line, field: null, reason: wrong }] };
  if (lines.length === 0) {
    return {
      rows: [],
      faults: [{ line: head.line, field: null, reason: "There are no rows below the column names." }],
    };
  }
  if (lines.length > ROWS_MAX) {
    return {
      rows: [],
      faults: [{ line: 1, field: null, reason: `It has more than ${ROWS_MAX} rows. Split it in two.` }],
    };
  }
  const rows: BatchRow[] = [];
  const faults: BatchFault[] = [];
  const linesByPayoutId = new Map<string, number>();
  for (const { line, cells } of lines) {
    const result = readRow(line, cells, names, linesByPayoutId);
    if (result.type === "valid") rows.push(result.row);
    else faults.push(...result.faults);
  }
  return { rows, faults };
}

function headFault(names: readonly string[]): string | undefined {
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0) return `The first line names the columns. Missing: ${missing.join(", ")}.`;
  const unknown = names.filter((name) => !COLUMNS.some((column) => column === name));
  if (unknown.length > 0) return `There is no column ${unknown.map((name) => `“${name}”`).join(", ")}.`;
  return new Set(names).size < names.length ? "A column appears twice." : undefined;
}

function readRow(
  line: number,
  cells: readonly string[],
  names: readonly string[],
  linesByPayoutId: Map<string, number>,
): { type: "valid"; row: BatchRow } | { type: "invalid"; faults: BatchFault[] } {
  if (cells.length !== names.length) {
    const reason = `It has ${cells.length} cells; the first line has ${names.length}.`;
    return { type: "invalid", faults: [{ line, field: null, reason }] };
  }
  const cell = (name: ColumnName): string => cells[names.indexOf(name)]?.trim() ?? "";
  const faults: BatchFault[] = [];
  const fail = (field: ColumnName, reason: string) => void faults.push({ line, field, reason });

  const payoutId = cell("payout_id");
  const firstLine = linesByPayoutId.get(payoutId);
  if (!PAYOUT_KEY.test(payoutId)) fail("payout_id", "Enter 1 to 100 letters, digits or any of _ . : -");
  else if (firstLine !== undefined) fail("payout_id", `It is already on line ${firstLine}.`);
  else linesByPayoutId.set(payoutId, line);

  const to = readAddress(cell("to_address"));
  if (to.type === "invalid") fail("to_address", to.fault);
  const amount = parseUsdc(cell("amount"));
  if (amount === null) fail("amount", usdcFault(cell("amount")));
  const network = cell("network") === "" ? DEFAULT_NETWORK : networkNamed(cell("network"))?.name;
  if (network === undefined) fail("network", `Enter ${NETWORK_NAMES.join(" or ")}.`);
  const description = cell("description");
  if ([...description].length > TEXT_MAX.description)
    fail("description", `It has more than ${TEXT_MAX.description} characters.`);
  const bizId = cell("biz_id");
  if ([...bizId].length > TEXT_MAX.bizId) fail("biz_id", `It has more than ${TEXT_MAX.bizId} characters.`);

  return faults.length > 0 || to.type === "invalid" || amount === null || network === undefined
    ? { type: "invalid", faults }
    : { type: "valid", row: { line, payoutId, toAddress: to.address, amount, network, description, bizId } };
}

/** The total of each network in the batch. */
export const totalsOf = (rows: readonly BatchRow[]): { network: NetworkName; sum: Usdc; count: number }[] =>
  NETWORK_NAMES.map((network) => {
    const networkRows = rows.filter((row) => row.network === network);
    return { network, sum: toUsdc(networkRows.reduce((sum, row) => sum + row.amount, 0n)), count: networkRows.length };
  }).filter(({ count }) => count > 0);

export const bodyOf = ({ payoutId, toAddress, amount, network, description, bizId }: BatchRow) => ({
  payoutId,
  toAddress,
  network,
  amount: amount.toString(),
  ...(description !== "" && { description }),
  ...(bizId !== "" && { bizId }),
});

/** The result of a row, or of a line that could not be parsed. */
export type RowResult = { line: number; payoutId: string; result: string; reason: string; recordId: string };

export const resultFile = (results: readonly RowResult[]): string =>
  [
    ["line", "payout_id", "result", "reason", "record_id"],
    ...results.map(({ line, payoutId, result, reason, recordId }) => [
      String(line),
      payoutId,
      result,
      reason,
      recordId,
    ]),
  ]
    .map(csvLine)
    .join("");

/** A template file. Its addresses are invalid, so that they cannot be left in by mistake. */
export const TEMPLATE = [
  [...COLUMNS],
  ["invoice-2026-001", "0x… (the address that is paid)", "12.50", "base", "Design work, November", "INV-2026-001"],
]
  .map(csvLine)
  .join("");
