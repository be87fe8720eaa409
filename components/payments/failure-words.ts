import { utcMinute } from "@/components/ui/format-time";

/** Why a transfer was not made, for the person it was for. None of them says whether it still can be. */
export function failureWords(code: unknown, kind: keyof typeof HOLDER): string {
  const why = WORDS[String(code)];
  if (String(code) === "INSUFFICIENT_FUNDS")
    return `${HOLDER[kind]} held less USDC on this network than ${SUM[kind] ?? "that"}.`;
  return why ?? "The token refused the transfer.";
}

/** For a payment that we stopped submitting. */
export const canStillBePaid = (until: Date): string => `It can still be paid until ${utcMinute(until)}.`;

const HOLDER = {
  deposit: "Your own wallet",
  withdrawal: "Your spending wallet",
  refund: "Your spending wallet",
  payout: "Your spending wallet",
  credits: "Your spending wallet",
  received: "The payer's wallet",
  link: "The payer's wallet",
} as const;

const SUM: Partial<Record<keyof typeof HOLDER, string>> = { link: "the price" };

const WORDS: Record<string, string> = {
  EXPIRED: "The signature ran out before the transfer could be made.",
  ALREADY_USED: "The signature had been used before.",
  CANCELED: "The signature was cancelled onchain.",
  INVALID_SIGNATURE: "The token did not accept the signature.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
  UNSENDABLE: "No transaction could be made of it.",
  GAS_BUDGET_SPENT: "The code of the paying account has used too much gas on transfers that failed.",
  GROUP_FAILED: "Another transfer of the same payout could not be made, so none was.",
};

/** Why a proof was not taken at a payment link, for the seller. */
export const refusalWords = (code: string): string => REFUSALS[code] ?? "It was not accepted.";

const REFUSALS: Record<string, string> = {
  INVALID_PAYMENT_HEADER: "What was sent is no payment that can be read.",
  PAYMENT_NETWORK_MISMATCH: "It was signed for another network.",
  PAYMENT_ASSET_MISMATCH: "It was signed for something else than USDC.",
  PAYMENT_RECIPIENT_MISMATCH: "It pays another address than the one this link asked for.",
  PAYMENT_INSUFFICIENT: "It is not for exactly the price.",
  PAYMENT_EXPIRED: "The signature had run out before it was presented.",
  PAYMENT_NOT_YET_VALID: "The signature was not valid yet.",
  PAYMENT_VALIDITY_TOO_LONG: "The signature was valid for more than an hour.",
  AMOUNT_TOO_SMALL: "The amount is less than it costs to move it from that account.",
  NOT_DEPLOYED: "The account that signed is not deployed yet.",
  INSUFFICIENT_FUNDS: "The account that should pay did not hold enough.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
  INVALID_SIGNATURE: "The account's own code did not accept the signature.",
  REVERTED: "USDC would have refused the transfer.",
  PAYMENT_SIGNATURE_INVALID: "The signature is not by the account that should pay.",
  LINK_DISABLED: "The link was switched off.",
  LINK_EXPIRED: "The link had expired.",
  LINK_SOLD_OUT: "The link had been paid as often as it may be.",
};
