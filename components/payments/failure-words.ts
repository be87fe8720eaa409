import { utcMinute } from "@/components/ui/format-time";

/** The reason why a transfer failed, for its owner. Does not say whether the transfer can still be made. */
export function failureWords(code: unknown, kind: keyof typeof HOLDER): string {
  const reason = WORDS[String(code)];
  if (String(code) === "INSUFFICIENT_FUNDS") return `${HOLDER[kind]} had too little USDC on this network.`;
  return reason ?? "The token refused the transfer.";
}

/** For a payment that is no longer submitted but whose signature is still valid. */
export const canStillBePaid = (until: Date): string => `It can still be paid until ${utcMinute(until)}.`;

const HOLDER = {
  deposit: "Your own wallet",
  withdrawal: "Your spending wallet",
  refund: "Your spending wallet",
  payout: "Your spending wallet",
  credits: "Your spending wallet",
  received: "The payer",
  link: "The payer",
} as const;
const WORDS: Record<string, string> = {
  EXPIRED: "The signature expired before the transfer could be made.",
  ALREADY_USED: "The signature had been used before.",
  CANCELED: "The signature was cancelled onchain.",
  INVALID_SIGNATURE: "The token did not accept the signature.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
  UNSENDABLE: "It could not be turned into a transaction.",
  GAS_BUDGET_SPENT: "The code of the paying account has used too much gas on transfers that failed.",
  GROUP_FAILED: "Another transfer of the same payout could not be made, so none was.",
};

/** Why a payment link refused a proof, for the seller. */
export const refusalWords = (code: string): string => REFUSALS[code] ?? "It was not accepted.";

const REFUSALS: Record<string, string> = {
  INVALID_PAYMENT_HEADER: "The payment could not be read.",
  PAYMENT_NETWORK_MISMATCH: "It was signed for another network.",
  PAYMENT_ASSET_MISMATCH: "It was signed for a token other than USDC.",
  PAYMENT_RECIPIENT_MISMATCH: "It pays a different address than the one this link requires.",
  PAYMENT_RESOURCE_MISMATCH: "It was signed for a different order of this link.",
  PAYMENT_INSUFFICIENT: "Its amount is not exactly the price.",
  PAYMENT_EXPIRED: "The signature had expired before it was received.",
  PAYMENT_NOT_YET_VALID: "The signature was not valid yet.",
  PAYMENT_VALIDITY_TOO_LONG: "The signature was valid for more than an hour.",
  AMOUNT_TOO_SMALL: "The amount is lower than the cost of moving it from that account.",
  NOT_DEPLOYED: "The account that signed is not deployed yet.",
  FACTORY_NOT_LISTED: "The account that signed is not deployed yet, and its maker is not on the operator's list.",
  DEPLOYMENT_TOO_LARGE: "The account that signed is not deployed yet, and its deployment is too large.",
  INSUFFICIENT_FUNDS: "The payer had too little USDC.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
  INVALID_SIGNATURE: "The account's own code did not accept the signature.",
  REVERTED: "USDC would have refused the transfer.",
  PAYMENT_SIGNATURE_INVALID: "The signature is not from the paying account.",
  PAYMENT_CREDENTIAL_INVALID: "It did not answer a challenge of this link.",
  LINK_DISABLED: "The link was disabled.",
  LINK_EXPIRED: "The link had expired.",
  LINK_SOLD_OUT: "The link was sold out.",
};
