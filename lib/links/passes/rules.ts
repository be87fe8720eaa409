import { createHash } from "node:crypto";
import { PREFIX, type SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { isSameSecret } from "@/lib/core/same-secret";
import { isTemplate, type PaidRequest, quote, soldPaths, type Upstream } from "../upstream/rules";
import { FAILURES_PER_CALL_MAX } from "./limits";
import type { PassLimits, PassOffer } from "./terms";

export type { PassLimits } from "./terms";

type Sold = Pick<Upstream, "methods" | "paths">;

/** The requests that a pass admits: those that the link sold, at this URL and these prices, when it was bought. `price`: the link's own. */
export type Admitted = Pick<Upstream, "url"> & Sold & { price: string };

export const admittedBy = ({ url, methods, paths }: Pick<Upstream, "url"> & Sold, price: Usdc): Admitted => ({
  url,
  methods,
  paths,
  price: `${price}`,
});

/** The price of a request that is sold; null if it is not. */
function priceOf(sold: Sold, price: Usdc, request: Pick<PaidRequest, "method" | "path">): Usdc | null {
  const offered = quote(sold, price, request);
  return offered.type === "offered" && !isTemplate(offered.path, request.path) ? offered.amount : null;
}

/** What a request takes from a pass at most, in its units; null if the pass was not sold for it. */
export function unitsOf(
  { isByUse, admitted }: Pick<PassState, "isByUse"> & { admitted: Admitted },
  request: Pick<PaidRequest, "method" | "path">,
): bigint | null {
  const price = priceOf(admitted, toUsdc(BigInt(admitted.price)), request);
  return price === null || isByUse ? price : 1n;
}

/** The least that a request takes from a pass, unless the seller's API says that it cost less. */
export function leastUnits(isByUse: boolean, { paths, price }: Pick<Admitted, "paths" | "price">): bigint {
  if (!isByUse) return 1n;
  const amounts = soldPaths({ paths }, toUsdc(BigInt(price))).map(({ amount }) => amount);
  // A link sells one path at least.
  return amounts.sort((a, b) => (a < b ? -1 : 1))[0] as Usdc;
}

/** Whether a pass that is bought now admits the request. */
export const isAdmitted = (upstream: Sold, request: Pick<PaidRequest, "method" | "path">): boolean =>
  priceOf(upstream, ZERO, request) !== null;

/**
 * Whether the link's upstream, as it is now, is what the pass was sold for. At another URL than that of the sale, the same path can be
 * anything, and the seller's headers are others: there the link has to sell the request now, too.
 */
export const isStillSold = (
  { url }: Pick<Admitted, "url">,
  upstream: Pick<Upstream, "url"> & Sold,
  request: Pick<PaidRequest, "method" | "path">,
): boolean => url === upstream.url || isAdmitted(upstream, request);

/**
 * What a buyer of a pass agrees to, for its URL: a seller who changes any of it sells another pass, at another URL. Of one that is by use,
 * the prices of the paths too. `price`: the link's own.
 */
export function termsOf({ methods, paths }: Sold, pass: PassOffer, price: Usdc): string {
  const { calls, hours, isByUse, amount, isRefundable } = pass;
  const prices = soldPaths({ paths }, price).map((sold) => `${sold.path} ${sold.amount}`);
  const admitted = [[...methods].sort(), (isByUse ? prices : paths.map(({ path }) => path)).sort()];
  const text = JSON.stringify([calls, hours, isByUse, amount, isRefundable, admitted]);
  return createHash("sha256").update(text).digest("base64url").slice(0, TERMS_LENGTH);
}

const TERMS_LENGTH = 22;

const timeWords = (hours: number): string => {
  if (hours > 24 && hours % 24 === 0) return `${hours / 24} days`;
  return `${hours} ${hours === 1 ? "hour" : "hours"}`;
};

export const passWords = ({ calls, hours, isByUse }: PassLimits): string => {
  const time = hours === null ? "" : timeWords(hours);
  if (isByUse) return `A pass for calls by use${time && ` in ${time}`}`;
  if (calls === null) return `A pass for ${time}`;
  return `A pass for ${calls} ${calls === 1 ? "call" : "calls"}${time && ` in ${time}`}`;
};

const TOKEN = /^pass_([0-9A-Za-z]{24})_([\w-]{43})$/;

/** `keyFor`: keys of passes, of which the service issues one for each settlement. Why no random token is stored: docs/decisions.md, 90. */
export const passToken = (id: SettlementId, keyFor: (id: string) => string): string =>
  `pass_${id.slice(PREFIX.settlement.length)}_${keyFor(id)}`;

/** The payment of a token that this service issued, or null. */
export function settlementOf(token: string, keyFor: (id: string) => string): SettlementId | null {
  const [, text, key = ""] = TOKEN.exec(token) ?? [];
  if (text === undefined) return null;
  const id: SettlementId = `${PREFIX.settlement}${text}`;
  return isSameSecret(key, keyFor(id)) ? id : null;
}

/** The pass in the Authorization header of a request: any token that looks like one. */
export const passIn = ({ headers }: Request): string | null =>
  /^bearer +(pass_\S+)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1] ?? null;

