import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { ConfirmationId, OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { hex, moment, usdc } from "@/lib/platform/columns";
import type { ActionTypedData } from "./rules";

/** A challenge to sign one action. A used row is kept with its signature as evidence of the owner's agreement. */
export const confirmations = pgTable(
  "confirmations",
  {
    id: text("id").$type<ConfirmationId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** SHA-256 of the action without nonce and deadline: equal calls have equal hashes. */
    actionHash: text("action_hash").notNull(),
    typedData: jsonb("typed_data").$type<ActionTypedData>().notNull(),
    /** The EIP-712 digest of `typedData`. */
    digest: hex("digest").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
    signature: hex("signature"),
  },
  (t) => [
    index("confirmations_action").on(t.ownerId, t.actionHash, t.createdAt),
    index("confirmations_unused").on(t.ownerId, t.expiresAt).where(sql`used_at is null`),
    check("confirmations_signed", sql`(used_at is null) = (signature is null)`),
  ],
);

/** The largest sum of payouts and single payments in 24 hours that an owner approves without a signature. The default is APPROVAL_LIMIT_DEFAULT. */
export const approvalLimits = pgTable(
  "approval_limits",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .primaryKey()
      .references(() => owners.id),
    amount: usdc("amount").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  () => [check("approval_limits_amount", sql`amount >= 0`)],
);
