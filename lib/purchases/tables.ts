import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, PaymentId, PurchaseId } from "@/lib/core/ids";
import { payments } from "@/lib/payments/tables";
import { moment } from "@/lib/platform/columns";

/**
 * A purchase at a URL under the agent's idempotency key. `sealedProof` never changes once it is set: one key makes one
 * payment.
 */
export const purchases = pgTable(
  "purchases",
  {
    id: text("id").$type<PurchaseId>().primaryKey(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** SHA-256 of the key; of a pass that has ended, its id. */
    keyHash: text("key_hash").notNull(),
    /** SHA-256 of the request: the same key with another request is refused. */
    requestHash: text("request_hash").notNull(),
    /** The payment that the proof makes. */
    paymentId: text("payment_id")
      .$type<PaymentId>()
      .unique()
      .references(() => payments.id),
    /** The approval request for the user, with its link. */
    sealedApproval: text("sealed_approval"),
    sealedProof: text("sealed_proof"),
    /** The seller's first successful response. */
    sealedAnswer: text("sealed_answer"),
    /** The purchase of the pass that the request was sent on. It is sent on no other pass, and never paid for itself. */
    passId: text("pass_id")
      .$type<PurchaseId>()
      .references((): AnyPgColumn => purchases.id),
    /** Of the purchase of a pass: the call for which its proof was signed. A call buys one pass. */
    boughtFor: text("bought_for")
      .$type<PurchaseId>()
      .unique()
      .references((): AnyPgColumn => purchases.id),
    /** When `sealedAnswer` was deleted, at least ANSWER_DAYS after the last call. */
    answerDeletedAt: moment("answer_deleted_at"),
    /** The status of the seller's last response to the proof. */
    lastStatus: integer("last_status"),
    /** When the hold of the current call expires; after its release, when the last call ended. */
    heldUntil: moment("held_until").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    unique("purchases_key").on(t.agentId, t.keyHash),
    index("purchases_answered").on(t.heldUntil).where(sql`sealed_answer is not null`),
    check("purchases_answer", sql`sealed_answer is null or answer_deleted_at is null`),
    check("purchases_pass", sql`pass_id is null or sealed_proof is null`),
    check("purchases_proof", sql`(payment_id is null) = (sealed_proof is null)`),
  ],
);
