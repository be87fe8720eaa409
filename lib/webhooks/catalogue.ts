/** A webhook event type and its payload. docs/webhooks.md is generated from these entries. */
export type Entry = {
  says: string;
  /** The name of the subject's id in `data`. */
  subject: string;
  /** Further members of `data` (next to the subject's id and `agentId`) and their meaning. */
  data: Record<string, string>;
  /** The type of the recorded event, if it differs. */
  recordedAs?: string;
};

const AMOUNT = "atomic USDC";
const NETWORK = "`base` or `base-sepolia`";
const HASH = "the transaction hash";
const SETTLEMENT = "the settlement that moved the money; its receipt is at `/receipt/{settlementId}`";
const REFERENCE = "the reference that the seller gave the link, or null";
const BY = "`agent` or `owner`";

const RESOURCE = "the paid URL, without its query";

const ofPayment = {
  mandateId: "the mandate of the payment, or null",
  amount: `${AMOUNT}; for service credits their value`,
  network: `${NETWORK}, or \`service-credits\``,
  payTo: "the address that is paid, or the service that accepts the credits",
  resource: RESOURCE,
  txHash: `${HASH}, or null`,
};
const ofPayout = {
  payoutId: "the id that its creator chose",
  amount: `${AMOUNT}, the sum of its transfers`,
  network: NETWORK,
};
const ofPayee = {
  mandateId: "the mandate of the request",
  origin: "the scheme, host and port that is paid",
  network: NETWORK,
  payTo: "the address",
  previousPayTo: "the address that was confirmed for the host before, or null",
};
const CONFIRMED_BY = "`host` (its own 402 asks for it) or `owner`";
const ofSettlement = { purpose: "its purpose, for example, `link`, `upl` or `deposit`", network: NETWORK };
const ofWaiting = { summary: "what you are asked, as in the agent's 202 and in the notice of your browser" };
const ofVault = { vault: "its address", network: NETWORK };
const ofLow = { balance: `${AMOUNT}, as the chain showed`, threshold: AMOUNT };
const ofApproval = { amount: AMOUNT, network: NETWORK, payTo: "the address that would be paid", resource: RESOURCE };

/** JSON types of the members of `data` that are no strings. Each member can be null: an older event lacks it. */
export const MEMBER_TYPES: Readonly<Record<string, object>> = {
  answers: { type: ["object", "null"], additionalProperties: { type: "string" } },
  changed: { type: ["array", "null"], items: { type: "string" } },
  confirmPayees: { type: ["boolean", "null"] },
  hostAllowlist: { type: ["array", "null"], items: { type: "string" } },
  metadata: { type: ["object", "null"], additionalProperties: { type: "string" } },
  paymentId: { type: ["integer", "null"] },
  quantity: { type: ["integer", "null"] },
  ttl_seconds: { type: ["integer", "null"] },
};

