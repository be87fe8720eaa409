import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lte, or, sql, sum } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { notify } from "@/lib/platform/queue";
import { relayerTransactions } from "@/lib/settlements/tables";
import { vaultOperations, vaults } from "@/lib/vaults/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { VaultRow } from "./store";

export type VaultOperation = typeof vaultOperations.$inferSelect;
export type NewVaultOperation = typeof vaultOperations.$inferInsert;

/** `isClosed`: its transaction was mined in a block that the observer has read, or can never be mined. */
export type LiveOperation = VaultOperation & { isClosed: boolean };

const LIVE = ["waiting", "sent"] as const;
const OPENING: VaultOperation["kind"][] = ["open_and_fund", "open_and_pull"];

/**
 * Queues an operation for the relayer. A vault has at most one live operation of each kind. A second pull replaces the sum of a
 * waiting one: the owner may no longer have the earlier sum.
 */
export async function add(tx: Queryable, row: NewVaultOperation): Promise<void> {
  await tx
    .insert(vaultOperations)
    .values(row)
    .onConflictDoUpdate({
      target: [vaultOperations.mandateId, vaultOperations.kind],
      targetWhere: sql`state in ('waiting', 'sent')`,
      set: { amount: sql`excluded.amount`, attempts: 0, retryAt: null },
      setWhere: sql`${vaultOperations.state} = 'waiting' and ${vaultOperations.kind} = 'pull'`,
    });
  await notify(tx, "settlement_claimed", row.network);
}

/**
 * Whether the operation's transaction was mined in a block that the observer has read (up to `upTo`, unless null) or can never be
 * mined.
 */
const isClosed = (upTo: bigint | null) => {
  const isEarly = upTo === null ? sql`true` : sql`coalesce(t.mined_block, 0) <= ${upTo.toString()}::bigint`;
  return sql<boolean>`(${vaultOperations.state} = 'sent' and coalesce((
    select not t.is_open and ${isEarly} from ${relayerTransactions} t
    where (t.network, t.signer, t.nonce) = (${vaultOperations.network}, ${vaultOperations.signer}, ${vaultOperations.relayerNonce})), true))`;
};

/** Whether an operation of the network waits or was sent. */
export async function hasLive(db: Queryable, network: NetworkName): Promise<boolean> {
  const rows = await db
    .select({ id: vaultOperations.id })
    .from(vaultOperations)
    .where(and(eq(vaultOperations.network, network), inArray(vaultOperations.state, [...LIVE])))
    .limit(1);
  return rows.length > 0;
}

/** Vaults with a closed operation that are not marked for reading yet. */
export async function listClosed(db: Queryable, network: NetworkName, limit: number): Promise<Address[]> {
  const rows = await db
    .select({ address: vaults.address })
    .from(vaultOperations)
    .innerJoin(vaults, eq(vaults.mandateId, vaultOperations.mandateId))
    .where(and(eq(vaultOperations.network, network), eq(vaults.isStale, false), isClosed(null)))
    .orderBy(asc(vaultOperations.id))
    .limit(limit);
  return rows.flatMap(({ address }) => address ?? []);
}

/** The number of sent operations, and of those in an unmined transaction of `signer`. */
export async function countSent(
  db: Queryable,
  network: NetworkName,
  signer: Address,
): Promise<{ sent: number; inFlight: number }> {
  const isInFlight = sql`${vaultOperations.signer} = ${signer} and not ${isClosed(null)}`;
  const [row] = await db
    .select({ sent: count(), inFlight: sql<number>`(count(*) filter (where ${isInFlight}))::int` })
    .from(vaultOperations)
    .where(and(eq(vaultOperations.network, network), eq(vaultOperations.state, "sent")));
  return row ?? { sent: 0, inFlight: 0 };
}

/** Operations of a network that may be sent now, with their vaults: never refused ones first, then the longest-waiting. */
export const listDue = (
  db: Queryable,
  network: NetworkName,
  now: Date,
  limit: number,
): Promise<{ operation: VaultOperation; vault: VaultRow }[]> =>
  db
    .select({ operation: vaultOperations, vault: vaults })
    .from(vaultOperations)
    .innerJoin(vaults, eq(vaults.mandateId, vaultOperations.mandateId))
    .where(
      and(
        eq(vaultOperations.network, network),
        eq(vaultOperations.state, "waiting"),
        or(isNull(vaultOperations.retryAt), lte(vaultOperations.retryAt, now)),
      ),
    )
    .orderBy(
      sql`${vaultOperations.attempts} > 0`,
      sql`coalesce(${vaultOperations.retryAt}, ${vaultOperations.createdAt})`,
      // The openings of an owner become due together.
      asc(vaultOperations.attempts),
      asc(vaultOperations.id),
    )
    .limit(limit);

const isWaitingOpeningOf = (network: NetworkName, owner: Address) =>
  and(
    eq(vaultOperations.network, network),
    eq(vaultOperations.state, "waiting"),
    inArray(vaultOperations.kind, OPENING),
    sql`${vaultOperations.mandateId} in (select ${vaults.mandateId} from ${vaults} where ${eq(vaults.owner, owner)})`,
  );

