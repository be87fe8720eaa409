import { failures, type Remedies } from "@/lib/core/errors";

export const walletErrors = failures({
  not_found: ["not_found", "There is no such page"],
  wrong_payer: ["invalid", "A deposit must come from the address you signed in with"],
  wrong_payee: ["invalid", "A deposit must go to your own spending wallet on this network"],
  authorization_expired: ["invalid", "The authorization has expired: sign a new one"],
  authorization_not_yet_valid: ["invalid", "The authorization is not valid yet: sign one whose validAfter has passed"],
  invalid_signature: [
    "invalid",
    "The address that the deposit comes from did not sign this authorization for this network",
  ],
  not_own_address: [
    "invalid",
    "A withdrawal goes to the address you sign in with. Pay any other address with a payout",
  ],
  nothing_to_withdraw: ["invalid", "Your spending wallet on this network is empty"],
  insufficient_balance: [
    "invalid",
    "Your spending wallet on this network holds less than that beside the transfers under way from it. Nothing was moved",
  ],
  authorization_too_long: ["invalid", "The authorization is valid for more than an hour: sign a shorter one"],
  amount_too_small: ["invalid", "The amount is less than the cost of a transfer from an account with code"],
  settlement_failed: [
    "internal",
    "The transfer was not made; failureCode gives the reason. It can still be made until stillValidUntil. If that field is missing, no money moved",
  ],
});

export const walletRemedies: Remedies = {
  authorization_expired: {
    cause: "The chain's clock has passed `validBefore`, and the authorization was not used.",
    remedy: "Sign a new authorization. The expired one can no longer move money.",
  },
  authorization_not_yet_valid: {
    cause: "`validAfter` is in the future, so that the chain would refuse the transfer now.",
    remedy: "Sign with `validAfter: 0`.",
  },
  authorization_too_long: {
    cause:
      "Anyone who has a signed authorization can submit it until it ends. An authorization of more than an hour is refused.",
    remedy: "Sign one whose `validBefore` is at most an hour from now.",
  },
  invalid_signature: {
    cause: "The address in `from` did not sign these values, or signed them for another network or token.",
    remedy: "Sign the typed data that the service gave, unchanged, with the account that the deposit comes from.",
  },
  wrong_payee: {
    cause: "A deposit fills your own spending wallet. The authorization pays another address.",
    remedy: "Sign one whose `to` is your spending wallet on this network: `GET /api/wallet` has it.",
  },
  wrong_payer: {
    cause: "A deposit comes from the account that you sign in with, so that a withdrawal can go back there.",
    remedy: "Send the money to that account first, and deposit it from there.",
  },
  not_own_address: {
    cause:
      "A withdrawal goes to the address that you sign in with, and needs no more than a session. Another address is a payout.",
    remedy: "Leave the address out, or make a payout with `POST /api/wallet/payouts`.",
  },
  nothing_to_withdraw: {
    cause: "There is no USDC in the spending wallet of this network. Each network has its own.",
    remedy: "Read the balances with `GET /api/wallet` before you withdraw.",
  },
  insufficient_balance: {
    cause:
      "The spending wallet on this network holds less than this transfer and everything that is already under way from it.",
    remedy: "Nothing was moved. The owner adds money; then repeat.",
  },
  amount_too_small: {
    cause:
      "The service pays the gas. A transfer from an account with code can cost more gas than the payment is worth.",
    remedy: "Pay from an account without code, or sell for a higher price.",
  },
  not_found: {
    cause: "The path does not exist here. The faucet exists on devnet only.",
    remedy: "Compare the path with the reference or `/openapi.json`.",
  },
};
