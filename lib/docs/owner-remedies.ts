import type { Remedy } from "./remedy";

/** What an owner decides or signs: agents, mandates, approvals, payouts, refunds and their own money. */
export const OF_OWNERS: Record<string, Remedy> = {
  agent_bound: {
    cause:
      "An agent may leave an owner only while nothing depends on the link. A mandate, an approval, an invoice or a link of this agent is the owner's.",
    remedy:
      "Ask the owner to delete the agent in the dashboard. Register another agent if you need one for somebody else.",
  },
  agent_linked_elsewhere: {
    cause: "The agent is linked to the account of another owner, or the id is wrong. The error does not say which.",
    remedy: "Sign in with the wallet that the agent is linked to, or open the link that the agent shows now.",
  },
  agent_mismatch: {
    cause: "An agent acts only for itself. `agentId` and the JWT name two different agents.",
    remedy: "Leave `agentId` out, or log in as the agent that is meant.",
  },
  agent_not_found: {
    cause: "The agent was deleted, the id is wrong, or the agent belongs to another owner.",
    remedy:
      "An owner lists agents with `GET /api/agents`. The JWT and the token of a deleted agent never work again: register another agent.",
  },
  agent_not_linked: {
    cause: "Service credits belong to an owner, and this agent has none yet.",
    remedy:
      "Propose a mandate and show the owner its `authorizationUrl`: signing it links the agent. Until then, pay for scans with x402.",
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
  approval_decided: {
    cause: "A decision on an approval is final. Another page or another device decided first.",
    remedy: "Read the approval. If the payment is still wanted, the agent requests it again.",
  },
  approval_mandate_waiting: {
    cause: "You prepared a mandate from this approval before, and it waits for your signature.",
    remedy: "Sign or reject the mandate that waits, then repeat the request if another one is needed.",
  },
  approval_not_found: {
    cause: "The id is wrong, or the approval belongs to another owner or agent.",
    remedy:
      "An agent sends the payment without `approvalId`, which requests an approval. An owner finds what waits on the overview.",
  },
  cap_exceeds_limit: {
    cause:
      "A payment is part of a day, a day of a month, and a month of the whole limit. A larger part could never be used.",
    remedy: "Order the amounts: one payment, one day, one month, the limit; each at most as large as the next.",
  },
  cap_not_narrower: {
    cause: "The owner signed the mandate with its caps. Without a new signature they can only become stricter.",
    remedy: "Send a lower cap, or propose a new mandate.",
  },
  hosts_not_narrower: {
    cause: "The owner signed the list of hosts. Without a new signature a host can be taken away but not added.",
    remedy: "Send only hosts that the present list covers, or propose a new mandate.",
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
  payee_not_found: {
    cause: "The id is wrong, or the payee belongs to another owner.",
    remedy:
      "Open the page of the mandate: it lists the payees that wait for confirmation and those that are confirmed.",
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
    cause: "Nobody approved the payout in time. No money moved.",
    remedy: "Make a new payout with another `payoutId`, and tell the owner that it waits.",
  },
  payout_not_found: {
    cause: "The id is wrong, or the payout belongs to another agent or owner.",
    remedy: "List yours with `GET /api/payouts`. `payoutId` is your own id, `payoutRecordId` is the service's.",
  },
  invalid_recipient: {
    cause: "The recipient is the zero address, a USDC contract or the wallet that pays.",
    remedy: "Ask the recipient for an address whose key they hold.",
  },
  refund_cancelled: {
    cause: "The refund was cancelled before it was approved. No money moved.",
    remedy: "Request a new refund of the same payment.",
  },
  refund_expired: {
    cause: "Nobody approved the refund in time. No money moved.",
    remedy: "Request a new refund of the same payment.",
  },
  refund_not_found: {
    cause: "The id is wrong, or the payment was to another owner.",
    remedy: "Read the payment with `GET /api/received-payments/{paymentId}`.",
  },
  refund_settled: {
    cause: "The chain shows the refund's transfer. It cannot be undone.",
    remedy: "Read the refund. Its `receiptUrl` shows the transfer to the buyer.",
  },
  payment_not_found: {
    cause:
      "The id is wrong, or the payment belongs to another agent or owner. Payments made and payments received have different ids.",
    remedy: "List payments made with `GET /api/payments`, payments received with `GET /api/received-payments`.",
  },
  payment_not_settled: {
    cause: "Only money that has arrived can be given back, and the chain has not shown this payment yet.",
    remedy: "Read the payment again. Request the refund once `settlementStatus` is `settled`.",
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
  authorization_expired: {
    cause: "The chain's clock has passed `validBefore`, and the authorization was not used.",
    remedy: "Sign a new authorization. The expired one can no longer move money.",
  },
  authorization_not_yet_valid: {
    cause: "`validAfter` is in the future, so that the chain would refuse the transfer now.",
    remedy: "Sign with `validAfter: 0`.",
  },
  authorization_too_long: {
    cause:
      "Anyone who has a signed authorization can submit it until it ends. An authorization of more than an hour is refused.",
    remedy: "Sign one whose `validBefore` is at most an hour from now.",
  },
  invalid_signature: {
    cause: "The address in `from` did not sign these values, or signed them for another network or token.",
    remedy: "Sign the typed data that the service gave, unchanged, with the account that the deposit comes from.",
  },
  wrong_payee: {
    cause: "A deposit fills your own spending wallet. The authorization pays another address.",
    remedy: "Sign one whose `to` is your spending wallet on this network: `GET /api/wallet` has it.",
  },
  wrong_payer: {
    cause: "A deposit comes from the account that you sign in with, so that a withdrawal can go back there.",
    remedy: "Send the money to that account first, and deposit it from there.",
  },
  not_own_address: {
    cause:
      "A withdrawal goes to the address that you sign in with, and needs no more than a session. Another address is a payout.",
    remedy: "Leave the address out, or make a payout with `POST /api/wallet/payouts`.",
  },
  nothing_to_withdraw: {
    cause: "There is no USDC in the spending wallet of this network. Each network has its own.",
    remedy: "Read the balances with `GET /api/wallet` before you withdraw.",
  },
  cancellation_signature_invalid: {
    cause: "Only the payer can cancel an authorization, by a signature of this cancellation.",
    remedy: "Sign the typed data that the settlement gives, with the account that signed the payment.",
  },
  no_email: {
    cause: "Notifications by mail need an address that you have confirmed.",
    remedy: "Enter one under *Dashboard, Settings* and open the link in the mail.",
  },
  mail_not_configured: {
    cause: "This installation has no mail server. The operator sets `SMTP_URL` and `MAIL_FROM`.",
    remedy: "Use notifications in the browser, or webhooks.",
  },
  session_not_found: {
    cause: "The session has ended, or belongs to another account.",
    remedy: "List yours with `GET /api/sessions`.",
  },
};