/** Total refusals of an owner's waiting openings. */
export async function countOpeningRefusals(db: Queryable, network: NetworkName, owner: Address): Promise<number> {
  const [row] = await db
    .select({ refusals: sum(vaultOperations.attempts) })
    .from(vaultOperations)
    .where(isWaitingOpeningOf(network, owner));
  return Number(row?.refusals ?? 0);
}

export async function postponeOpenings(
  db: Queryable,
  network: NetworkName,
  owner: Address,
  retryAt: Date,
): Promise<void> {
  await db.update(vaultOperations).set({ retryAt }).where(isWaitingOpeningOf(network, owner));
}

/** Locks the live operations of one vault. `upTo`: the block of the vault's state; the observer may have read further since. */
export async function lockLive(tx: Tx, mandateId: MandateId, upTo: bigint | null): Promise<LiveOperation[]> {
  const locked = await tx
    .select()
    .from(vaultOperations)
    .where(and(eq(vaultOperations.mandateId, mandateId), inArray(vaultOperations.state, [...LIVE])))
    .orderBy(asc(vaultOperations.id))
    .for("update");
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return [];
  // A separate statement: the one that waited for the lock does not see a transaction stored in the meantime.
  const closed = await tx
    .select({ id: vaultOperations.id })
    .from(vaultOperations)
    .where(and(inArray(vaultOperations.id, ids), isClosed(upTo)));
  return locked.map((row) => ({ ...row, isClosed: closed.some(({ id }) => id === row.id) }));
}

/** How often a vault's and its pocket's balance was returned to the owner in the last day. */
export type SentHome = { vault: number; pocket: number };

export async function sentHome(db: Queryable, mandateId: MandateId, since: Date): Promise<SentHome> {
  const kinds: VaultOperation["kind"][] = ["withdraw", "return", "empty_pocket"];
  const rows = await db
    .select({ kind: vaultOperations.kind })
    .from(vaultOperations)
    .where(
      and(
        eq(vaultOperations.mandateId, mandateId),
        inArray(vaultOperations.kind, kinds),
        gt(vaultOperations.createdAt, since),
      ),
    );
  const pocket = rows.filter(({ kind }) => kind === "empty_pocket").length;
  return { vault: rows.length - pocket, pocket };
}

/** Locks a waiting operation; false when it is no longer waiting. */
export async function lockWaiting(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx
    .select({ id: vaultOperations.id })
    .from(vaultOperations)
    .where(and(eq(vaultOperations.id, id), eq(vaultOperations.state, "waiting")))
    .for("update");
  return rows.length === 1;
}

export async function change(db: Queryable, id: number, set: Partial<Omit<VaultOperation, "id">>): Promise<void> {
  await db.update(vaultOperations).set(set).where(eq(vaultOperations.id, id));
}

/** Like change, but only while the operation is waiting. */
export async function changeWaiting(
  db: Queryable,
  id: number,
  set: Partial<Omit<VaultOperation, "id">>,
): Promise<void> {
  await db
    .update(vaultOperations)
    .set(set)
    .where(and(eq(vaultOperations.id, id), eq(vaultOperations.state, "waiting")));
}

/** Reopens operations done in blocks from `firstBlock` on, in their transaction if they had one. */
export async function reopen(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  const state = sql`case when ${vaultOperations.relayerNonce} is null then 'waiting' else 'sent' end`;
  await tx
    .update(vaultOperations)
    .set({ state, doneBlock: null })
    .where(
      and(
        eq(vaultOperations.network, network),
        gte(vaultOperations.doneBlock, firstBlock),
        // At most one of each kind is live, and a newer one does the same.
        sql`not exists (select 1 from vault_operations o where o.mandate_id = ${vaultOperations.mandateId}
          and o.kind = ${vaultOperations.kind} and o.id <> ${vaultOperations.id}
          and (o.state in ('waiting', 'sent') or (o.done_block >= ${firstBlock.toString()}::bigint and o.id > ${vaultOperations.id})))`,
      ),
    );
}

/** The operation that opens or has opened the vault; null until its owner has signed. */
export async function findOpening(db: Queryable, mandateId: MandateId): Promise<VaultOperation | null> {
  const [row] = await db
    .select()
    .from(vaultOperations)
    .where(and(eq(vaultOperations.mandateId, mandateId), inArray(vaultOperations.kind, OPENING)))
    .orderBy(desc(vaultOperations.id))
    .limit(1);
  return row ?? null;
}

/** The failed operation that should have opened the vault; null if none failed. */
export async function failedOpening(db: Queryable, mandateId: MandateId): Promise<VaultOperation | null> {
  const [row] = await db
    .select()
    .from(vaultOperations)
    .where(
      and(
        eq(vaultOperations.mandateId, mandateId),
        inArray(vaultOperations.kind, OPENING),
        eq(vaultOperations.state, "failed"),
      ),
    );
  return row ?? null;
}
