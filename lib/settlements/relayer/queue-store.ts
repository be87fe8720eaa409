import {
  and,
  asc,
  count,
  countDistinct,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  min,
  or,
  sql,
} from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { isOpen } from "../rules";
import type { Settlement } from "../store";
import { cancellations, OPEN, relayers, relayerTransactions, settlements, UNENDED } from "../tables";

/** The pending work of one relayer key on one network. */
export type Outlook = {
  /** Why the key is paused until an operator intervenes; null when it is not. */
  pausedReason: string | null;
  /** Number of its open transactions. */
  inFlight: number;
  /** Number of settlements without a group that the key may send now, and when the oldest was claimed. */
  waiting: number;
  oldest: Date | null;
  /** Whether groups or cancellations may be waiting for the key. */
  hasGroups: boolean;
  hasCancellations: boolean;
};

/** A single query, because there is usually nothing to do. Null for a key that was never used on the network. */
export async function outlook(
  db: Queryable,
  network: NetworkName,
  signer: Address,
  now: Date,
): Promise<Outlook | null> {
  const queued = db
    .select({ waiting: count().as("waiting"), oldest: min(settlements.createdAt).as("oldest") })
    .from(settlements)
    .where(and(queuedFor(network, signer, now), isNull(settlements.groupId)))
    .as("queued");
  const groups = db
    .select({ one: sql`1` })
    .from(settlements)
    .where(and(queuedFor(network, signer, now), isNotNull(settlements.groupId)));
  const open = and(
    eq(relayerTransactions.network, network),
    eq(relayerTransactions.signer, signer),
    eq(relayerTransactions.isOpen, true),
  );
  const toCancel = and(eq(cancellations.network, network), inArray(cancellations.state, ["waiting", "sent"]));
  const [row] = await db
    .select({
      pausedReason: relayers.pausedReason,
      inFlight: sql<number>`${db.$count(relayerTransactions, open)}::int`,
      waiting: queued.waiting,
      oldest: queued.oldest,
      hasGroups: sql<boolean>`${exists(groups)}`,
      hasCancellations: sql<boolean>`${db.$count(cancellations, toCancel)} > 0`,
    })
    .from(relayers)
    .crossJoin(queued)
    .where(and(eq(relayers.network, network), eq(relayers.signer, signer)));
  return row ?? null;
}

const queuedFor = (network: NetworkName, signer: Address, now: Date) =>
  and(
    eq(settlements.network, network),
    eq(settlements.state, "claimed"),
    or(isNull(settlements.signer), eq(settlements.signer, signer)),
    or(isNull(settlements.retryAt), lte(settlements.retryAt, now)),
  );

const queuedSince = sql`coalesce(${settlements.retryAt}, ${settlements.createdAt})`;

/** Assigns the oldest waiting settlements without a group to one relayer key; two keys never get the same one. */
export async function pick(db: Queryable, network: NetworkName, signer: Address, now: Date, limit: number) {
  const oldest = db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(queuedFor(network, signer, now), isNull(settlements.groupId)))
    // A postponed settlement queues behind later arrivals, so no one can block the front of the queue.
    .orderBy(queuedSince)
    .limit(limit)
    .for("update", { skipLocked: true });
  return db.update(settlements).set({ signer }).where(inArray(settlements.id, oldest)).returning();
}

/** The longest-waiting group whose open legs may all be sent now by this key, or null. */
export async function nextGroup(db: Queryable, network: NetworkName, signer: Address, now: Date) {
  const [row] = await db
    .select({ groupId: settlements.groupId })
    .from(settlements)
    .where(and(eq(settlements.network, network), inArray(settlements.state, [...OPEN]), isNotNull(settlements.groupId)))
    .groupBy(settlements.groupId)
    .having(sql`bool_and(${queuedFor(network, signer, now)})`)
    .orderBy(sql`min(${queuedSince})`)
    .limit(1);
  return row?.groupId ?? null;
}

