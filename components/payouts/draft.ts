import { getAddress, isAddress } from "viem";
import { usdcFault } from "@/components/ui/usdc-fault";
import { type Address, isAddressText, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { formatUsdc, parseUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import { SHARES_TOTAL, type SplitLeg, splitOf } from "@/lib/payouts/rules";
import type { NetworkName } from "@/lib/x402/networks";
import { shareInput, shareText } from "./words";

export type Draft = {
  network: NetworkName;
  /** "shares": the rows contain shares of `total`. A single row always contains an amount. */
  mode: "amounts" | "shares";
  total: string;
  rows: Row[];
  description: string;
  bizId: string;
};
export type Row = { key: number; to: string; amount: string; share: string };

/** Faults by field. */
export type Faults = { rows: ReadonlyMap<number, RowFaults>; total?: string; form?: string };
export type RowFaults = { to?: string; amount?: string; share?: string };

/** A payout for review and sending. */
export type ReadPayout = {
  network: NetworkName;
  legs: SplitLeg[];
  amount: Usdc;
  /** The body of the request without the payoutId. */
  body: Record<string, unknown>;
};

export const emptyRow = (key: number): Row => ({ key, to: "", amount: "", share: "" });

export type AddressReading = { type: "valid"; address: Address } | { type: "invalid"; fault: string };

/** Parses a pasted address. A mixed-case address must match its checksum (EIP-55), which catches typing errors. */
export function readAddress(text: string): AddressReading {
  const addressText = text.trim();
  if (addressText === "") return { type: "invalid", fault: "Enter the recipient's address." };
  if (!isAddressText(addressText))
    return { type: "invalid", fault: "An address is 0x and 40 characters from 0 to 9 and a to f." };
  const isMixed = /[a-f]/.test(addressText.slice(2)) && /[A-F]/.test(addressText.slice(2));
  if (isMixed && !isAddress(addressText, { strict: true })) {
    return {
      type: "invalid",
      fault: "The capitals do not match this address: a character is mistyped. Copy it again.",
    };
  }
  return { type: "valid", address: toAddress(getAddress(`0x${addressText.slice(2).toLowerCase()}`)) };
}

/** Whether so much is typed that it should be an address: less is unfinished, not wrong. */
export const isAddressLong = (text: string): boolean => text.trim().length >= ZERO_ADDRESS.length;

/** A percentage with at most two decimals, in basis points: "33.33" → 3333. Null unless it is from 0.01 to 100. */
export function readShare(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const bps = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return bps >= 1 && bps <= SHARES_TOTAL ? bps : null;
}

/** The amounts of an unfinished draft. */
export type Tally = {
  /** For each row, in order; null where not known yet. */
  amounts: (Usdc | null)[];
  /** The remainder of rounding, which the first row gets; zero until all shares are assigned. */
  remainder: Usdc;
  sum: Usdc;
  /** Basis points that are not assigned yet; negative when too many are. */
  sharesLeft: number;
};

/** A single row contains an amount, even if the form was switched to shares while it had several. */
export const modeOf = ({ mode, rows }: Pick<Draft, "mode" | "rows">): Draft["mode"] =>
  rows.length === 1 ? "amounts" : mode;

export function tallyOf(draft: Draft): Tally {
  if (modeOf(draft) === "amounts") {
    const amounts = draft.rows.map(({ amount }) => parseUsdc(amount));
    return { amounts, remainder: toUsdc(0n), sum: sumOf(amounts), sharesLeft: 0 };
  }
  const shares = draft.rows.map(({ share }) => readShare(share));
  const sharesLeft = SHARES_TOTAL - shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const total = parseUsdc(draft.total);
  if (total === null) return { amounts: shares.map(() => null), remainder: toUsdc(0n), sum: toUsdc(0n), sharesLeft };
  const floors = shares.map((share) =>
    share === null ? null : toUsdc((total * BigInt(share)) / BigInt(SHARES_TOTAL)),
  );
  const isWhole = sharesLeft === 0 && !shares.includes(null);
  const remainder = isWhole ? toUsdc(total - sumOf(floors)) : toUsdc(0n);
  const amounts = floors.map((floor, index) => (index === 0 && floor !== null ? toUsdc(floor + remainder) : floor));
  return { amounts, remainder, sum: sumOf(amounts), sharesLeft };
}

const sumOf = (amounts: readonly (Usdc | null)[]): Usdc =>
  toUsdc(amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n));

/** The payout of a draft, or its faults. The server validates again. */
export function readDraft(draft: Draft): { type: "valid"; payout: ReadPayout } | { type: "invalid"; faults: Faults } {
  const mode = modeOf(draft);
  const rows = new Map<number, RowFaults>();
  const rowLegs = draft.rows.map((row) => readRow(row, mode, (fault) => rows.set(row.key, fault)));
  const total = mode === "shares" ? parseUsdc(draft.total) : null;
  const isTotalMissing = mode === "shares" && total === null;
  const legs = rowLegs.filter((leg) => leg !== null);
  if (rows.size > 0 || legs.length < rowLegs.length || isTotalMissing) {
    return { type: "invalid", faults: { rows, ...(isTotalMissing && { total: usdcFault(draft.total) }) } };
  }
  const split = splitOf(legs, total ?? undefined);
  if (split.type === "invalid") return { type: "invalid", faults: faultsOf(split, draft.rows, tallyOf(draft)) };
  const description = draft.description.trim();
  const bizId = draft.bizId.trim();
  const body = {
    network: draft.network,
    ...recipientsOf(split.legs, mode, split.amount),
    ...(description !== "" && { description }),
    ...(bizId !== "" && { bizId }),
  };
  return { type: "valid", payout: { network: draft.network, legs: split.legs, amount: split.amount, body } };
}

const SHARE_FAULT = "Enter a share from 0.01 to 100 with at most two decimals.";

function readRow(row: Row, mode: Draft["mode"], fail: (fault: RowFaults) => void) {
  const to = readAddress(row.to);
  const amount = mode === "amounts" ? parseUsdc(row.amount) : undefined;
  const shareBps = mode === "shares" ? readShare(row.share) : undefined;
  if (to.type === "valid" && amount !== null && shareBps !== null) {
    return { toAddress: to.address, amount, shareBps };
  }
  fail({
    ...(to.type === "invalid" && { to: to.fault }),
    ...(amount === null && { amount: usdcFault(row.amount) }),
    ...(shareBps === null && { share: SHARE_FAULT }),
  });
  return null;
}

/** Assigns a fault of the shared rules to its row and field. */
function faultsOf(
  { path: [, index, field] }: { path: (string | number)[] },
  rows: readonly Row[],
  { sharesLeft }: Tally,
): Faults {
  const row = typeof index === "number" ? rows[index] : undefined;
  if (row === undefined) {
    return {
      rows: new Map(),
      form: sharesLeft === 0 ? "The amounts add up to more than can be paid at once." : sharesSaid(sharesLeft),
    };
  }
  const fault: RowFaults =
    field === "toAddress"
      ? { to: "This address is already above. List each address once." }
      : { share: "This share is zero: the total is too small." };
  return { rows: new Map([[row.key, fault]]) };
}

/** "12.50% are not assigned yet" */
export function sharesSaid(remainingShares: number): string {
  if (remainingShares === 0) return "The shares add up to 100%.";
  return remainingShares > 0
    ? `The shares add up to ${shareText(SHARES_TOTAL - remainingShares)}: ${shareText(remainingShares)} are not assigned yet.`
    : `The shares add up to ${shareText(SHARES_TOTAL - remainingShares)}: ${shareText(-remainingShares)} too much.`;
}

function recipientsOf(legs: readonly SplitLeg[], mode: Draft["mode"], amount: Usdc): Record<string, unknown> {
  const [only] = legs;
  if (legs.length === 1 && only) return { toAddress: only.toAddress, amount: amount.toString() };
  return mode === "shares"
    ? { amount: amount.toString(), recipients: legs.map(({ toAddress, shareBps }) => ({ toAddress, shareBps })) }
    : { recipients: legs.map(({ toAddress, amount: sum }) => ({ toAddress, amount: sum.toString() })) };
}

/** Converts a draft between amounts and shares as far as possible, so that nothing has to be typed again. */
export function switched(draft: Draft, mode: Draft["mode"]): Draft {
  if (mode === draft.mode) return draft;
  const { amounts, sum } = tallyOf(draft);
  if (mode === "amounts") {
    const rows = draft.rows.map((row, index) => {
      const amount = amounts[index];
      return amount == null ? row : { ...row, amount: formatUsdc(amount) };
    });
    return { ...draft, mode, rows };
  }
  if (sum === 0n || amounts.includes(null)) return { ...draft, mode };
  const shares = amounts.map((amount) => Number(((amount ?? 0n) * BigInt(SHARES_TOTAL)) / sum));
  const remainder = SHARES_TOTAL - shares.reduce((all, share) => all + share, 0);
  const rows = draft.rows.map((row, index) => ({
    ...row,
    share: shareInput((shares[index] ?? 0) + (index === 0 ? remainder : 0)),
  }));
  return { ...draft, mode, total: formatUsdc(sum), rows };
}