/**
 * What the upstream gets as `Idempotency-Key` of a call that its buyer named: the same for each try of it, and never that of another pass.
 */
export const keyOfNamed = (id: SettlementId, name: string): string =>
  `${PREFIX.passCall}${createHash("sha256").update(`${id} ${name}`).digest("hex")}`;

export const PASS_STATUSES = ["usable", "used_up", "over", "held", "refunded"] as const;
export type PassStatus = (typeof PASS_STATUSES)[number];

/**
 * A pass as it is now. Its units are calls, or atomic USDC if it is by use; null for any number of calls. `unitsTaken` includes those of
 * calls under way, and of failed ones that did not come back.
 */
export type PassState = Pick<PassLimits, "hours" | "isByUse"> & {
  units: bigint | null;
  /** The least that a call takes. */
  leastUnits: bigint;
  unitsTaken: bigint;
  unitsUnderWay: bigint;
  unitsFailed: bigint;
  /** When it was paid: its hours begin. */
  settledAt: Date;
  /** Whether an approved refund has settled, or false if one still can; null without one. */
  isRefunded: boolean | null;
};

const HOUR_MS = 3_600_000;

/** When its hours are over; null without hours. */
export const validUntil = ({ hours, settledAt }: PassState): Date | null =>
  hours === null ? null : new Date(settledAt.getTime() + hours * HOUR_MS);

/** Null for any number. */
export const unitsLeft = ({ units, unitsTaken }: Pick<PassState, "units" | "unitsTaken">): bigint | null =>
  units === null ? null : units - unitsTaken;

/** The statement that takes a call decides by the same (store.ts). */
export function statusOf(pass: PassState, now: Date): PassStatus {
  const { isRefunded } = pass;
  if (isRefunded !== null) return isRefunded ? "refunded" : "held";
  const until = validUntil(pass);
  if (until !== null && until <= now) return "over";
  const left = unitsLeft(pass);
  return left !== null && left < pass.leastUnits ? "used_up" : "usable";
}

/** The part of the price for the calls that were not answered, rounded down. Those under way may still come back. */
export function unansweredAmount({ units, unitsTaken, unitsUnderWay, unitsFailed }: PassState, amount: Usdc): Usdc {
  if (units === null) return amount;
  const over = unitsFailed - units * BigInt(FAILURES_PER_CALL_MAX);
  const unanswered = units - unitsTaken + unitsUnderWay + (over > 0n ? over : 0n);
  return toUsdc((amount * (unanswered < units ? unanswered : units)) / units);
}

/**
 * The part of the price for what is unused, rounded down: calls that were not answered and hours that are left, the smaller one if both are
 * limited. A refund of any amount ends the pass, so it gives back at least this: a seller could otherwise end it for nothing.
 */
export function unusedAmount(pass: PassState, amount: Usdc, now: Date): Usdc {
  const { hours } = pass;
  const until = validUntil(pass);
  if (pass.isRefunded || (until !== null && until <= now)) return ZERO;
  const ofCalls = unansweredAmount(pass, amount);
  const leftMs = until === null ? 0 : Math.min(until.getTime() - now.getTime(), (hours ?? 0) * HOUR_MS);
  const ofHours = hours === null ? amount : (amount * BigInt(leftMs)) / BigInt(hours * HOUR_MS);
  return toUsdc(ofCalls < ofHours ? ofCalls : ofHours);
}

/** Of a refund of the payment of a pass. */
export type RefundBounds = { most: Usdc; least: Usdc };

export const refundBounds = (pass: PassState, amount: Usdc, time: Date): RefundBounds => ({
  most: unansweredAmount(pass, amount),
  least: unusedAmount({ ...pass, isRefunded: null }, amount, time),
});
