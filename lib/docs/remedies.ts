import { OF_OWNERS } from "./owner-remedies";
import { OF_OFFERS, OF_PROOFS } from "./payment-remedies";
import type { Remedy } from "./remedy";
import { OF_SELLERS } from "./seller-remedies";
import { OF_VAULTS } from "./vault-remedies";
import { OF_THE_WIRE } from "./wire-remedies";

const OF_MANDATES: Record<string, Remedy> = {
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
  mandate_payment_cap_exceeded: {
    cause: "The owner set a maximum for one payment, a day or a month, and the price is above it.",
    remedy:
      "Do not split the payment to get around it. Propose another mandate, or request an approval (x402V1Payment).",
  },
  host_not_allowed: {
    cause:
      "The host of `resource` is not in the mandate's list. Hosts are compared exactly, and subdomains are separate. Links and agents of this service are at this service's host.",
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
      "Between reading what to sign and signing it, a payment was signed under the mandate that would have moved, or that mandate ended. `remainingAmount` is what is left of it. Nothing was signed, and the old mandate is as it was.",
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
    remedy: "Propose a new mandate to the present owner.",
  },
  firewall_blocked: {
    cause: "The owner has this agent's payments scanned, and the scan refused this one. `findings` has the reasons.",
    remedy: "Nothing was signed. Show the findings to the owner, and go on only if they decide so.",
  },
  insufficient_credits: {
    cause: "The owner's balance of service credits is below the price.",
    remedy: "Nothing was spent. Pay in USDC, or have the owner buy credits.",
  },
  payee_refused: {
    cause:
      "The owner looked at this address for this host and refused it. Mandates that confirm payees do not pay it, whatever the host says now.",
    remedy:
      "Request the resource again: the seller may ask to be paid at another address. If the address is right, show the owner `approvalUrl`, where they can change the decision.",
  },
  approval_denied: {
    cause: "The owner rejected this one payment.",
    remedy: "Nothing was signed. Do not request it again unless the owner asks you to.",
  },
  approval_expired: {
    cause: "The owner did not decide within ten minutes, or the agent did not fetch the proof in time.",
    remedy: "Nothing was signed. Omit `approvalId` to request a new approval, if the payment is still wanted.",
  },
  approval_used: {
    cause: "The proof of this approval was signed before. An approval is valid for one payment.",
    remedy: "Read the payment in `paymentRecordId`. Do not request another approval before you know how it ended.",
  },
  approval_mismatch: {
    cause: "The body differs from the one that the owner was shown.",
    remedy: "Send exactly the same body with the `approvalId`.",
  },
};

