import { subtract, type Usdc, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import type { RefusalOfUs } from "@/lib/settlements/admission";

/** The error for each reason why an owner's authorization is not a valid deposit. */
export const DEPOSIT_REFUSALS = {
  PAYMENT_NETWORK_MISMATCH: "wrong_payee",
  PAYMENT_ASSET_MISMATCH: "wrong_payee",
  PAYMENT_RECIPIENT_MISMATCH: "wrong_payee",
  PAYMENT_RESOURCE_MISMATCH: "wrong_payee",
  PAYMENT_INSUFFICIENT: "amount_too_small",
  PAYMENT_EXPIRED: "authorization_expired",
  PAYMENT_VALIDITY_TOO_LONG: "authorization_too_long",
  PAYMENT_NOT_YET_VALID: "authorization_not_yet_valid",
  PAYMENT_SIGNATURE_INVALID: "invalid_signature",
  NOT_DEPLOYED: "invalid_signature",
  FACTORY_NOT_LISTED: "invalid_signature",
  DEPLOYMENT_TOO_LARGE: "invalid_signature",
  AMOUNT_TOO_SMALL: "amount_too_small",
} as const satisfies Record<RefusalOfUs, string>;

export type Withdrawal =
  | { type: "payable"; amount: Usdc }
  | { type: "refused"; code: "nothing_to_withdraw" | "insufficient_balance" };

/** What a wallet holds beside the transfers under way from it. */
export const restOf = (balance: Usdc, underWay: Usdc): Usdc =>
  balance > underWay ? subtract(balance, underWay) : ZERO;

/** The amount of a withdrawal from a wallet: the requested amount, or everything that is not under way. */
export function withdrawal(
  { balance, underWay }: { balance: Usdc; underWay: Usdc },
  requested: Usdc | undefined,
): Withdrawal {
  if (balance === ZERO) return { type: "refused", code: "nothing_to_withdraw" };
  const rest = restOf(balance, underWay);
  if (rest === ZERO || (requested !== undefined && requested > rest))
    return { type: "refused", code: "insufficient_balance" };
  return { type: "payable", amount: requested ?? rest };
}

const BACKDATED_SECONDS = 600;

/** Validity of an authorization created at `now`: it starts in the past, because a chain's clock may lag, and lasts `seconds` from `now`. */
export const validity = (now: Date, seconds: number) => ({
  validAfter: BigInt(unixSeconds(now) - BACKDATED_SECONDS),
  validBefore: BigInt(unixSeconds(now) + seconds),
});
