import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Asked } from "./rules";
import type { Mandate } from "./store";
import type { AskedTerms } from "./tables";

/** The bounds of an owner's changes: the requested limits, even after a change. */
export const askedOf = (m: Asked & Pick<Mandate, "asked">): Asked => (m.asked ? fromJson(m.asked) : m);

/** The requested limits, to store with the first change. */
export const toAsked = (m: Asked & Pick<Mandate, "asked">): AskedTerms =>
  m.asked ?? {
    limitAmount: m.limitAmount.toString(),
    maxAmountPerPayment: m.maxAmountPerPayment?.toString() ?? null,
    maxAmountPerDay: m.maxAmountPerDay?.toString() ?? null,
    maxAmountPerMonth: m.maxAmountPerMonth?.toString() ?? null,
    validUntil: m.validUntil.toISOString(),
    hostAllowlist: m.hostAllowlist,
  };

const fromJson = (terms: AskedTerms): Asked => ({
  limitAmount: toUsdc(BigInt(terms.limitAmount)),
  maxAmountPerPayment: capOf(terms.maxAmountPerPayment),
  maxAmountPerDay: capOf(terms.maxAmountPerDay),
  maxAmountPerMonth: capOf(terms.maxAmountPerMonth),
  validUntil: new Date(terms.validUntil),
  hostAllowlist: terms.hostAllowlist,
});

const capOf = (cap: string | null): Usdc | null => (cap === null ? null : toUsdc(BigInt(cap)));