const OF_MOVES: Record<string, Remedy> = {
  insufficient_balance: {
    cause:
      "The spending wallet on this network holds less than this transfer and everything that is already under way from it.",
    remedy: "Nothing was moved. The owner adds money; then repeat.",
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
  payment_not_final: {
    cause: "The payment's block may still be replaced, and a refund must not be paid for a payment that is undone.",
    remedy: "No money was moved. Approve the refund again in a few seconds.",
  },
  refund_exceeds_payment: {
    cause: "The sum of this payment's refunds, including those that wait for approval, would exceed the payment.",
    remedy: "Request a smaller refund, or cancel one that waits.",
  },
  refund_approved: {
    cause: "The refund was approved before: its transfer is under way or can still be made.",
    remedy: "Read the refund. Do not request another one for the same reason.",
  },
  refund_failed: {
    cause: "The transfer of this refund failed for good: no money moved.",
    remedy: "Request a new refund.",
  },
  domain_not_found: {
    cause: "The owner has no domain with this id, or removed it.",
    remedy: "List the domains with `GET /api/seller/domains`.",
  },
  domain_invalid: {
    cause: "Only a public host name can be verified: no scheme, path, IP address or port.",
    remedy: "Send the host alone, for example `shop.example.com`.",
  },
  too_many_domains: {
    cause: "An owner can have ten domains, verified or not.",
    remedy: "Remove one with `DELETE /api/seller/domains/{domainId}`.",
  },
  logo_invalid: {
    cause:
      "The file is not a PNG, JPEG or WebP, whatever its name says; or it is animated, cut off, turned by its metadata or too large.",
    remedy: "Save the logo again as a PNG of at most 2048 pixels a side and 200 KB.",
  },
  logo_not_found: {
    cause: "No seller shows this logo any more. Its address changes with the picture.",
    remedy: "Read the profile again, and use its `logoUrl`.",
  },
  domain_not_proved: {
    cause:
      "We looked for the proof in the TXT records of the host and in its file, and found it in neither. `reason` says what was found instead.",
    remedy:
      "Publish `proof` of the domain as it is. DNS servers may return the old answer until its time to live has passed.",
  },
  amount_not_offered: {
    cause:
      "The payer of this link chooses the amount, in a range that its seller set. `amount` in the URL is outside of it.",
    remedy:
      "Use an `amount` in atomic units between `minAmount` and `maxAmount` of this error, or none for the usual one.",
  },
  quantity_not_offered: {
    cause: "`quantity` in the URL is not a whole number from 1 to the most that the seller allows in one payment.",
    remedy: "Use a `quantity` up to `maxQuantity` of this error.",
  },
  field_invalid: {
    cause: "The seller asks the buyers of this link for texts, and one of them is missing or not valid.",
    remedy:
      "Add each required entry of `fields` to the URL as a query parameter with its `name`, and request the URL again: the price and the proof belong to that URL.",
  },
  link_sold_out: {
    cause: "The link's `maxUses` is reached, by payments that settled or are under way.",
    remedy: "This request took no payment. A place opens again if a pending payment fails.",
  },
  link_expired: { cause: "The link's `expiresAt` has passed.", remedy: "This request took no payment." },
  link_disabled: { cause: "The seller disabled the link.", remedy: "This request took no payment." },
  wallet_not_linked: {
    cause: "The agent has no owner yet, so there is no address to pay.",
    remedy:
      "The agent proposes a mandate with `POST /api/mandates/create-intent`. Its owner opens the `authorizationUrl` of that response and links the agent; signing is not needed to be paid. The `authorizationUrl` of this error only explains that to a person.",
  },
  signature_required: {
    cause:
      "A session alone cannot do this. The action needs a signature of the owner's wallet, for this call only; `reason` says what is wrong with one that was sent.",
    remedy: "Nothing was changed. Sign `typedData` and repeat the same call with `signature` in its body.",
  },
};

const OF_REQUESTS: Record<string, Remedy> = {
  invalid_request: {
    cause: "A parameter or a member of the body does not have the documented form. `field` names it, if there is one.",
    remedy: "Nothing was done. Correct the request; the [reference](/docs/reference) has each field and its limits.",
  },
  rate_limited: {
    cause: "Too many requests of this kind by one agent, owner or address.",
    remedy: "Nothing was done. Wait for `Retry-After` seconds.",
  },
  idempotency_key_reused: {
    cause: "The key was used within 24 hours for a request with another path or body.",
    remedy: "Nothing was done. Use a new key for a new request, and the same key only for the same request.",
  },
  idempotency_in_progress: {
    cause: "The first request with this key has not ended.",
    remedy: "Repeat with the same key in a moment.",
  },
  idempotency_unknown: {
    cause: "The process that carried out the first request with this key died before it answered.",
    remedy:
      "Look for the effect of the first request (list the payments, payouts or links) before you repeat it with a new key.",
  },
  unavailable: {
    cause: "A chain's node or the database does not answer.",
    remedy:
      "Repeat after `Retry-After` seconds with the same `Idempotency-Key`, or present the same proof again. Do not assume that nothing was done.",
  },
  internal_error: {
    cause: "An error of this service.",
    remedy:
      "Treat the outcome as unknown: repeat with the same `Idempotency-Key` or the same proof. Include `requestId` if you report it.",
  },
  subscription_refused: {
    cause: "The push service is not reached by a public https URL, or the keys are not those of its subscription.",
    remedy: "Send `endpoint` and `keys` as `PushSubscription.toJSON()` gives them, after subscribing with `publicKey`.",
  },
  too_many_browsers: {
    cause: "Notifications go to at most ten browsers of an owner.",
    remedy: "Remove one under *Dashboard, Settings*, or by `DELETE /api/notices/browsers/{browserId}`.",
  },
  browser_not_found: {
    cause: "The browser was removed, its session was ended, or its push service ended the subscription.",
    remedy: "Read `GET /api/notices/browsers`. The browser itself can subscribe again.",
  },
  invalid_or_expired_jwt: {
    cause: "Login JWTs are valid for minutes, 15 by default. This one is over, or was not issued by this service.",
    remedy: "`POST /refresh` with `agent_id` and `token` returns a new one.",
  },
  wrong_token_type: {
    cause:
      "A credential (`typ: agent-vc`) was sent in place of a login JWT. A credential identifies; it cannot log in.",
    remedy: "Send the `jwt` of `/register` or `/refresh`.",
  },
};

export const REMEDIES: Readonly<Record<string, Remedy>> = {
  ...OF_PROOFS,
  ...OF_OFFERS,
  ...OF_MANDATES,
  ...OF_VAULTS,
  ...OF_MOVES,
  ...OF_REQUESTS,
  ...OF_OWNERS,
  ...OF_SELLERS,
  ...OF_THE_WIRE,
};
