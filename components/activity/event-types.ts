import { type EventKind, isOfKind } from "@/lib/agents/contract";

/** Labels of event kinds and types in the filters of the activity page. */
export const KIND_LABELS: Record<EventKind, string> = {
  mandate: "Mandates",
  money: "Money",
  link: "Links and refunds",
  credential: "Credentials",
  agent: "Agents",
  webhook: "Webhooks",
  facilitator: "Facilitator",
  owner: "Sign-ins",
};

export const TYPE_LABELS = {
  "mandate.created": "Mandate requested",
  "mandate.claimed": "Mandate claimed",
  "mandate.narrowed": "Mandate narrowed",
  "mandate.signed": "Mandate signed",
  "mandate.rejected": "Mandate rejected",
  "mandate.disabled": "Mandate paused",
  "mandate.enabled": "Mandate resumed",
  "mandate.revoked": "Mandate revoked",
  "mandate.budget_exceeded": "Mandate exceeded by the chain",
  "vault.opened": "Vault opened",
  "vault.failed": "Vault not opened",
  "vault.closed": "Vault closed",
  "vault.payer_refused": "Vault refused as payer",
  "payee.requested": "Payee waits",
  "payee.confirmed": "Payee confirmed",
  "payee.changed": "Payee changed",
  "payee.refused": "Payee refused",
  "payment.approval_requested": "Payment requested",
  "payment.approved": "Payment approved",
  "payment.denied": "Payment rejected",
  "payment.refused": "Payment refused",
  "payment.settled": "Payment made",
  "payment.cancelled": "Payment cancelled",
  "payment.reopened": "Payment reverted by the chain",
  "settlement.settled": "Money received or moved",
  "settlement.declined": "Payment not settled, still valid",
  "settlement.failed": "Money not received or moved",
  "credits.taken_back": "Service credits reverted by the chain",
  "payment_link.created": "Payment link created",
  "payment_link.updated": "Payment link updated",
  "payment_link.deleted": "Payment link deleted",
  "payment_link.paid": "Payment link paid",
  "payout.created": "Payout requested",
  "payout.approved": "Payout approved",
  "payout.denied": "Payout rejected",
  "payout.cancelled": "Payout cancelled",
  "payout.succeeded": "Payout paid",
  "payout.failed": "Payout failed",
  "refund.created": "Refund requested",
  "refund.approved": "Refund approved",
  "refund.cancelled": "Refund cancelled",
  "refund.settled": "Refunded",
  "refund.failed": "Refund failed",
  VC_ISSUED: "Credential issued",
  "agent.registered": "Agent registered",
  "agent.linked": "Agent linked",
  "agent.unlinked": "Agent unlinked",
  "agent.token_rotated": "Agent token replaced",
  "agent.updated": "Agent updated",
  "agent.deleted": "Agent deleted",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook updated",
  "webhook.verified": "Webhook receiver verified",
  "webhook.secret_rotated": "Webhook secret rotated",
  "webhook.disabled": "Webhook disabled by us",
  "webhook.deleted": "Webhook deleted",
  "facilitator_key.created": "API key created",
  "facilitator_key.updated": "API key changed",
  "facilitator_key.revoked": "API key revoked",
  "owner.signed_in": "Sign-in",
  "owner.approval_limit_changed": "Approval limit changed",
} as const satisfies Record<string, string>;

export type EventType = keyof typeof TYPE_LABELS;

// Object.keys loses the type of the keys.
export const EVENT_TYPES = Object.keys(TYPE_LABELS) as [EventType, ...EventType[]];

/** The types of `kind`, or all types. */
export const typesOf = (kind: EventKind | undefined): readonly EventType[] =>
  EVENT_TYPES.filter((type) => kind === undefined || isOfKind(type, kind));
