import { failures } from "@/lib/core/errors";

export const agentErrors = failures({
  agent_not_found: ["not_found", "You have no such agent"],
  agent_linked_elsewhere: ["not_found", "There is no such agent that you could link"],
  receiving_address_refused: [
    "invalid",
    "Money sent to this address would be lost: it is the zero address or the USDC contract itself",
  ],
});
