import { and, desc, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { OwnerId, PayeeId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import type { Payee } from "./rules";
import { payees } from "./tables";

export type Pair = Pick<Payee, "ownerId" | "origin" | "network" | "payee">;

const isOfHost = ({ ownerId, origin, network }: Omit<Pair, "payee">): SQL | undefined =>
  and(eq(payees.ownerId, ownerId), eq(payees.origin, origin), eq(payees.network, network));

export async function find(db: Queryable, pair: Pair): Promise<Payee | null> {
  const [row] = await db
    .select()
    .from(payees)
    .where(and(isOfHost(pair), eq(payees.payee, pair.payee)));
  return row ?? null;
}

/** Who confirmed the payee; null if nobody did, or the owner refused it since. */
export async function confirmedBy(db: Queryable, pair: Pair): Promise<Payee["confirmedBy"]> {
  const payee = await find(db, pair);
  return payee && !payee.refusedAt ? payee.confirmedBy : null;
}

/** Serialises decisions on the owner's payees of this host until `tx` ends. */
export async function lockHost(tx: Tx, { ownerId, origin, network }: Pair): Promise<void> {
  const key = `payees.${ownerId} ${network} ${origin}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** The other address of the pair's host that was confirmed last and is not refused. */
export async function previousOf(tx: Tx, pair: Pair): Promise<Address | null> {
  const [row] = await tx
    .select({ payee: payees.payee })
    .from(payees)
    .where(and(isOfHost(pair), ne(payees.payee, pair.payee), isNotNull(payees.confirmedAt), isNull(payees.refusedAt)))
    .orderBy(desc(payees.confirmedAt), desc(payees.id))
    .limit(1);
  return row?.payee ?? null;
}

export async function insert(tx: Tx, row: typeof payees.$inferInsert): Promise<Payee> {
  const [inserted] = await tx.insert(payees).values(row).returning();
  if (!inserted) throw new Error("the insert returned no row");
  return inserted;
}

export async function change(tx: Tx, id: PayeeId, set: Partial<typeof payees.$inferInsert>): Promise<Payee> {
  const [row] = await tx.update(payees).set(set).where(eq(payees.id, id)).returning();
  if (!row) throw new Error(`${id} vanished`);
  return row;
}

/** SQL condition for the statement that signs a payment: the owner may have refused the payee since it was read. */
export const isConfirmed = (id: PayeeId): SQL =>
  sql`exists (select 1 from ${payees} where id = ${id} and confirmed_at is not null and refused_at is null)`;

export type PayeeWithAgent = { payee: Payee; agentName: string };

const withAgents = (db: Queryable) =>
  db.select({ payee: payees, agentName: agents.name }).from(payees).innerJoin(agents, eq(agents.id, payees.agentId));

export async function findForOwner(db: Queryable, ownerId: OwnerId, id: PayeeId): Promise<PayeeWithAgent | null> {
  const [row] = await withAgents(db).where(and(eq(payees.id, id), eq(payees.ownerId, ownerId)));
  return row ?? null;
}

/** Newest first. */
export const listForOwner = (
  db: Queryable,
  { ownerId, network }: { ownerId: OwnerId; network: NetworkName },
  limit: number,
): Promise<Payee[]> =>
  db
    .select()
    .from(payees)
    .where(and(eq(payees.ownerId, ownerId), eq(payees.network, network)))
    .orderBy(desc(payees.createdAt), desc(payees.id))
    .limit(limit);

export const listWaiting = (db: Queryable, ownerId: OwnerId, limit: number): Promise<PayeeWithAgent[]> =>
  withAgents(db)
    .where(and(eq(payees.ownerId, ownerId), isNull(payees.confirmedAt), isNull(payees.refusedAt)))
    .orderBy(desc(payees.createdAt), desc(payees.id))
    .limit(limit);
