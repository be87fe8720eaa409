import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, InvoiceId, LinkId, OwnerId } from "@/lib/core/ids";
import { receivedPayments } from "@/lib/links/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import type { Invoice } from "./rules";
import { invoiceNumbers, invoices } from "./tables";

/** An invoice in lists: without its lines and texts. */
export type InvoiceRow = Pick<
  Invoice,
  | "invoiceId"
  | "id"
  | "agentId"
  | "linkId"
  | "number"
  | "network"
  | "total"
  | "buyerName"
  | "issueDate"
  | "dueDate"
  | "isPayableAfterDue"
  | "cancelledAt"
  | "createdAt"
>;

/** `saleId`: the sale to which its refunds refer. */
export type InvoicePaymentRow = Pick<typeof settlements.$inferSelect, "id" | "txHash" | "endedAt"> & {
  isSettled: boolean;
  saleId: number | null;
};

export const INVOICE_FILTERS = ["unpaid", "paid", "cancelled"] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

const { invoiceId, id, agentId, linkId, number, network, total, buyerName } = invoices;
const { issueDate, dueDate, isPayableAfterDue, cancelledAt, createdAt } = invoices;
const ROW = {
  invoiceId,
  id,
  agentId,
  linkId,
  number,
  network,
  total,
  buyerName,
  issueDate,
  dueDate,
  isPayableAfterDue,
  cancelledAt,
  createdAt,
};

const isAgentDeleted = sql<boolean>`${agents.deletedAt} is not null`;

/**
 * Locks and returns the last automatic number of the owner's year. The lock lasts until `tx` ends, so no number is skipped or used
 * twice.
 */
export async function lockNumbers(tx: Tx, ownerId: OwnerId, year: number): Promise<bigint> {
  const [row] = await tx
    .insert(invoiceNumbers)
    .values({ ownerId, year, last: 0n })
    .onConflictDoUpdate({
      target: [invoiceNumbers.ownerId, invoiceNumbers.year],
      set: { last: sql`${invoiceNumbers.last}` },
    })
    .returning();
  if (!row) throw new Error("a number came back empty");
  return row.last;
}

export async function setLastNumber(tx: Tx, ownerId: OwnerId, year: number, last: bigint): Promise<void> {
  await tx
    .update(invoiceNumbers)
    .set({ last })
    .where(and(eq(invoiceNumbers.ownerId, ownerId), eq(invoiceNumbers.year, year)));
}

/** The `numbers` that the owner's invoices already use. */
export async function takenOf(tx: Tx, ownerId: OwnerId, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ number: invoices.number })
    .from(invoices)
    .where(and(eq(invoices.ownerId, ownerId), inArray(invoices.number, [...numbers])));
  return new Set(rows.map((row) => row.number));
}

/** Null if the owner has an invoice of this number. */
export async function add(tx: Tx, row: typeof invoices.$inferInsert): Promise<Invoice | null> {
  const [added] = await tx
    .insert(invoices)
    .values(row)
    .onConflictDoNothing({ target: [invoices.ownerId, invoices.number] })
    .returning();
  return added ?? null;
}

export async function cancel(tx: Tx, targetId: InvoiceId, time: Date): Promise<void> {
  await tx
    .update(invoices)
    .set({ cancelledAt: sql`coalesce(${invoices.cancelledAt}, ${sql.param(time, invoices.cancelledAt)})` })
    .where(eq(invoices.invoiceId, targetId));
}

export async function find(
  db: Queryable,
  targetId: InvoiceId,
): Promise<{ invoice: Invoice; isAgentDeleted: boolean } | null> {
  const [row] = await db
    .select({ invoice: getTableColumns(invoices), isAgentDeleted })
    .from(invoices)
    .innerJoin(agents, eq(agents.id, invoices.agentId))
    .where(eq(invoices.invoiceId, targetId));
  return row ?? null;
}

type Page = { before?: number | undefined; limit: number };

