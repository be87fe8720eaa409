import { failures, type Remedies } from "@/lib/core/errors";

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
    "This mandate covers the payment, but what is left of its budget for this day or month (UTC) does not. Send the same request again at availableAt, or use another mandate",
  ],
  owner_limit_reached: [
    "forbidden",
    "The owner's limit over all spending, or the one for this agent, does not cover the payment now. Send the same request again at availableAt, or ask the user",
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
    "The mandate that this one replaces has less left than before, or has ended. Nothing was signed. Prepare the move again with POST /api/mandates/{mandateId}/move-to-vault, or pause that mandate first",
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
    "The caps must be in order: one payment at most one day, one day at most one month, one month at most the limit",
  ],
});

export const mandateRemedies: Remedies = {
  cap_exceeds_limit: {
    cause:
      "A payment is part of a day, a day of a month, and a month of the whole limit. A larger part could never be used.",
    remedy: "Make each amount at most as large as the next: one payment, one day, one month, the limit.",
  },
  cap_not_narrower: {
    cause: "The owner signed the mandate with its caps. Without a new signature they can only become stricter.",
    remedy: "Send a lower cap, or propose a new mandate.",
  },
  hosts_not_narrower: {
    cause: "The owner signed the list of hosts. Without a new signature a host can be taken away but not added.",
    remedy: "Send only hosts that the current list covers, or propose a new mandate.",
  },
  limit_not_narrower: {
    cause: "The owner signed the limit. Without a new signature it can only be lowered.",
    remedy: "Send a lower limit, or propose a new mandate.",
  },
  validity_not_narrower: {
    cause: "The owner signed the end of the mandate. Without a new signature it can only come earlier.",
    remedy: "Send an earlier `validUntil`, or propose a new mandate.",
  },
  validity_in_the_past: {
    cause: "A mandate whose end has passed could never pay.",
    remedy: "Send a `validUntil` in the future. To end a mandate now, revoke it.",
  },
  mandate_not_active: {
    cause: "The mandate waits for its signature, or has ended. Neither can be paused, resumed or moved.",
    remedy: "Read `GET /api/mandates/agent/{mandateId}` and act on `mandate.status`.",
  },
  mandate_not_claimed: {
    cause: "The agent that proposed the mandate is not linked to the signed-in account.",
    remedy: "Open the mandate's `authorizationUrl`, with its token, and link the agent there. Then sign.",
  },
  mandate_not_found: {
    cause: "The id is wrong, or the mandate belongs to another owner or agent.",
    remedy: "List yours with `GET /api/mandates`, or propose one with `POST /api/mandates/create-intent`.",
  },
  mandate_not_pending: {
    cause: "The mandate was signed, rejected or revoked already, or was not signed within 24 hours.",
    remedy: "Read the mandate and act on `mandate.status`. Other terms need a new mandate.",
  },
  signature_invalid: {
    cause:
      "The signature is by another account, or over terms that changed after they were read: an agent can change a mandate until it is signed.",
    remedy: "Read the typed data again, show it, and have the signed-in account sign exactly that.",
  },
  mandate_not_signed: {
    cause: "The owner has not signed this mandate yet. It waits for 24 hours.",
    remedy:
      "Show the owner the `authorizationUrl` of this error, unchanged: without its `token` the page does not open for a new owner. `signUrl` in `GET /api/mandates/agent/{mandateId}` is the same address. Repeat once `status` is `signed`.",
  },
  mandate_insufficient_budget: {
    cause:
      "What is left is the limit minus what was spent and what is pending. Every signed proof is pending until the chain shows its end, also one that you never presented.",
    remedy:
      "Wait until pending proofs expire, use another mandate (`GET /api/mandates/eligible`), or propose a new one. Keep `validityWindowSeconds` short.",
  },
  mandate_period_budget_used: {
    cause:
      "The mandate has a budget for each calendar day or month, in UTC. What is reserved and paid in the current one leaves too little for this payment; `period`, `remainingAmount` and `availableAt` say which, how much, and when the next one begins. A proof that expires unused gives its amount back to the day on which it was signed.",
    remedy:
      "Wait until `availableAt`, then send the same request again. If it cannot wait, use another mandate (`GET /api/mandates/eligible`) or ask the owner for one. Do not split the payment over several mandates of the same owner.",
  },
  owner_limit_reached: {
    cause:
      "The owner limits what all agents, or this one, may spend in any 24 hours or 30 days on a network, over mandates, vaults, single payments, payouts and credits together. `limitOf`, `window`, `maxAmount` and `remainingAmount` say which limit and what is left of it. Whole hours and days are counted, the oldest one in full.",
    remedy:
      "Wait until `availableAt`, then send the same request again; if it is null, no waiting helps. If the owner lets payments above the limit wait, a payment is answered 202 `approval_required` in place of this; a payout has `canAsk` true: request it without `mandateId`, and a person may approve it. Do not split the payment.",
  },
  mandate_payment_cap_exceeded: {
    cause: "The owner set a maximum for one payment, a day or a month, and the price is above it.",
    remedy:
      "Do not split the payment to get around it. Propose another mandate, or request an approval (x402V1Payment).",
  },
  host_not_allowed: {
    cause:
      "The host of `resource` is not in the mandate's list. Hosts are compared exactly, and subdomains are separate. Links and agents of this service are at this service's host. A payout has no host: its entry in the list is `payout`.",
    remedy: "Use a mandate that lists the host, or propose one.",
  },
  mandate_expired: {
    cause: "The mandate's `validUntil` has passed, or it was not signed within 24 hours.",
    remedy: "Propose a new one.",
  },
  mandate_revoked: {
    cause: "The owner ended this mandate. Proofs that were signed before can still be paid until they expire.",
    remedy:
      "If the error has `replacedBy`, the owner moved what was left to that mandate: repeat the request with it. Otherwise ask the owner before you propose another.",
  },
  rest_changed: {
    cause:
      "After the data to sign was read, a payment was signed under the old mandate, or that mandate ended. `remainingAmount` is what is left of it. Nothing was signed, and the old mandate is unchanged.",
    remedy:
      "`POST /api/mandates/{mandateId}/move-to-vault` of the old mandate again: it lowers the new one. If the agent pays all the time, pause the old mandate first.",
  },
  mandate_disabled: {
    cause: "The owner paused this mandate.",
    remedy: "Ask the owner to resume it, or use another mandate.",
  },
  mandate_changed: {
    cause: "Another request changed the mandate while this one was checked. Nothing was signed.",
    remedy: "Read the mandate again and repeat.",
  },
  agent_not_authorized: {
    cause: "The mandate belongs to an owner who is not, or no longer, the owner of this agent.",
    remedy: "Propose a new mandate to the current owner.",
  },
};
