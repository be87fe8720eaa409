import { failures } from "@/lib/core/errors";

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
  insufficient_balance: ["invalid", "Your spending wallet on this network holds less than that"],
  authorization_too_long: ["invalid", "The authorization is valid for more than an hour: sign a shorter one"],
  amount_too_small: ["invalid", "The amount is less than the cost of a transfer from an account with code"],
  settlement_failed: [
    "internal",
    "The transfer was not made; failureCode gives the reason. It can still be made until stillValidUntil. If that field is missing, no money moved",
  ],
});
