import type { Address } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/usdc";
import type { Event } from "@/lib/platform/events";
import type { AskedWords } from "@/lib/platform/summary";
import type { SettlementState } from "@/lib/settlements/tables";
import type { payoutLegs, payouts } from "./tables";

export type Payout = typeof payouts.$inferSelect;
export type PayoutLeg = typeof payoutLegs.$inferSelect;

export const PAYOUT_STATUSES = [
  "pending_authorization",
  "authorized",
  "processing",
  "succeeded",
  "failed",
  "expired",
  "denied",
  "cancelled",
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The creator's own id of a payout: 1 to 100 characters that are a segment of a URL, so neither `.` nor `..`. */
export const PAYOUT_KEY = /^(?:[\w:-][\w.:-]{0,99}|\.[\w:-][\w.:-]{0,98}|\.\.[\w.:-]{1,98})$/;
export const TEXT_MAX = { bizId: 100, description: 500 };
export const LEGS_MAX = 100;
/** Payouts in one request. */
export const BATCH_ROWS_MAX = 100;
/** Addresses in one request that checks them. */
export const WEIGHED_MAX = 100;
export const SHARES_TOTAL = 10_000;
const AMOUNT_MAX = 2n ** 96n - 1n;

/** A requested recipient, with either an amount or a share. */
export type RequestedLeg = { toAddress: Address; amount?: Usdc | undefined; shareBps?: number | undefined };
export type SplitLeg = { toAddress: Address; amount: Usdc; shareBps: number | null };
export type Split = { type: "valid"; legs: SplitLeg[]; amount: Usdc };
/** An error of a split, and the path of the request field that caused it. */
export type SplitFault = { type: "invalid"; path: (string | number)[]; message: string };

const invalid = (path: SplitFault["path"], message: string): SplitFault => ({ type: "invalid", path, message });

/** The amount of each recipient. `total` is required with shares; with amounts it must be their sum or undefined. */
export function splitOf(recipients: readonly RequestedLeg[], total: Usdc | undefined): Split | SplitFault {
  const duplicate = firstDuplicate(recipients.map((leg) => leg.toAddress));
  if (duplicate) {
    const message = `is also the address of recipients.${duplicate.first}: name each address once`;
    return invalid(["recipients", duplicate.second, "toAddress"], message);
  }
  const byShares = recipients.filter((leg) => leg.shareBps !== undefined).length;
  if (byShares === 0) return byAmounts(recipients, total);
  if (byShares < recipients.length) {
    const path = ["recipients", recipients.findIndex((leg) => leg.shareBps === undefined), "shareBps"];
    return invalid(path, "is missing: send shareBps for all recipients, or amount for all");
  }
  return total === undefined
    ? invalid(["amount"], "is required with shareBps: it is the total to split")
    : sharesOf(recipients, total);
}

function byAmounts(recipients: readonly RequestedLeg[], total: Usdc | undefined): Split | SplitFault {
  const legs: SplitLeg[] = [];
  for (const [index, { toAddress, amount }] of recipients.entries()) {
    if (amount === undefined) return invalid(["recipients", index, "amount"], "is missing");
    legs.push({ toAddress, amount, shareBps: null });
  }
  const amount = sumOf(legs);
  if (amount > AMOUNT_MAX) return invalid(["recipients"], "the sum of the amounts is larger than 2^96-1");
  if (total !== undefined && total !== amount) {
    return invalid(["amount"], `must be the sum of the recipients' amounts, ${amount}, or absent`);
  }
  return { type: "valid", legs, amount };
}

/** Each share is rounded down; the first recipient gets the remainder. */
function sharesOf(recipients: readonly RequestedLeg[], total: Usdc): Split | SplitFault {
  const shares = recipients.map((leg) => leg.shareBps ?? 0);
  const sum = shares.reduce((a, b) => a + b, 0);
  if (sum !== SHARES_TOTAL) return invalid(["recipients"], `the sum of the shares is ${sum} instead of 10000`);
  const amounts = shares.map((share) => (total * BigInt(share)) / BigInt(SHARES_TOTAL));
  const remainder = total - amounts.reduce((a, b) => a + b, 0n);
  const legs = recipients.map(({ toAddress, shareBps }, index) => ({
    toAddress,
    amount: toUsdc((amounts[index] ?? 0n) + (index === 0 ? remainder : 0n)),
    shareBps: shareBps ?? null,
  }));
  const empty = legs.findIndex((leg) => leg.amount === ZERO);
  if (empty >= 0) return invalid(["recipients", empty, "shareBps"], "rounds to zero: the amount is too small");
  if (sumOf(legs) !== total) throw new Error("the legs of a split do not sum to its total");
  return { type: "valid", legs, amount: total };
}

const sumOf = (legs: readonly SplitLeg[]): Usdc => toUsdc(legs.reduce((sum, leg) => sum + leg.amount, 0n));

function firstDuplicate(addresses: readonly Address[]): { first: number; second: number } | null {
  const indexByAddress = new Map<Address, number>();
  for (const [second, address] of addresses.entries()) {
    const first = indexByAddress.get(address);
    if (first !== undefined) return { first, second };
    indexByAddress.set(address, second);
  }
  return null;
}

const AGENTS_SECONDS = 3_600;
const OWNERS_SECONDS = 86_400;

/** The expiry of a payout created at `now`: an agent's can be approved for an hour, an owner's own for a day. */
export const approvableUntil = (now: Date, creator: "agent" | "owner"): Date =>
  addSeconds(now, creator === "agent" ? AGENTS_SECONDS : OWNERS_SECONDS);

/** The question to the owner. */
export const askedWords: AskedWords = ({ name, sum }) => ({
  title: `Approve a payout of ${sum}?`,
  text: `${name} asks you to pay out ${sum}. The request ends after an hour.`,
});

/** The part of a leg's settlement on which a payout's status depends. */
export type Progress = { state: SettlementState; attempts: number };

/** The status of a payout. `legs`: its settlements, empty before it is approved. */
export function statusOf(
  p: Pick<Payout, "approvedAt" | "deniedAt" | "cancelledAt" | "startedAt" | "succeededAt" | "failedAt" | "expiresAt">,
  legs: readonly Progress[],
  now: Date,
): PayoutStatus {
  if (p.deniedAt) return "denied";
  if (p.cancelledAt) return "cancelled";
  if (p.succeededAt) return "succeeded";
  if (p.failedAt) return "failed";
  if (!p.approvedAt) return p.expiresAt <= now ? "expired" : "pending_authorization";
  return p.startedAt || legs.some((leg) => leg.state !== "claimed" || leg.attempts > 0) ? "processing" : "authorized";
}

/** The outcome of a payout; null while one of its legs can still move. */
export function outcomeOf(legs: readonly SettlementState[]): "succeeded" | "failed" | null {
  if (legs.every((state) => state === "settled")) return "succeeded";
  return legs.every((state) => state === "settled" || state === "void") ? "failed" : null;
}

/** System contracts of the chain (OP Stack predeploys): tokens sent to them are lost. */
const PREDEPLOYS = /^0x420000000000000000000000000000000000[0-9a-f]{4}$/i;

export const isPredeploy = (address: Address): boolean => PREDEPLOYS.test(address);

/** The digits that a shortened address shows. */
const visibleDigits = (address: Address): string => `${address.slice(2, 6)}…${address.slice(-4)}`.toLowerCase();

export type KnownAddress = { address: Address; name: string | null; kind: "book" | "paid" | "login" | "wallet" };

/**
 * A known address that looks like `address`; null if there is none, or if the owner knows `address` itself. An address that is
 * known only from a payment is still compared with those known otherwise: an agent could have made a small payment to it first.
 */
export function lookalikeOf(address: Address, knownAddresses: readonly KnownAddress[]): KnownAddress | null {
  const itself = knownAddresses.filter((entry) => entry.address === address);
  if (itself.some((entry) => entry.kind !== "paid")) return null;
  const candidates = itself.length > 0 ? knownAddresses.filter((entry) => entry.kind !== "paid") : knownAddresses;
  return candidates.find((candidate) => visibleDigits(candidate.address) === visibleDigits(address)) ?? null;
}

/** An event of a payout, for its agent and its owner. */
export const payoutEvent = (
  type: `payout.${string}`,
  p: Pick<Payout, "id" | "payoutId" | "agentId" | "ownerId" | "amount" | "network">,
): Event => ({
  type,
  subject: p.id,
  agentId: p.agentId,
  ownerId: p.ownerId,
  meta: { payoutId: p.payoutId, amount: p.amount.toString(), network: p.network },
});
