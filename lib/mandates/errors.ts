import { failures } from "@/lib/core/errors";

export const mandateErrors = failures({
  mandate_not_found: [
    "not_found",
    "There is no such mandate. GET /api/mandates lists yours; POST /api/mandates/create-intent makes a new one",
  ],
  mandate_not_signed: [
    "forbidden",
    "The user has not signed this mandate. Show them the authorizationUrl, and try again once they have signed",
  ],
  mandate_revoked: ["forbidden", "The user revoked this mandate. Ask them whether you may create a new one"],
  mandate_disabled: ["forbidden", "The user has paused this mandate. Ask them to resume it, or use another mandate"],
  mandate_expired: ["forbidden", "This mandate has expired. Create a new one with POST /api/mandates/create-intent"],
  mandate_insufficient_budget: [
    "forbidden",
    "What is left of this mandate does not cover the payment. Use another mandate or ask the user for a new one",
  ],
  mandate_period_budget_used: [
    "forbidden",
    "The payment fits into this mandate, but not into what is left of its budget for this day or month (UTC). Send the same request again at availableAt, or use another mandate",
  ],
  mandate_payment_cap_exceeded: [
    "forbidden",
    "The payment is larger than this mandate allows for one payment. Ask the user for another mandate",
  ],
  host_not_allowed: [
    "forbidden",
    "This mandate does not allow payments to this host. Use another mandate or ask the user for one",
  ],
  agent_not_authorized: [
    "forbidden",
    "The owner of this mandate is not the owner of this agent. Create a new mandate and have the user sign it",
  ],
  unsupported_network: [
    "unprocessable",
    "A mandate pays on one network, base or base-sepolia. Leave network out for base",
  ],
  currency_mismatch: ["unprocessable", "A mandate pays in USDC only. Leave currency out, or send USDC"],
  mandate_changed: ["conflict", "The mandate was changed at the same moment. Read it again and repeat"],
  rest_changed: [
    "conflict",
    "Less is left of the mandate whose rest this one takes over, or that mandate has ended. Nothing was signed. Prepare the move again with POST /api/mandates/{mandateId}/move-to-vault, or pause that mandate before",
  ],
  mandate_not_pending: ["conflict", "Only a mandate that waits for its signature can be changed, signed or rejected"],
  mandate_not_active: ["conflict", "Only a signed mandate can be paused or resumed"],
  mandate_not_claimed: ["conflict", "Link the agent to your account first"],
  signature_invalid: [
    "unprocessable",
    "The signature is not by the signed-in account, or not over the current terms of this mandate",
  ],
  limit_not_narrower: ["unprocessable", "The limit can only be lowered"],
  validity_not_narrower: ["unprocessable", "The mandate can only be made to end earlier"],
  validity_in_the_past: ["unprocessable", "The mandate must end in the future"],
  hosts_not_narrower: ["unprocessable", "Hosts can only be taken away; each must be covered by the list as it is"],
  cap_not_narrower: ["unprocessable", "The cap on one payment, on a day or on a month can only be lowered"],
  cap_exceeds_limit: [
    "unprocessable",
    "The cap on one payment cannot be larger than the one on a day, that not larger than the one on a month, and none larger than the limit",
  ],
});
