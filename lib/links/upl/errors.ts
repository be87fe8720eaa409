import { failures, type Remedies } from "@/lib/core/errors";

export const uplErrors = failures({
  MISSING_AMOUNT: ["invalid", "Add ?amount= in USDC atomic units (1000000 = 1.0 USDC)"],
  MISSING_ASSET: ["invalid", "Add &asset=usdc"],
  INVALID_AMOUNT: ["invalid", "amount must be a positive integer string in USDC atomic units (1000000 = 1.0 USDC)"],
  UNSUPPORTED_ASSET: ["invalid", "Only usdc is supported"],
  AGENT_NOT_FOUND: ["not_found", "Agent not found"],
  WALLET_NOT_LINKED: [
    "not_found",
    "No person has linked this agent, so it has no wallet to be paid at. authorizationUrl explains to the agent's user how to link it",
  ],
});

export const uplRemedies: Remedies = {
  invalid_amount: {
    cause: "Amounts are whole numbers in atomic units of USDC, as text: six decimals, so that `1000000` is 1 USDC.",
    remedy: "Send digits only, without a point, a sign or an exponent, within the limits of the message.",
  },
  missing_amount: {
    cause: "The permanent address of an agent has no fixed price. The payer chooses the amount.",
    remedy: "Add `?amount=` in atomic units, for example `?amount=1000000&asset=usdc` for 1 USDC.",
  },
  missing_asset: {
    cause: "The request does not name the asset to pay with.",
    remedy: "Add `asset=usdc` to the query.",
  },
};
