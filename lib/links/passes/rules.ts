import { createHash } from "node:crypto";
import { PREFIX, type SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { isSameSecret } from "@/lib/core/same-secret";
import { isTemplate, type PaidRequest, quote, type Upstream } from "../upstream/rules";
import { FAILURES_PER_CALL_MAX } from "./limits";
import type { PassLimits, PassOffer } from "./terms";

export type { PassLimits } from "./terms";

/** The requests that a pass admits: those that the link sold, at this URL, when it was bought. */
export type Admitted = Pick<Upstream, "url" | "methods"> & { paths: string[] };

export const admittedBy = ({ url, methods, paths }: Pick<Upstream, "url" | "methods" | "paths">): Admitted => ({
  url,
  methods,
  paths: paths.map(({ path }) => path),
});

/**
 * Whether a pass admits a request to the link's upstream as it is now. At another URL than that of the sale, the same path can be anything,
 * and the seller's headers are others: there the link has to sell the request now, too.
 */
export function isAdmitted(
  { url, methods, paths }: Admitted,
  upstream: Pick<Upstream, "url" | "methods" | "paths">,
  request: Pick<PaidRequest, "method" | "path">,
): boolean {
  const isSold = (sold: Pick<Upstream, "methods" | "paths">) => {
    const offered = quote(sold, ZERO, request);
    return offered.type === "offered" && !isTemplate(offered.path, request.path);
  };
  const sold = { methods, paths: paths.map((path) => ({ path, amount: null })) };
  return isSold(sold) && (url === upstream.url || isSold(upstream));
}

/** What a buyer of a pass agrees to, for its URL: a seller who changes any of it sells another pass, at another URL. */
export function termsOf({ methods, paths }: Pick<Upstream, "methods" | "paths">, pass: PassOffer): string {
  const { calls, hours, amount, isRefundable } = pass;
  const admitted = [[...methods].sort(), paths.map(({ path }) => path).sort()];
  const text = JSON.stringify([calls, hours, amount, isRefundable, admitted]);
  return createHash("sha256").update(text).digest("base64url").slice(0, TERMS_LENGTH);
}

const TERMS_LENGTH = 22;

export const passWords = ({ calls, hours }: PassLimits): string => {
  const time = hours === null ? "" : `${hours} ${hours === 1 ? "hour" : "hours"}`;
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

/** A pass as it is now. `callsTaken` includes those under way, and failed ones that did not come back. */
export type PassState = PassLimits & {
  callsTaken: number;
  callsUnderWay: number;
  callsFailed: number;
  /** When it was paid: its hours begin. */
  settledAt: Date;
  /** Whether an approved refund has settled, or false if one still can; null without one. */
  isRefunded: boolean | null;
};

const HOUR_MS = 3_600_000;

/** When its hours are over; null without hours. */
export const validUntil = ({ hours, settledAt }: PassState): Date | null =>
  hours === null ? null : new Date(settledAt.getTime() + hours * HOUR_MS);

export const callsLeft = ({ calls, callsTaken }: Pick<PassState, "calls" | "callsTaken">): number | null =>
  calls === null ? null : Math.max(0, calls - callsTaken);

/** The statement that takes a call decides by the same (store.ts). */
export function statusOf(pass: PassState, now: Date): PassStatus {
  const { isRefunded } = pass;
  if (isRefunded !== null) return isRefunded ? "refunded" : "held";
  const until = validUntil(pass);
  if (until !== null && until <= now) return "over";
  return callsLeft(pass) === 0 ? "used_up" : "usable";
}

/** The part of the price for the calls that were not answered, rounded down. Those under way may still come back. */
export function unansweredAmount({ calls, callsTaken, callsUnderWay, callsFailed }: PassState, amount: Usdc): Usdc {
  if (calls === null) return amount;
  const failuresCounted = Math.max(0, callsFailed - calls * FAILURES_PER_CALL_MAX);
  const unanswered = Math.min(calls, calls - callsTaken + callsUnderWay + failuresCounted);
  return toUsdc((amount * BigInt(unanswered)) / BigInt(calls));
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
