import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId } from "@/lib/core/ids";
import { STRANGER_BELOW } from "@/lib/core/limits";
import type { Usdc } from "@/lib/core/money";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { vaults } from "@/lib/vaults/tables";
import { wallets } from "@/lib/wallets/tables";
import { type NetworkName, REAL_NETWORK_NAMES } from "@/lib/x402/networks";
import { mandates } from "./tables";

export type Mandate = typeof mandates.$inferSelect;
export type NewMandate = typeof mandates.$inferInsert;

/** A mandate with its agent, owner and wallet. */
export type Parties = {
  mandate: Mandate;
  agentName: string;
  agentOwnerId: OwnerId | null;
  ownerAddress: Address | null;
  walletAddress: Address | null;
  vault: typeof vaults.$inferSelect | null;
};

/** Maximum number of mandates that listSpendable returns. */
const SPENDABLE_MAX = 500;

export async function insert(tx: Tx, row: NewMandate): Promise<Mandate> {
  const [inserted] = await tx.insert(mandates).values(row).returning();
  if (!inserted) throw new Error("the insert returned no row");
  return inserted;
}

export const withParties = (db: Queryable) =>
  db
    .select({
      mandate: mandates,
      agentName: agents.name,
      agentOwnerId: agents.ownerId,
      ownerAddress: owners.address,
      walletAddress: wallets.address,
      vault: vaults,
    })
    .from(mandates)
    .innerJoin(agents, eq(agents.id, mandates.agentId))
    .leftJoin(owners, eq(owners.id, mandates.ownerId))
    .leftJoin(wallets, eq(wallets.id, mandates.walletId))
    .leftJoin(vaults, eq(vaults.mandateId, mandates.id));

export async function findWithParties(db: Queryable, id: MandateId): Promise<Parties | null> {
  const [row] = await withParties(db).where(eq(mandates.id, id));
  return row ?? null;
}

export async function findForAgent(db: Queryable, agentId: AgentId, id: MandateId): Promise<Mandate | null> {
  const [row] = await db
    .select()
    .from(mandates)
    .where(and(eq(mandates.id, id), eq(mandates.agentId, agentId)));
  return row ?? null;
}

/** Mandates that can pay `amount` on `network` at `now` and allow all hosts or name one of `hosts`; newest first. */
export async function listSpendable(
  db: Queryable,
  agentId: AgentId,
  payment: { network: NetworkName; amount: Usdc; hosts: readonly string[] },
  now: Date,
): Promise<Mandate[]> {
  return db
    .select()
    .from(mandates)
    .where(
      and(
        eq(mandates.agentId, agentId),
        eq(mandates.network, payment.network),
        sql`${mandates.state} = 'signed'`,
        mandates.isEnabled,
        sql`(${mandates.hostAllowlist} is null or ${mandates.hostAllowlist} && ${sql.param([...payment.hosts])}::text[])`,
        gt(mandates.validUntil, now),
        or(isNull(mandates.maxAmountPerPayment), gte(mandates.maxAmountPerPayment, payment.amount)),
        sql`${mandates.spentAmount} + ${mandates.pendingAmount} + ${payment.amount.toString()}::numeric <= ${mandates.limitAmount}`,
      ),
    )
    .orderBy(desc(mandates.createdAt), desc(mandates.id))
    .limit(SPENDABLE_MAX);
}

export async function lock(tx: Tx, id: MandateId): Promise<Mandate | null> {
  const [row] = await tx.select().from(mandates).where(eq(mandates.id, id)).for("no key update");
  return row ?? null;
}

/** Locks the mandate, and the mandate that it would take over, in id order. */
export async function lockWithReplaced(tx: Tx, id: MandateId): Promise<Mandate | null> {
  const rows = await tx
    .select()
    .from(mandates)
    .where(or(eq(mandates.id, id), eq(mandates.id, sql`(select m.replaces from mandates m where m.id = ${id})`)))
    .orderBy(asc(mandates.id))
    .for("no key update");
  return rows.find((row) => row.id === id) ?? null;
}

/** The newest unsigned mandate that would take over `id`. */
export async function findWaitingSuccessor(db: Queryable, id: MandateId): Promise<Mandate | null> {
  const [row] = await db
    .select()
    .from(mandates)
    .where(and(eq(mandates.replaces, id), eq(mandates.state, "pending_signature")))
    .orderBy(desc(mandates.createdAt), desc(mandates.id))
    .limit(1);
  return row ?? null;
}

/** Locks the agent's mandates that wait for this owner's signature, for the rest of `tx`. */
export async function lockUnsigned(tx: Tx, agentId: AgentId, ownerId: OwnerId): Promise<{ id: MandateId }[]> {
  return tx
    .select({ id: mandates.id })
    .from(mandates)
    .where(and(eq(mandates.agentId, agentId), eq(mandates.ownerId, ownerId), eq(mandates.state, "pending_signature")))
    .orderBy(asc(mandates.id))
    .for("no key update");
}

/** Writes a person's change; the caller holds the row's lock. Payments based on the older revision no longer reserve. */
export async function change(tx: Tx, id: MandateId, set: Partial<NewMandate>, time: Date): Promise<Mandate> {
  const [row] = await tx
    .update(mandates)
    .set({ ...set, revision: sql`${mandates.revision} + 1`, updatedAt: time })
    .where(eq(mandates.id, id))
    .returning();
  if (!row) throw new Error(`${id} vanished under its lock`);
  return row;
}

/** Sets the day and month amounts of a mandate before its first reservation. The caller holds the row's lock. */
export async function carryPeriods(
  tx: Tx,
  id: MandateId,
  used: Pick<Mandate, "chargedOn" | "dayAmount" | "monthAmount">,
): Promise<void> {
  await tx.update(mandates).set(used).where(eq(mandates.id, id));
}

/**
 * Those of `agentIds` for which the owner's wallet has signed a mandate. An approved payment does not count: its message covers
 * one payment, and allows the agent nothing afterwards.
 */
export async function listSignedFor(db: Queryable, ownerId: OwnerId, agentIds: readonly AgentId[]): Promise<AgentId[]> {
  const rows = await db
    .selectDistinct({ id: mandates.agentId })
    .from(mandates)
    .where(and(inArray(mandates.agentId, [...agentIds]), eq(mandates.ownerId, ownerId), isNotNull(mandates.signedAt)));
  return rows.map(({ id }) => id);
}

/** Whether payments of STRANGER_BELOW or more under one mandate of the owner have settled on a network with real money. */
export async function hasSpent(db: Queryable, ownerId: OwnerId): Promise<boolean> {
  const [row] = await db
    .select({ id: mandates.id })
    .from(mandates)
    .where(
      and(
        eq(mandates.ownerId, ownerId),
        inArray(mandates.network, REAL_NETWORK_NAMES),
        gte(mandates.spentAmount, STRANGER_BELOW),
      ),
    )
    .limit(1);
  return row !== undefined;
}
