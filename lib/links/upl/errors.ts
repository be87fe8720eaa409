import { failures } from "@/lib/core/errors";

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
