import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { inOrder } from "@/lib/platform/batch";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
import type { allSpendingAddresses, spendingAddresses } from "@/lib/wallets/service";
import { agents } from "./tables";

export type AgentRow = typeof agents.$inferSelect;

const isLiving = isNull(agents.deletedAt);
const isLivingOf = (ownerId: OwnerId, id: AgentId) => and(eq(agents.id, id), eq(agents.ownerId, ownerId), isLiving);

export async function add(db: Queryable, row: typeof agents.$inferInsert): Promise<void> {
  await db.insert(agents).values(row);
}

export async function find(db: Queryable, id: AgentId): Promise<AgentRow | null> {
  const [row] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), isLiving));
  return row ?? null;
}

/** The agents whose newest or previous token has this hash. At most one: tokens are random. */
export const listByTokenHash = (db: Queryable, hash: string): Promise<AgentRow[]> =>
  db
    .select()
    .from(agents)
    .where(and(or(eq(agents.tokenHash, hash), eq(agents.oldTokenHash, hash)), isLiving));

export type AgentStanding = Pick<AgentRow, "ownerId" | "paymentScan" | "loginsFrom">;

/** Returns a function that finds undeleted agents, in the order of the ids; null for the others. */
export function authFinder(db: Db) {
  const query = db
    .select({ id: agents.id, ownerId: agents.ownerId, paymentScan: agents.paymentScan, loginsFrom: agents.loginsFrom })
    .from(agents)
    .where(and(isAmong(agents.id, "ids"), isLiving))
    .prepare("agent_standings");
  return async (ids: readonly AgentId[]): Promise<(AgentStanding | null)[]> =>
    inOrder(ids, await query.execute({ ids: [...new Set(ids)] }), ({ id }) => id);
}

export type WithWallet = Pick<AgentRow, "name" | "ownerId" | "receivingAddress"> & { walletAddress: Address | null };

/** Returns a function that finds undeleted agents with their owners' wallets, in the order of the ids; null for the others. */
export function walletFinder(db: Db, spending: ReturnType<typeof spendingAddresses>, name: string) {
  const { id, name: named, ownerId, receivingAddress } = agents;
  const query = db
    .select({ id, name: named, ownerId, receivingAddress, walletAddress: spending.address })
    .from(agents)
    .leftJoin(spending, eq(spending.ownerId, agents.ownerId))
    .where(and(isAmong(agents.id, "ids"), isLiving))
    .prepare(name);
  return async (ids: readonly AgentId[]): Promise<(WithWallet | null)[]> =>
    inOrder(ids, await query.execute({ ids: [...new Set(ids)] }), ({ id }) => id);
}

/** Undeleted agents with an owner, and the address that pays each on each network: for joins in other domains' queries. */
export const receivers = (db: Queryable, spending: ReturnType<typeof allSpendingAddresses>) =>
  db
    .select({
      agentId: agents.id,
      ownerId: agents.ownerId,
      network: spending.network,
      payTo: sql<Address>`coalesce(${agents.receivingAddress}, ${spending.address})`.as("pay_to"),
    })
    .from(agents)
    .innerJoin(spending, eq(spending.ownerId, agents.ownerId))
    .where(isLiving)
    .as("receivers");

export const listOwned = (db: Queryable, ownerId: OwnerId): Promise<AgentRow[]> =>
  db
    .select()
    .from(agents)
    .where(and(eq(agents.ownerId, ownerId), isLiving))
    .orderBy(asc(agents.createdAt), asc(agents.id));

export async function findOwned(db: Queryable, ownerId: OwnerId, id: AgentId): Promise<AgentRow | null> {
  const [row] = await db.select().from(agents).where(isLivingOf(ownerId, id));
  return row ?? null;
}

/** The agent, locked for the rest of `tx`. */
export async function lock(tx: Tx, id: AgentId): Promise<AgentRow | null> {
  const [row] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), isLiving))
    .for("update");
  return row ?? null;
}

export async function link(tx: Tx, id: AgentId, ownerId: OwnerId, time: Date): Promise<void> {
  await tx.update(agents).set({ ownerId, linkedAt: time }).where(eq(agents.id, id));
}

/** Removes the owner and everything the owner had set. */
export async function unlink(tx: Tx, id: AgentId): Promise<void> {
  const set = { ownerId: null, linkedAt: null, receivingAddress: null, paymentScan: "off" as const };
  await tx.update(agents).set(set).where(eq(agents.id, id));
}

/**
 * Binds the agent to its owner: afterwards it cannot unlink itself. Call it when an owner signs, approves or entrusts something. False
 * when the agent does not, or no longer, belong to this owner.
 */
export async function bind(tx: Tx, id: AgentId, ownerId: OwnerId, time: Date): Promise<boolean> {
  const bound = await tx
    .update(agents)
    .set({ boundAt: sql`coalesce(${agents.boundAt}, ${sql.param(time, agents.boundAt)})` })
    .where(and(eq(agents.id, id), eq(agents.ownerId, ownerId)))
    .returning({ id: agents.id });
  return bound.length > 0;
}

/**
 * Records the agent's first sale. Call it when a sale starts. `ownerId` is the owner who is paid. Updates the row only the first time:
 * sales are frequent.
 */
export async function markSold(tx: Tx, id: AgentId, ownerId: OwnerId, time: Date): Promise<void> {
  await tx
    .update(agents)
    .set({ soldAt: time })
    .where(and(eq(agents.id, id), isNull(agents.soldAt), eq(agents.ownerId, ownerId)));
}

/** The account address of the agent's owner, or null. */
export async function ownerAddressOf(db: Queryable, id: AgentId): Promise<Address | null> {
  const [row] = await db
    .select({ address: owners.address })
    .from(agents)
    .innerJoin(owners, eq(owners.id, agents.ownerId))
    .where(eq(agents.id, id));
  return row?.address ?? null;
}

export type AgentChange = Partial<Pick<AgentRow, "name" | "receivingAddress" | "deletedAt">>;
export type TokenChange = Pick<AgentRow, "tokenHash" | "oldTokenHash" | "oldTokenUntil"> &
  Partial<Pick<AgentRow, "loginsFrom">>;

export async function changeToken(tx: Tx, id: AgentId, set: TokenChange): Promise<void> {
  await tx.update(agents).set(set).where(eq(agents.id, id));
}

/** False when this owner has no such agent. */
export async function change(db: Queryable, ownerId: OwnerId, id: AgentId, set: AgentChange): Promise<boolean> {
  const changed = await db.update(agents).set(set).where(isLivingOf(ownerId, id)).returning({ id: agents.id });
  return changed.length > 0;
}

export type KnownAgent = { id: AgentId; name: string; isDeleted: boolean };

/** Every agent that the owner ever had, oldest first. */
export const listEverOwned = (db: Queryable, ownerId: OwnerId): Promise<KnownAgent[]> =>
  db
    .select({ id: agents.id, name: agents.name, isDeleted: sql<boolean>`${agents.deletedAt} is not null` })
    .from(agents)
    .where(eq(agents.ownerId, ownerId))
    .orderBy(asc(agents.createdAt), asc(agents.id));
