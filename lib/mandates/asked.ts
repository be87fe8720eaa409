import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Terms } from "./rules";
import type { Mandate } from "./store";

/** What was asked for, in JSON; null caps are none, and a null list is any host. */
export type AskedTerms = {
  limitAmount: string;
  maxAmountPerPayment: string | null;
  maxAmountPerDay: string | null;
  maxAmountPerMonth: string | null;
  validUntil: string;
  hostAllowlist: string[] | null;
};

export type Asked = Omit<Terms, "confirmPayees">;

/** The bounds of an owner's changes: what was asked for, also after a change. */
export const askedOf = (m: Asked & Pick<Mandate, "asked">): Asked => (m.asked ? fromJson(m.asked) : m);

/** What the first change keeps. */
export const toAsked = (m: Asked & Pick<Mandate, "asked">): AskedTerms =>
  m.asked ?? {
    limitAmount: m.limitAmount.toString(),
    maxAmountPerPayment: m.maxAmountPerPayment?.toString() ?? null,
    maxAmountPerDay: m.maxAmountPerDay?.toString() ?? null,
    maxAmountPerMonth: m.maxAmountPerMonth?.toString() ?? null,
    validUntil: m.validUntil.toISOString(),
    hostAllowlist: m.hostAllowlist,
  };

const fromJson = (asked: AskedTerms): Asked => ({
  limitAmount: toUsdc(BigInt(asked.limitAmount)),
  maxAmountPerPayment: capOf(asked.maxAmountPerPayment),
  maxAmountPerDay: capOf(asked.maxAmountPerDay),
  maxAmountPerMonth: capOf(asked.maxAmountPerMonth),
  validUntil: new Date(asked.validUntil),
  hostAllowlist: asked.hostAllowlist,
});

const capOf = (cap: string | null): Usdc | null => (cap === null ? null : toUsdc(BigInt(cap)));