export const CATALOGUE = {
  "payment.approval_requested": {
    says: "An agent requested your approval for one payment, valid for ten minutes",
    subject: "approvalId",
    data: { ...ofApproval, ...ofWaiting },
  },
  "payment.approved": { says: "You approved a payment", subject: "approvalId", data: ofApproval },
  "payment.denied": { says: "You rejected a payment", subject: "approvalId", data: ofApproval },
  "payment.refused": {
    says: "A payment that an agent asked for was refused. Sent once for each minute, mandate, reason and host, however often the agent asks",
    subject: "attemptId",
    data: {
      mandateId: "the mandate of the request, or null",
      reason: "the error code that the agent got",
      host: "the host that would be paid; null after too many in a day, when only the first of the day is sent",
      amount: `${AMOUNT}, of the first one`,
      network: `${NETWORK}, or \`service-credits\``,
      payTo: "the address that would be paid, or the service that accepts the credits",
    },
  },
  "payment.settled": {
    says: "A payment that an agent signed has settled",
    subject: "paymentRecordId",
    data: ofPayment,
  },
  "payment.cancelled": {
    says: "A payment was cancelled on the chain; no money moves",
    subject: "paymentRecordId",
    data: ofPayment,
  },
  "payment.reopened": {
    says: "The chain replaced the block in which a payment had ended; the payment is open again",
    subject: "paymentRecordId",
    data: ofPayment,
  },
  "mandate.created": {
    says: "An agent requested a mandate, or you prepared one for it",
    subject: "mandateId",
    data: { limitAmount: AMOUNT, network: NETWORK, by: BY },
  },
  "mandate.claimed": { says: "You claimed an agent's mandate request", subject: "mandateId", data: {} },
  "mandate.narrowed": {
    says: "You narrowed a mandate before signing it",
    subject: "mandateId",
    data: {
      limitAmount: AMOUNT,
      maxAmountPerPayment: `${AMOUNT}, or null`,
      maxAmountPerDay: `${AMOUNT}, or null`,
      maxAmountPerMonth: `${AMOUNT}, or null`,
      validUntil: "when it ends",
      hostAllowlist: "the hosts it may pay, or null for any",
      confirmPayees: "whether each new payee is confirmed before it is paid",
    },
  },
  "mandate.signed": {
    says: "You signed a mandate: the agent can pay",
    subject: "mandateId",
    data: { mandateHash: "the hash that was signed", limitAmount: AMOUNT },
  },
  "mandate.rejected": { says: "You rejected a mandate request", subject: "mandateId", data: {} },
  "mandate.disabled": { says: "You paused a mandate", subject: "mandateId", data: {} },
  "mandate.enabled": { says: "You resumed a mandate", subject: "mandateId", data: {} },
  "mandate.revoked": {
    says: "You revoked a mandate permanently, or moved the rest of it to another one",
    subject: "mandateId",
    data: { replacedBy: "the mandate that took over its rest, or null" },
  },
  "mandate.budget_exceeded": {
    says: "After a block was replaced, the chain settled a payment or payout that exceeds its mandate's budget",
    subject: "mandateId",
    data: { paymentRecordId: "the payment, or null", payoutId: "the payout, or null", amount: AMOUNT },
  },
  "vault.opened": {
    says: "The vault of a mandate is open on the chain: the agent can pay from it",
    subject: "mandateId",
    data: ofVault,
  },
  "vault.failed": {
    says: "The vault of a mandate can never be opened; the mandate pays nothing",
    subject: "mandateId",
    data: { ...ofVault, failure: "why, in words" },
  },
  "vault.closed": {
    says: "The vault of a mandate is over and empty: what was left is back in the wallet of its owner",
    subject: "mandateId",
    data: ofVault,
  },
  "vault.low": {
    says: "The vault of a mandate has less than the mandate may still spend, and less than the threshold in your settings. Sent once, until there is as much again",
    subject: "mandateId",
    data: { ...ofVault, ...ofLow },
  },
  "wallet.low": {
    says: "After a payment, your spending wallet has less than an active mandate may still spend, and less than the threshold in your settings. Sent once, until there is as much again",
    subject: "walletId",
    data: { wallet: "its address", network: NETWORK, ...ofLow },
  },
  "wallet.limit_nearly_used": {
    says: "80 % of a limit over all that your agents spend, or one of them, is used. Sent once for each limit and length of its window",
    subject: "walletId",
    data: {
      network: NETWORK,
      window: "`24_hours` or `30_days`",
      cap: `${AMOUNT}, the limit`,
      usedAmount: `${AMOUNT}, reserved or paid in the window`,
    },
  },
  "vault.payer_refused": {
    says: "A seller refused a payment because a contract made it; from now on it is paid through the vault's pocket",
    subject: "mandateId",
    data: {
      host: "the seller",
      network: "base or base-sepolia",
      paymentRecordId: "the refused payment",
      reason: "in the seller's words",
    },
  },
  "payee.denied_under_way": {
    says: "An address was put on your deny list or a list of the operator after a payment to it was signed; that payment can still settle",
    subject: "payTo",
    data: {
      list: "`yours`, or the name of the operator's list",
      amount: AMOUNT,
      network: NETWORK,
    },
  },
  "payee.requested": {
    says: "An agent wants to pay a new address for a host that did not confirm it; the address waits for your decision",
    subject: "payeeId",
    data: { ...ofPayee, why: "why the host did not confirm it", ...ofWaiting },
  },
  "payee.confirmed": {
    says: "An address was confirmed for a host",
    subject: "payeeId",
    data: { ...ofPayee, by: CONFIRMED_BY },
  },
  "payee.changed": {
    says: "A host that you know is paid at another address from now on, in addition to the one before",
    subject: "payeeId",
    data: { ...ofPayee, by: CONFIRMED_BY },
  },
  "payee.refused": { says: "You refused an address for a host", subject: "payeeId", data: ofPayee },
  "payment_link.created": {
    says: "A payment link was created",
    subject: "linkId",
    data: { amount: AMOUNT, network: NETWORK, reference: REFERENCE, by: BY },
  },
  "payment_link.updated": {
    says: "A payment link was updated",
    subject: "linkId",
    data: { changed: "the names of the changed fields", by: BY },
  },
  "payment_link.deleted": { says: "A payment link was deleted", subject: "linkId", data: { by: BY } },
  "payment_link.paid": {
    says: "A payment link was paid",
    subject: "linkId",
    data: {
      settlementId: SETTLEMENT,
      amount: AMOUNT,
      network: NETWORK,
      payer: "the address that paid",
      reference: REFERENCE,
      metadata: "the metadata that the seller gave the link, or null",
      quantity: "how many were bought, or null for one",
      answers: "the buyer's answers by the name of the field, or null",
    },
  },
  "refund.created": {
    says: "A refund was requested and waits for your approval",
    subject: "refundId",
    data: { paymentId: "the received payment, a number", amount: AMOUNT, network: NETWORK, by: BY },
  },
  "refund.approved": { says: "You approved a refund", subject: "refundId", data: { settlementId: SETTLEMENT } },
  "refund.cancelled": { says: "A refund was cancelled or rejected", subject: "refundId", data: { by: BY } },
  "refund.settled": {
    says: "A refund was paid",
    subject: "refundId",
    data: { settlementId: SETTLEMENT, amount: AMOUNT, network: NETWORK, payee: "the address that received it" },
  },
  "refund.failed": {
    says: "The transfer of a refund failed: no money moved, and the chain shows that it never can",
    subject: "refundId",
    data: { settlementId: SETTLEMENT, amount: AMOUNT, network: NETWORK, payee: "the intended recipient" },
  },
  "payout.created": {
    says: "A payout was requested",
    subject: "payoutRecordId",
    data: { ...ofPayout, summary: `${ofWaiting.summary}; null if it does not wait for you` },
  },
  "payout.approved": {
    says: "You approved a payout, or a mandate covers it",
    subject: "payoutRecordId",
    data: ofPayout,
  },
  "payout.denied": { says: "You rejected a payout", subject: "payoutRecordId", data: ofPayout },
  "payout.cancelled": {
    says: "A payout was cancelled before its approval",
    subject: "payoutRecordId",
    data: ofPayout,
  },
  "payout.succeeded": { says: "All transfers of a payout have settled", subject: "payoutRecordId", data: ofPayout },
  "payout.failed": {
    says: "A payout failed: some or all of its transfers were not made, and the chain shows that they never can be. Read the payout to see which",
    subject: "payoutRecordId",
    data: ofPayout,
  },
  "settlement.settled": {
    says: "A presented payment has settled: a sale at a link or an agent's address, a deposit, a withdrawal or a purchase",
    subject: "settlementId",
    data: {
      ...ofSettlement,
      amount: AMOUNT,
      payer: "the address that paid",
      payee: "the address that was paid",
      txHash: HASH,
    },
  },
  "settlement.declined": {
    says: "We stopped submitting a payment. Anyone can still submit it until `stillValidUntil`: deliver nothing, and request no new payment before that. `settlement.settled` or `settlement.failed` follows",
    subject: "settlementId",
    data: {
      ...ofSettlement,
      failureCode: "the reason",
      stillValidUntil: "the time until which it can still move money, ISO 8601",
    },
  },
  "settlement.failed": {
    says: "A presented payment has failed: no money moved, and the chain shows that it never can",
    subject: "settlementId",
    data: { ...ofSettlement, failureCode: "the reason" },
  },
  "credits.taken_back": {
    says: "The chain replaced the block in which service credits were bought; the credits were removed",
    subject: "creditTransactionId",
    data: { amount: AMOUNT, settlementId: "the settlement of the purchase" },
  },
  "vc.issued": {
    says: "A credential was issued to an agent, requested by the agent or by you",
    subject: "credentialId",
    data: { audience: "its audience, as named in the request", ttl_seconds: "its lifetime in seconds" },
    recordedAs: "VC_ISSUED",
  },
} as const satisfies Record<string, Entry>;

/** Sent by the test endpoint, regardless of the webhook's event types. */
export const TEST_TYPE = "webhook.test";
/** Sent to verify that a receiver expects the messages. */
export const VERIFICATION_TYPE = "webhook.verification";

export type EventType = keyof typeof CATALOGUE;
export type PublicType = EventType | typeof TEST_TYPE | typeof VERIFICATION_TYPE;

// Object.keys loses the key type.
export const EVENT_TYPES = Object.keys(CATALOGUE) as [EventType, ...EventType[]];

export function entryOf(type: EventType): Entry {
  return CATALOGUE[type];
}
