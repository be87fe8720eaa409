/** Why a transfer failed, for the person it was for. All of these mean that no money moved. */
export function failureWords(code: unknown, kind: keyof typeof HOLDER): string {
  const why = WORDS[String(code)];
  if (String(code) === "INSUFFICIENT_FUNDS") return `${HOLDER[kind]} held less USDC on this network than that.`;
  return why ?? "The token refused the transfer.";
}

const HOLDER = {
  deposit: "Your own wallet",
  withdrawal: "Your spending wallet",
  refund: "Your spending wallet",
  received: "The payer's wallet",
} as const;

const WORDS: Record<string, string> = {
  EXPIRED: "The signature ran out before the transfer could be made.",
  ALREADY_USED: "The signature had been used before.",
  CANCELED: "The signature was cancelled onchain.",
  INVALID_SIGNATURE: "The token did not accept the signature.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two addresses.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
};
