import type { Remedy } from "./remedy";
import { OF_VAULTS } from "./vault-remedies";

const NEVER_TWICE = "Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).";

const OF_PROOFS: Record<string, Remedy> = {
  payment_already_used: {
    cause:
      "The same proof was presented before: perhaps by you, in a request whose answer was lost, or by someone else who saw it. It can be paid once, and has one settlement.",
    remedy: `Read \`GET /api/settlements/{settlementId}\` with the \`settlementId\` of this error. ${NEVER_TWICE}`,
  },
  payment_not_over_yet: {
    cause:
      "The proof has expired by our clock. By the chain's clock, which may be some seconds behind, it can still be paid, so we cannot tell you that it is over.",
    remedy: `Present the same proof again in a few seconds. ${NEVER_TWICE}`,
  },
  payer_over_gas_budget: {
    cause:
      "The payer is a contract whose transfers failed, or used unusually much gas, and the relayer has spent its hourly budget for this payer.",
    remedy:
      "This request took no payment. Pay from an account without code, or present the proof again in an hour if it is still valid then.",
  },
  too_many_contract_payments: {
    cause: "Many payments by accounts with code came from one address in a short time. Each needs its own transaction.",
    remedy: "This request took no payment. Present the same proof again after `Retry-After` seconds.",
  },
  settlement_unknown: {
    cause:
      "The database or this process failed while the proof was being claimed. The claim may have been written or not.",
    remedy: `Read the settlement in \`settlementId\`. If there is none, present the same proof once more: it is never taken twice. ${NEVER_TWICE}`,
  },
  settlement_failed: {
    cause:
      "The transfer was not made. `failureCode` says why: `INSUFFICIENT_FUNDS` (the payer has too little USDC), `EXPIRED`, `CANCELED`, `ALREADY_USED`, `INVALID_SIGNATURE`, `ACCOUNT_BLOCKED` or `TOKEN_PAUSED` (by the issuer of USDC), `GAS_BUDGET_SPENT`, `GROUP_FAILED`, `UNSENDABLE`, `REVERTED`.",
    remedy: `With \`stillValidUntil\` the proof can still be paid until then: wait, then read the settlement, or cancel it first. Without \`stillValidUntil\` no money moved and none can, and a new proof is safe. If it was \`INSUFFICIENT_FUNDS\`, first add USDC to the payer: the owner of an agent does that in *Dashboard, Wallet*, and \`GET /api/agent/self/status\` shows what the wallet holds. ${NEVER_TWICE}`,
  },
  settlement_not_found: {
    cause: "There is no settlement with this id, or the proof that you presented was never claimed.",
    remedy: "If you have the id from a `SETTLEMENT_UNKNOWN` error, present the same proof once more.",
  },
  no_receipt: {
    cause: "The payment failed for good: no money moved, and none can. A receipt states a transfer.",
    remedy: "A new payment is safe.",
  },
  payment_not_cancellable: {
    cause:
      "Only a payment that we stopped submitting and that can still be paid can be cancelled. This one is on its way, settled, or over.",
    remedy: "Read `settlementStatus` of the settlement.",
  },
  payment_expired: {
    cause: "The proof's `validBefore` has passed on the chain. It can no longer move money.",
    remedy:
      "If no earlier request presented this proof, sign a new one. Otherwise read that settlement first. Present proofs at once, or request a longer `validityWindowSeconds`.",
  },
  payment_insufficient: {
    cause:
      "The proof is for less or more than the price. Proofs of the scheme `exact` pay exactly `maxAmountRequired`.",
    remedy:
      "Request the resource again, and sign the amount that `accepts` states now. The refused proof can be paid by anyone who saw it until it expires; do not send it elsewhere.",
  },
  payment_credential_invalid: {
    cause:
      "The credential of the Machine Payments Protocol is not of type `authorization`, its challenge was issued for another URL or was changed, its nonce is not derived from the challenge, or `validBefore` is after the challenge's `expires`.",
    remedy: "Answer the challenge in the `WWW-Authenticate` of this response, unchanged. Nothing was taken.",
  },
  invalid_payment_header: {
    cause: "The header is not base64 of an x402 payment with scheme `exact` and an EIP-3009 authorization.",
    remedy: "Send `xPaymentB64` unchanged as `X-Payment`, or `paymentPayloadB64` as `PAYMENT-SIGNATURE`.",
  },
};

const OF_OFFERS: Record<string, Remedy> = {
  unsupported_scheme: {
    cause:
      "The wallet signs fixed amounts only: the scheme `exact` with an EIP-3009 authorization. The seller wants something else, for example `upto` (a maximum, of which it takes what it chooses) or `exact` by Permit2. Nothing was signed, and nothing is reserved.",
    remedy: "Choose an offer with `exact` from `accepts`. If there is none, this wallet cannot pay this seller.",
  },
  sign_in_not_bought: {
    cause:
      "The challenge is ours and fresh, but the wallet named in it did not sign it, or none of its payments for this URL has settled or still can.",
    remedy:
      "Sign with the account that paid, on the network of the link. To read a payment whose result you do not know, read its settlement first: paying again buys again.",
  },
};

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
};
