import { failures, type Remedies } from "@/lib/core/errors";

export const creditErrors = failures({
  AGENT_NOT_FOUND: ["not_found", "There is no such agent, or it has been deleted. Name it in agentId or X-Agent-ID"],
  AGENT_NOT_LINKED: ["conflict", "The agent has no owner yet, and credits belong to an owner"],
  INVALID_AMOUNT: [
    "invalid",
    "amount must be USDC in atomic units: whole cents (10000 = 0.01), from 0.01 up to 10000.00",
  ],
});

export const creditRemedies: Remedies = {
  agent_not_linked: {
    cause: "Service credits belong to an owner, and this agent has none yet.",
    remedy:
      "Propose a mandate and show the owner its `authorizationUrl`: opening it while signed in links the agent. Until then, pay for scans with x402.",
  },
};
