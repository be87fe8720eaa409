import { add, subtract, type Usdc } from "@/lib/core/money";
import type { PayeeList } from "./payees";
import { releasedBy, type Terms } from "./terms";

/** The contract's constant: third parties may have sent up to 1 USDC that is not counted. */
const UNCOUNTED_MAX = 1_000_000n;

/** A vault as the chain showed it. `onItsWay`: the sum of our payments that the chain does not show yet. */
export type VaultStanding = { funded: Usdc; balance: Usdc; spent: Usdc; isRevoked: boolean; onItsWay: Usdc };

/** Bounds of the chain's time in Unix seconds. Our clock and the chain's can differ, and a signature must be valid by both. */
export type ChainClock = { earliest: number; latest: number };

export type PaymentRefusal =
  | "revoked"
  | "not_started"
  | "ended"
  | "over_payment_cap"
  | "payee_not_listed"
  | "not_counted"
  | "not_released"
  | "not_funded";

/** Why the vault would refuse a payment, in the order of the contract's `judge`; null if it would accept it. */
export function paymentRefusal(
  { terms, payees }: { terms: Terms; payees: PayeeList | null },
  { to, value }: { to: Parameters<PayeeList["proofOf"]>[0]; value: Usdc },
  standing: VaultStanding,
  { earliest, latest }: ChainClock,
): PaymentRefusal | null {
  if (standing.isRevoked) return "revoked";
  if (earliest < terms.start) return "not_started";
  if (latest >= terms.end) return "ended";
  if (terms.perPayment !== null && value > terms.perPayment) return "over_payment_cap";
  if (payees !== null && payees.proofOf(to) === null) return "payee_not_listed";
  if (isUncounted(standing)) return "not_counted";
  if (value > subtract(releasedBy(terms, earliest), add(standing.spent, standing.onItsWay))) return "not_released";
  if (value > subtract(standing.balance, standing.onItsWay)) return "not_funded";
  return null;
}

/** Whether third parties sent more than the vault tolerates: it then refuses every payment until `count` is called. */
export const isUncounted = ({ funded, balance, spent }: Pick<VaultStanding, "funded" | "balance" | "spent">): boolean =>
  balance + spent > funded + UNCOUNTED_MAX;

/** Unix seconds from which `amount` more is released, if nothing else is paid until then; null if it never is. */
export function releasedAt(terms: Terms, usedAmount: Usdc, amount: Usdc): number | null {
  const targetTotal = usedAmount + amount;
  if (targetTotal > terms.limit) return null;
  if (terms.release === null) return terms.start;
  const periods = (targetTotal + terms.release.amount - 1n) / terms.release.amount;
  const index = terms.start + Number(periods - 1n) * terms.release.seconds;
  return index < terms.end ? Math.max(index, terms.start) : null;
}

/** One pull draws at least a tenth of the limit, so that few payments wait for a pull. */
const TRANCHES = 10n;

/**
 * The total that must have come in for `missing` more to be available: a tenth of the limit or more, capped by the released sum
 * and by what the owner has and allows. Null if the cap is too low.
 */
export function pullTotal(
  terms: Terms,
  { funded, missing }: { funded: Usdc; missing: Usdc },
  { released, drawable }: { released: Usdc; drawable: readonly Usdc[] },
): Usdc | null {
  const tranche = (terms.limit + TRANCHES - 1n) / TRANCHES;
  const targetTotal = funded + (missing > tranche ? missing : tranche);
  const total = [targetTotal, released, ...drawable.map((sum) => funded + sum)].reduce((a, b) =>
    a < b ? a : b,
  ) as Usdc;
  return total >= funded + missing && total > funded ? total : null;
}
