import { type EventKind, isOfKind } from "@/lib/agents/contract";

/** Kinds and types of events, as the filters of the activity page name them. */
export const KIND_LABELS: Record<EventKind, string> = {
  mandate: "Mandates",
  money: "Money",
  link: "Links and refunds",
  credential: "Credentials",
  agent: "Agents",
  webhook: "Webhooks",
  owner: "Sign-ins",
};

export const TYPE_LABELS = {
  "mandate.created": "Mandate asked for",
  "mandate.claimed": "Mandate taken on",
  "mandate.narrowed": "Mandate narrowed",
  "mandate.signed": "Mandate signed",
  "mandate.rejected": "Mandate rejected",
  "mandate.disabled": "Mandate paused",
  "mandate.enabled": "Mandate resumed",
  "mandate.revoked": "Mandate revoked",
  "mandate.budget_exceeded": "Mandate exceeded by the chain",
  "payment.approval_requested": "Payment asked for",
  "payment.approved": "Payment approved",
  "payment.denied": "Payment rejected",
  "payment.settled": "Payment made",
  "payment.cancelled": "Payment cancelled",
  "payment.reopened": "Payment taken back by the chain",
  "settlement.settled": "Money received or moved",
  "settlement.declined": "Payment not settled, still valid",
  "settlement.failed": "Money not received or moved",
  "credits.taken_back": "Service credits taken back by the chain",
  "payment_link.created": "Payment link made",
  "payment_link.updated": "Payment link changed",
  "payment_link.deleted": "Payment link deleted",
  "payment_link.paid": "Payment link paid",
  "payout.created": "Payout asked for",
  "payout.approved": "Payout approved",
  "payout.denied": "Payout rejected",
  "payout.cancelled": "Payout cancelled",
  "payout.succeeded": "Payout paid",
  "payout.failed": "Payout failed",
  "refund.created": "Refund asked for",
  "refund.approved": "Refund approved",
  "refund.cancelled": "Refund cancelled",
  "refund.settled": "Refund paid",
  "refund.failed": "Refund failed",
  VC_ISSUED: "Credential issued",
  "agent.registered": "Agent registered",
  "agent.linked": "Agent linked",
  "agent.unlinked": "Agent unlinked",
  "agent.token_rotated": "Agent token changed",
  "agent.updated": "Agent changed",
  "agent.deleted": "Agent deleted",
  "webhook.created": "Webhook added",
  "webhook.updated": "Webhook changed",
  "webhook.verified": "Webhook receiver verified",
  "webhook.secret_rotated": "Webhook secret rotated",
  "webhook.disabled": "Webhook switched off by us",
  "webhook.deleted": "Webhook deleted",
  "owner.signed_in": "Sign-in",
  "owner.approval_limit_changed": "Approval limit changed",
} as const satisfies Record<string, string>;

export type EventType = keyof typeof TYPE_LABELS;

// Object.keys forgets what the keys are.
export const EVENT_TYPES = Object.keys(TYPE_LABELS) as [EventType, ...EventType[]];

/** The types to choose from: those of `kind`, or all of them. */
export const typesOf = (kind: EventKind | undefined): readonly EventType[] =>
  EVENT_TYPES.filter((type) => kind === undefined || isOfKind(type, kind));
