import type { Address } from "@/lib/core/address";
import { type Usdc, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import type { Authorization } from "@/lib/x402/authorization";
import { VALIDITY_SECONDS_MAX } from "@/lib/x402/proof";

export type DepositRefusal =
  | "wrong_payer"
  | "wrong_payee"
  | "authorization_expired"
  | "authorization_too_long"
  | "authorization_not_yet_valid";

/** Why `a` is not a deposit of `owner` into `wallet` at `now`, or null. Does not check the signature. */
export function depositRefusal(a: Authorization, owner: Address, wallet: Address, now: Date): DepositRefusal | null {
  const seconds = BigInt(unixSeconds(now));
  if (a.from !== owner) return "wrong_payer";
  if (a.to !== wallet) return "wrong_payee";
  if (a.validBefore <= seconds) return "authorization_expired";
  if (a.validAfter >= seconds) return "authorization_not_yet_valid";
  if (a.validBefore - seconds > VALIDITY_SECONDS_MAX) return "authorization_too_long";
  return null;
}

export type Withdrawal = { amount: Usdc } | { refusal: "nothing_to_withdraw" | "insufficient_balance" };

/** The amount of a withdrawal from a wallet that holds `balance`: the requested amount, or everything. */
export function withdrawal(balance: Usdc, requested: Usdc | undefined): Withdrawal {
  if (balance === ZERO) return { refusal: "nothing_to_withdraw" };
  if (requested !== undefined && requested > balance) return { refusal: "insufficient_balance" };
  return { amount: requested ?? balance };
}

const BACKDATED_SECONDS = 600;

/** Validity of an authorization created at `now`: it starts in the past, because a chain's clock may lag, and lasts `seconds` from `now`. */
export const validity = (now: Date, seconds: number) => ({
  validAfter: BigInt(unixSeconds(now) - BACKDATED_SECONDS),
  validBefore: BigInt(unixSeconds(now) + seconds),
});
