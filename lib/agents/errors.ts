import { failures } from "@/lib/core/errors";

export const agentErrors = failures({
  agent_not_found: ["not_found", "You have no such agent"],
  agent_linked_elsewhere: ["not_found", "There is no such agent that you could link"],
  agent_bound: [
    "conflict",
    "The owner of this agent has signed or approved something for it. Only the owner can part from it now, by deleting the agent",
  ],
  nothing_signed_yet: [
    "conflict",
    "You have signed nothing for this agent yet, so only the agent itself can do this. Sign a mandate that it proposes first",
  ],
  rate_limited: ["limited", "Too many new tokens; wait before the next one"],
  receiving_address_refused: [
    "invalid",
    "Money sent to this address would be lost: it is the zero address or the USDC contract itself",
  ],
});