/** Assigns a whole group to one relayer key. Returns all of its legs, ended ones included; empty when it is not available. */
export async function pickGroup(tx: Tx, groupId: SettlementId, network: NetworkName, signer: Address, now: Date) {
  // The first leg in lock order acts as the group's lock, so two keys never get a part each.
  const first = sql`(select min(g.id) from settlements g where g.group_id = ${groupId})`;
  const [groupLock] = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(eq(settlements.id, first))
    .for("update", { skipLocked: true });
  if (!groupLock) return [];
  const queued = sql<boolean>`coalesce(${queuedFor(network, signer, now)}, false)`;
  const legs = await tx
    .select({ row: settlements, queued })
    .from(settlements)
    .where(eq(settlements.groupId, groupId))
    .orderBy(asc(settlements.id))
    .for("update");
  if (legs.some(({ row, queued }) => isOpen(row) && !queued)) return [];
  await tx
    .update(settlements)
    .set({ signer })
    .where(and(eq(settlements.groupId, groupId), eq(settlements.state, "claimed")));
  return legs.map(({ row }) => row);
}

/** All legs of a group, ended ones included, locked until the transaction ends. */
export async function lockGroup(tx: Tx, groupId: SettlementId): Promise<Settlement[]> {
  return tx
    .select()
    .from(settlements)
    .where(eq(settlements.groupId, groupId))
    .orderBy(asc(settlements.id))
    .for("update");
}

/** Number of this key's open transactions that contain a group. */
export async function countGroupsInFlight(db: Queryable, network: NetworkName, signer: Address): Promise<number> {
  const [row] = await db
    .select({ inFlight: countDistinct(settlements.relayerNonce) })
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        eq(settlements.signer, signer),
        inArray(settlements.state, ["prepared", "broadcast"]),
        isNotNull(settlements.groupId),
      ),
    );
  return row?.inFlight ?? 0;
}

/** Releases a paused key's unsent settlements and cancellations, so that other keys can pick them. */
export async function unassign(db: Queryable, network: NetworkName, signer: Address): Promise<void> {
  await db
    .update(settlements)
    .set({ signer: null })
    .where(and(eq(settlements.network, network), eq(settlements.signer, signer), eq(settlements.state, "claimed")));
  const { network: networkColumn, signer: signerColumn, state } = cancellations;
  await db
    .update(cancellations)
    .set({ signer: null })
    .where(and(eq(networkColumn, network), eq(signerColumn, signer), eq(state, "waiting")));
}

export async function postpone(db: Queryable, ids: SettlementId[], retryAt: Date): Promise<void> {
  if (ids.length > 0) await db.update(settlements).set({ retryAt }).where(inArray(settlements.id, ids));
}

/**
 * Counts of a network's settlements. `stuck`: open since before `stuckSince`. `declined`: can still be paid. `oldest`: claim time
 * of the oldest open one.
 */
export async function backlog(db: Queryable, network: NetworkName, stuckSince: Date) {
  const isOfNetwork = eq(settlements.network, network);
  const [[open], [declined], [notShown]] = await Promise.all([
    db
      .select({
        open: count(),
        oldest: min(settlements.createdAt),
        stuck: count(sql`case when ${lt(settlements.createdAt, stuckSince)} then 1 end`),
      })
      .from(settlements)
      .where(and(isOfNetwork, inArray(settlements.state, [...OPEN]))),
    db
      .select({ declined: count() })
      .from(settlements)
      .where(and(isOfNetwork, sql`${settlements.state} = 'declined'`)),
    db
      .select({ count: count() })
      .from(settlements)
      .where(and(isOfNetwork, inArray(settlements.state, [...UNENDED]), isNotNull(settlements.useNotShownAt))),
  ]);
  return {
    open: open?.open ?? 0,
    oldest: open?.oldest ?? null,
    stuck: open?.stuck ?? 0,
    declined: declined?.declined ?? 0,
    useNotShown: notShown?.count ?? 0,
  };
}
