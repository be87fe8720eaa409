import { failures, type Remedies } from "@/lib/core/errors";

export const payoutErrors = failures({
  payout_not_found: ["not_found", "There is no such payout. GET /api/payouts lists yours"],
  payout_conflict: [
    "conflict",
    "There is another payout with this payoutId. Send the same body to read that one, or choose a new payoutId",
  ],
  duplicate_biz_id: [
    "conflict",
    "A payout with this bizId is waiting, under way or paid; payoutId names it. Do not pay twice: read that payout",
  ],
  agent_mismatch: ["forbidden", "agentId is not the agent of this JWT. Leave it out"],
  invalid_recipient: ["invalid", "Money sent to this address would be lost"],
  insufficient_balance: [
    "conflict",
    "The spending wallet on this network cannot cover the payout and the transfers under way. Ask the owner to add money. Nothing was moved",
  ],
  payout_approved: ["conflict", "The payout is already approved: its transfers are under way or completed"],
  payout_denied: ["gone", "The owner denied this payout. Do not request it again unless they ask you to"],
  payout_cancelled: ["gone", "The payout was cancelled. Create a new one with another payoutId"],
  payout_expired: ["gone", "The payout was not approved in time. Create a new one with another payoutId"],
  payout_id_required: ["invalid", "payoutId is required here: it prevents a file that is sent again from paying twice"],
  address_not_found: ["not_found", "There is no such address in your address book"],
  address_exists: ["conflict", "This address is in your address book already"],
  address_book_full: ["conflict", "An address book has at most 1000 addresses. Remove one first"],
});

export const payoutRemedies: Remedies = {
  agent_mismatch: {
    cause: "An agent acts only for itself. `agentId` and the JWT name two different agents.",
    remedy: "Leave `agentId` out, or log in as the agent that is meant.",
  },
  payout_cancelled: {
    cause: "The agent or the owner cancelled the payout before it was approved. No money moved.",
    remedy: "Make a new payout with another `payoutId` if it is still wanted.",
  },
  payout_denied: {
    cause: "The owner denied the payout. The decision is final, and no money moved.",
    remedy: "Ask the owner before you make another.",
  },
  payout_expired: {
    cause: "The payout was not approved in time. No money moved.",
    remedy: "Make a new payout with another `payoutId`, and notify the owner.",
  },
  payout_not_found: {
    cause: "The id is wrong, or the payout belongs to another agent or owner.",
    remedy: "List yours with `GET /api/payouts`. `payoutId` is your own id, `payoutRecordId` is the service's.",
  },
  invalid_recipient: {
    cause: "The recipient is the zero address, a USDC contract or the wallet that pays.",
    remedy: "Ask the recipient for an address whose key they hold.",
  },
  address_book_full: {
    cause: "An address book has at most 1000 addresses.",
    remedy: "Remove one with `DELETE /api/wallet/addresses/{address}`.",
  },
  address_exists: {
    cause: "The address is in your address book, perhaps in other letters: upper and lower case are the same address.",
    remedy: "Change its name with `PATCH /api/wallet/addresses/{address}`.",
  },
  address_not_found: {
    cause: "The address is not in your address book.",
    remedy: "List it with `GET /api/wallet/addresses`.",
  },
  duplicate_biz_id: {
    cause: "A payout with the same `bizId` waits, is under way or is paid. `payoutId` names it.",
    remedy: "Read that payout. Use another `bizId` only for another business case.",
  },
  payout_conflict: {
    cause: "Another payout has this `payoutId`, with a different body.",
    remedy: "To read the first one, send its body or GET it. For a different payout choose another `payoutId`.",
  },
  payout_approved: {
    cause: "The payout is approved, so its transfers are under way or made.",
    remedy: "It cannot be cancelled. Read its status.",
  },
};
