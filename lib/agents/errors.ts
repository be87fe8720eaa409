import { failures } from "@/lib/core/errors";

export const agentErrors = failures({
  agent_not_found: ["not_found", "You have no such agent"],
  agent_linked_elsewhere: ["not_found", "There is no such agent, or it belongs to another owner"],
  agent_bound: [
    "conflict",
    "The owner of this agent has signed or approved something for it, or its invoices and links have something of the owner's. Only the owner can end the link now, by deleting the agent",
  ],
  nothing_signed_yet: [
    "conflict",
    "You have not signed anything for this agent yet, so only the agent itself can do this. First sign a mandate that it proposes",
  ],
  rate_limited: ["limited", "Too many new tokens or agents; wait before the next one"],
  receiving_address_refused: [
    "invalid",
    "Money sent to this address would be lost: it is the zero address or the USDC contract itself",
  ],
});
