import { failures } from "@/lib/core/errors";

export const payoutErrors = failures({
  payout_not_found: ["not_found", "There is no such payout. GET /api/payouts lists yours"],
  payout_conflict: [
    "conflict",
    "There is another payout with this payoutId. Send the same body to read that one, or choose a new payoutId",
  ],
  duplicate_biz_id: [
    "conflict",
    "A payout with this bizId waits, is under way or is paid; payoutId names it. Do not pay twice: look at that one",
  ],
  agent_mismatch: ["forbidden", "agentId is another agent than the one whose JWT this is. Leave it out"],
  invalid_recipient: ["invalid", "Money sent to this address would be lost"],
  insufficient_balance: [
    "conflict",
    "The spending wallet on this network holds less than the payout and what is under way. Ask the owner to add money. Nothing was moved",
  ],
  payout_approved: ["conflict", "The payout was approved before: its transfers are under way or made"],
  payout_denied: ["gone", "The owner denied this payout. Do not request it again unless they ask you to"],
  payout_cancelled: ["gone", "The payout was cancelled. Make a new one with another payoutId"],
  payout_expired: ["gone", "The payout was not approved in time. Create a new one with another payoutId"],
  payout_id_required: ["invalid", "payoutId is needed here: it keeps a file that is sent again from paying again"],
  address_not_found: ["not_found", "There is no such address in your address book"],
  address_exists: ["conflict", "This address is in your address book already"],
  address_book_full: ["conflict", "An address book has at most 1000 addresses. Remove one first"],
});
