import { and, asc, count, eq, inArray, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { listedPayees, type PayeeList } from "@/lib/screening/tables";

export type PayeeEntry = { list: PayeeList; payee: string; createdAt: Date };

const ENTRY = { list: listedPayees.list, payee: listedPayees.payee, createdAt: listedPayees.createdAt };

export const entriesOf = (db: Queryable, ownerId: OwnerId): Promise<PayeeEntry[]> =>
  db
    .select(ENTRY)
    .from(listedPayees)
    .where(eq(listedPayees.ownerId, ownerId))
    .orderBy(asc(listedPayees.list), asc(listedPayees.payee));

export async function isAllowListOn(db: Queryable, ownerId: OwnerId): Promise<boolean> {
  const [owner] = await db.select({ isOn: owners.paysOnlyListed }).from(owners).where(eq(owners.id, ownerId));
  return owner?.isOn ?? false;
}

/**
 * Locks the owner's mandates, then their lists: what is signed meanwhile is written before the change, or is decided again under the
 * changed lists.
 */
export async function lock(tx: Tx, ownerId: OwnerId): Promise<{ isAllowListOn: boolean }> {
  await tx
    .select({ id: mandates.id })
    .from(mandates)
    // Those that wait for their signature as well: one that is signed meanwhile could pay unseen.
    .where(and(eq(mandates.ownerId, ownerId), inArray(mandates.state, ["signed", "pending_signature"])))
    .orderBy(asc(mandates.id))
    .for("no key update");
  const [owner] = await tx
    .select({ isAllowListOn: owners.paysOnlyListed })
    .from(owners)
    .where(eq(owners.id, ownerId))
    .for("no key update");
  if (!owner) throw new Error(`there is no ${ownerId}`);
  return owner;
}

/** The entries of `payees` on a list, and how many it has. */
export async function standOf(tx: Tx, ownerId: OwnerId, list: PayeeList, payees: readonly string[]) {
  const isOfList = and(eq(listedPayees.ownerId, ownerId), eq(listedPayees.list, list));
  const [total] = await tx.select({ size: count() }).from(listedPayees).where(isOfList);
  const rows = await tx
    .select({ payee: listedPayees.payee })
    .from(listedPayees)
    .where(and(isOfList, inArray(listedPayees.payee, [...payees])));
  return { size: total?.size ?? 0, entries: new Set(rows.map(({ payee }) => payee)) };
}

type Change = { list: PayeeList; added: readonly string[]; removed: readonly string[]; turned: boolean | null };

export async function write(
  tx: Tx,
  ownerId: OwnerId,
  { list, added, removed, turned }: Change,
  time: Date,
): Promise<void> {
  if (removed.length > 0)
    await tx
      .delete(listedPayees)
      .where(
        and(eq(listedPayees.ownerId, ownerId), eq(listedPayees.list, list), inArray(listedPayees.payee, [...removed])),
      );
  if (added.length > 0)
    await tx.insert(listedPayees).values(added.map((payee) => ({ ownerId, list, payee, createdAt: time })));
  if (turned !== null) await tx.update(owners).set({ paysOnlyListed: turned }).where(eq(owners.id, ownerId));
  await tx
    .update(mandates)
    .set({ revision: sql`${mandates.revision} + 1` })
    .where(and(eq(mandates.ownerId, ownerId), eq(mandates.state, "signed")));
}

/** A signed payment to an address that is now on a list. */
export type UnderWay = { reservationId: number; list: string; address: Address };

/** Open reservations with an id above `after`, and whom they pay. */
export async function openPayees(
  db: Queryable,
  after: number,
  limit: number,
): Promise<{ reservationId: number; payee: Address }[]> {
  const { rows } = await db.execute<{ id: string; payee: Address }>(sql`
    select r.id, r.payee from reservations r
    where r.state = 'open' and r.id > ${after} and not exists (select 1 from denied_under_way d where d.reservation_id = r.id)
    order by r.id limit ${limit}`);
  return rows.map(({ id, payee }) => ({ reservationId: Number(id), payee }));
}

/** The open reservations of an owner that pay one of `payees`. */
export async function openPayeesOf(tx: Tx, ownerId: OwnerId, payees: readonly Address[]) {
  const { rows } = await tx.execute<{ id: string; payee: Address }>(sql`
    select r.id, r.payee from reservations r join wallets w on w.id = r.wallet_id
    where r.state = 'open' and w.owner_id = ${ownerId} and r.payee = any(${sql.param([...payees])}::text[])`);
  return rows.map(({ id, payee }) => ({ reservationId: Number(id), payee }));
}

export type Denied = {
  reservationId: number;
  list: string;
  ownerId: OwnerId;
  agentId: AgentId | null;
  payee: Address;
  network: string;
  amount: string;
};

/** Remembers the payments, and returns those that were not remembered before. */
export async function addUnderWay(tx: Tx, found: readonly UnderWay[], time: Date): Promise<Denied[]> {
  const values = found.map(({ reservationId, list }) => ({ id: reservationId, list }));
  const { rows } = await tx.execute<Denied>(sql`
    with added as (
      insert into denied_under_way (reservation_id, list, found_at)
      select id, list, ${time.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id bigint, list text)
      on conflict do nothing returning reservation_id, list)
    select a.reservation_id as "reservationId", a.list, w.owner_id as "ownerId", r.agent_id as "agentId", r.payee,
      r.network, r.amount::text as amount
    from added a join reservations r on r.id = a.reservation_id join wallets w on w.id = r.wallet_id`);
  return rows;
}
