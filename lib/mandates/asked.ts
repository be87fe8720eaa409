import { toUsdc, type Usdc } from "@/lib/core/money";
import type { RequestedTerms } from "./rules";
import type { Mandate } from "./store";
import type { AskedTerms } from "./tables";

/** The bounds of an owner's changes: the requested limits, even after a change. */
export function askedOf(m: RequestedTerms & Pick<Mandate, "asked">): RequestedTerms {
  const { asked } = m;
  if (!asked) return m;
  return {
    limitAmount: toUsdc(BigInt(asked.limitAmount)),
    maxAmountPerPayment: capOf(asked.maxAmountPerPayment),
    maxAmountPerDay: capOf(asked.maxAmountPerDay),
    maxAmountPerMonth: capOf(asked.maxAmountPerMonth),
    validUntil: new Date(asked.validUntil),
    hostAllowlist: asked.hostAllowlist,
  };
}

const capOf = (cap: string | null): Usdc | null => (cap === null ? null : toUsdc(BigInt(cap)));

/** The requested limits, to store with the first change. */
export const toAsked = (m: RequestedTerms & Pick<Mandate, "asked">): AskedTerms =>
  m.asked ?? {
    limitAmount: m.limitAmount.toString(),
    maxAmountPerPayment: m.maxAmountPerPayment?.toString() ?? null,
    maxAmountPerDay: m.maxAmountPerDay?.toString() ?? null,
    maxAmountPerMonth: m.maxAmountPerMonth?.toString() ?? null,
    validUntil: m.validUntil.toISOString(),
    hostAllowlist: m.hostAllowlist,
  };
