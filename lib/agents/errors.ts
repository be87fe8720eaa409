import { failures, type Remedies } from "@/lib/core/errors";

export const agentErrors = failures({
  agent_not_found: ["not_found", "You have no such agent"],
  agent_linked_elsewhere: ["not_found", "There is no such agent, or it belongs to another owner"],
  agent_bound: [
    "conflict",
    "The owner of this agent has signed or approved something for it, somebody has paid it, or its invoices and links have something of the owner's. Only the owner can end the link now, by deleting the agent",
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

export const agentRemedies: Remedies = {
  agent_bound: {
    cause:
      "An agent may leave an owner only while nothing depends on the link. A mandate, an approval, a sale, an invoice or a link of this agent is the owner's.",
    remedy:
      "Ask the owner to delete the agent in the dashboard. Register another agent if you need one for somebody else.",
  },
  agent_linked_elsewhere: {
    cause: "The agent is linked to the account of another owner, or the id is wrong. The error does not say which.",
    remedy: "Sign in with the wallet that the agent is linked to, or open the link that the agent shows now.",
  },
  nothing_signed_yet: {
    cause:
      "Anyone can claim an agent whose link they see. An owner therefore gets its token or a credential only after they have signed something for it.",
    remedy: "Sign a mandate that the agent proposes, then repeat the request.",
  },
  receiving_address_refused: {
    cause: "The zero address and the USDC contract cannot send on what they receive.",
    remedy: "Send an address whose key you hold.",
  },
};
