import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, OwnerId, PayeeId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment, usdc } from "@/lib/platform/columns";
import type { NetworkName } from "@/lib/x402/networks";
import type { AcceptedOffer, Why } from "./answers";

/** An address that an owner pays for a host: waiting, confirmed or refused. */
export const payees = pgTable(
  "payees",
  {
    id: text("id").$type<PayeeId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** Scheme, host and port: another port or scheme is another host. */
    origin: text("origin").notNull(),
    network: text("network").$type<NetworkName>().notNull(),
    payee: address("payee").notNull(),
    /** From here to `askedAt`: the payment that the host was last asked about. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .notNull()
      .references(() => mandates.id),
    resource: text("resource").notNull(),
    method: text("method").notNull(),
    amount: usdc("amount").notNull(),
    askedAt: moment("asked_at").notNull(),
    /** Why the host did not confirm the address; null if it did. */
    why: text("why").$type<Why>(),
    /** The requirement in the host's 402 that confirmed the address, and the SHA-256 of the bytes that contain it. */
    accepted: jsonb("accepted").$type<AcceptedOffer>(),
    answerHash: hex("answer_hash"),
    /** The address that was confirmed for this host before. */
    previousPayee: address("previous_payee"),
    confirmedBy: text("confirmed_by").$type<"host" | "owner">(),
    confirmedAt: moment("confirmed_at"),
    refusedAt: moment("refused_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("payees_pair").on(t.ownerId, t.origin, t.network, t.payee),
    index("payees_owner").on(t.ownerId, t.createdAt, t.id),
    index("payees_waiting").on(t.ownerId, t.createdAt, t.id).where(sql`confirmed_at is null and refused_at is null`),
    check("payees_confirmed", sql`(confirmed_by is null) = (confirmed_at is null)`),
    check(
      "payees_evidence",
      sql`(accepted is null) = (answer_hash is null) and (accepted is null) = (why is not null)`,
    ),
    check("payees_by_host", sql`confirmed_by is distinct from 'host' or accepted is not null`),
  ],
);
