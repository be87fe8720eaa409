import { bigint, bigserial, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { OwnerId } from "@/lib/core/ids";
import { reservations } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { address, moment } from "@/lib/platform/columns";

/** Deny: no agent of the owner pays it. Allow: while owners.paysOnlyListed is set, nothing else is paid. */
export type PayeeList = "deny" | "allow";

/** An owner's own lists. The wallets' payeesRevision says whether there ever was an entry. */
export const listedPayees = pgTable(
  "listed_payees",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    list: text("list").$type<PayeeList>().notNull(),
    /** A checksummed address or a normalised host. */
    payee: text("payee").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.payee, t.list] })],
);

/** Payments that were signed before their payee was listed, so that their owner is told once. */
export const deniedUnderWay = pgTable("denied_under_way", {
  reservationId: bigint("reservation_id", { mode: "number" })
    .primaryKey()
    .references(() => reservations.id),
  list: text("list").notNull(),
  foundAt: moment("found_at").notNull(),
});

/** What people report to the operator: an address that is on a list by mistake. */
export const payeeReports = pgTable(
  "payee_reports",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    address: address("address").notNull(),
    /** The operator's list that had it. */
    list: text("list").notNull(),
    /** Written by a stranger. */
    reason: text("reason").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [index("payee_reports_address").on(t.address)],
);