/** Newest first. */
export const listOwn = (
  db: Queryable,
  sellerAgentId: AgentId,
  { before: cursor, limit }: Page,
): Promise<InvoiceRow[]> =>
  db
    .select(ROW)
    .from(invoices)
    .where(and(eq(invoices.agentId, sellerAgentId), cursor === undefined ? undefined : lt(invoices.id, cursor)))
    .orderBy(desc(invoices.id))
    .limit(limit);

/** The number of the owner's invoices, counted up to `max`. */
export async function countForOwner(db: Queryable, ownerId: OwnerId, max: number): Promise<number> {
  const some = db
    .select({ id: invoices.id })
    .from(invoices)
    .where(eq(invoices.ownerId, ownerId))
    .orderBy(desc(invoices.id))
    .limit(max)
    .as("some");
  const [row] = await db.select({ invoices: count() }).from(some);
  return row?.invoices ?? 0;
}

/** Newest first. */
export const listForOwner = (
  db: Queryable,
  ownerId: OwnerId,
  { before: cursor, limit, filter }: Page & { filter?: InvoiceFilter | undefined },
): Promise<(InvoiceRow & { agentName: string; isAgentDeleted: boolean })[]> =>
  db
    .select({ ...ROW, agentName: agents.name, isAgentDeleted })
    .from(invoices)
    .innerJoin(agents, eq(agents.id, invoices.agentId))
    .where(
      and(
        eq(invoices.ownerId, ownerId),
        cursor === undefined ? undefined : lt(invoices.id, cursor),
        filter && FILTERS[filter],
      ),
    )
    .orderBy(desc(invoices.id))
    .limit(limit);

export async function lastSellerDetails(db: Queryable, ownerId: OwnerId): Promise<string | null> {
  const [row] = await db
    .select({ sellerDetails: invoices.sellerDetails })
    .from(invoices)
    .where(and(eq(invoices.ownerId, ownerId), eq(invoices.createdBy, "owner")))
    .orderBy(desc(invoices.id))
    .limit(1);
  return row?.sellerDetails ?? null;
}

const hasPayment = (that: SQL) => sql`exists (select 1 from ${settlements} s
  where s.subject = ${invoices.linkId} and s.purpose = 'link' and ${that})`;
const isPaid = hasPayment(sql`s.state = 'settled'`);
const canStillSettle = hasPayment(sql`s.state <> 'void'`);

/** Must agree with `stateOf`: a payment takes precedence over a cancellation. */
const FILTERS = {
  unpaid: and(sql`not ${isPaid}`, or(isNull(invoices.cancelledAt), canStillSettle)),
  paid: isPaid,
  cancelled: and(isNotNull(invoices.cancelledAt), sql`not ${canStillSettle}`),
} satisfies Record<InvoiceFilter, SQL | undefined>;

/** Each link's payment that has settled or can still settle: at most one, because an invoice's link is paid once. */
export async function paymentsOf(
  db: Queryable,
  linkIds: readonly LinkId[],
): Promise<ReadonlyMap<string, InvoicePaymentRow>> {
  const rows =
    linkIds.length === 0
      ? []
      : await db
          .selectDistinctOn([settlements.subject], {
            subject: settlements.subject,
            id: settlements.id,
            txHash: settlements.txHash,
            endedAt: settlements.endedAt,
            isSettled: sql<boolean>`${settlements.state} = 'settled'`,
            saleId: receivedPayments.id,
          })
          .from(settlements)
          .leftJoin(receivedPayments, eq(receivedPayments.settlementId, settlements.id))
          .where(
            and(
              eq(settlements.purpose, "link"),
              inArray(settlements.subject, [...linkIds]),
              ne(settlements.state, "void"),
            ),
          )
          .orderBy(settlements.subject, sql`${settlements.state} <> 'settled'`, desc(settlements.createdAt));
  return new Map(rows.map(({ subject, ...payment }) => [subject, payment]));
}
