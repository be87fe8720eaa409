import { and, asc, countDistinct, desc, eq, gt, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import type { Fees } from "@/lib/platform/chain";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import type { Settlement } from "../store";
import { relayerAttempts, relayers, relayerTransactions, settlements } from "../tables";

export type Relayer = typeof relayers.$inferSelect;
export type RelayerTransaction = typeof relayerTransactions.$inferSelect;
export type RelayerAttempt = typeof relayerAttempts.$inferSelect;

/** Locks picked settlements in id order; false when one of them is no longer waiting for `signer`. */
export async function lockWaiting(tx: Tx, ids: SettlementId[], signer: Address): Promise<boolean> {
  const rows = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(inArray(settlements.id, ids), eq(settlements.state, "claimed"), eq(settlements.signer, signer)))
    .orderBy(asc(settlements.id))
    .for("update");
  return rows.length === ids.length;
}

/** Marks locked settlements as included in the transaction with this nonce. */
export async function prepare(tx: Tx, ids: SettlementId[], relayerNonce: number, txHash: Hex): Promise<void> {
  await tx.update(settlements).set({ state: "prepared", relayerNonce, txHash }).where(inArray(settlements.id, ids));
}

/** Sets the hash of the newest attempt on the settlements of a transaction. */
export async function setAttemptHash(tx: Tx, nonce: NonceKey, txHash: Hex): Promise<void> {
  await tx
    .update(settlements)
    .set({ txHash })
    .where(and(inTransaction(nonce), inArray(settlements.state, ["prepared", "broadcast"])));
}

export async function listInFlight(db: Queryable, nonce: NonceKey): Promise<Settlement[]> {
  return db
    .select()
    .from(settlements)
    .where(and(inTransaction(nonce), inArray(settlements.state, ["prepared", "broadcast"])));
}

/** All settlements that were included in a transaction, in any state. */
export async function carried(db: Queryable, nonce: NonceKey): Promise<Settlement[]> {
  return db.select().from(settlements).where(inTransaction(nonce));
}

/** Counts an error on those of `ids` that are still claimed and postpones them. Returns them. */
export async function countFault(tx: Tx, ids: SettlementId[], lastError: string, retryAt: Date) {
  const rows = await tx
    .update(settlements)
    .set({ attempts: sql`${settlements.attempts} + 1`, lastError, retryAt })
    .where(and(inArray(settlements.id, ids), eq(settlements.state, "claimed")))
    .returning({ id: settlements.id, attempts: settlements.attempts });
  return rows;
}

/** Requeues settlements whose transaction was mined without moving them. */
export async function requeue(tx: Tx, ids: SettlementId[]): Promise<void> {
  await tx
    .update(settlements)
    .set({
      state: "claimed",
      relayerNonce: null,
      txHash: null,
      signer: null,
      attempts: sql`${settlements.attempts} + 1`,
    })
    .where(and(inArray(settlements.id, ids), inArray(settlements.state, ["prepared", "broadcast"])));
}

const inTransaction = (key: NonceKey) =>
  and(
    eq(settlements.network, key.network),
    eq(settlements.signer, key.signer),
    eq(settlements.relayerNonce, key.nonce),
  );

export type NonceKey = { network: NetworkName; signer: Address; nonce: number };

export async function relayer(db: Queryable, network: NetworkName, signer: Address): Promise<Relayer | null> {
  const [row] = await db
    .select()
    .from(relayers)
    .where(and(eq(relayers.network, network), eq(relayers.signer, signer)));
  return row ?? null;
}

export async function allRelayers(db: Queryable): Promise<Relayer[]> {
  return db.select().from(relayers);
}

/**
 * The unpaused key of `signers` with the fewest open transactions, or null. A key with a transaction open since before
 * `stuckBefore` comes last: it may lack ETH, and new work would wait too.
 */
export async function freestRelayer(
  db: Queryable,
  network: NetworkName,
  { signers, stuckBefore }: { signers: Address[]; stuckBefore: Date },
): Promise<Address | null> {
  const ofSigner = sql`from ${relayerTransactions} t
    where t.network = ${relayers.network} and t.signer = ${relayers.signer} and t.is_open`;
  const isStuck = sql`exists (select ${ofSigner} and t.created_at < ${stuckBefore.toISOString()}::timestamptz)`;
  const open = sql`(select count(*) ${ofSigner})`;
  const [row] = await db
    .select({ signer: relayers.signer })
    .from(relayers)
    .where(and(eq(relayers.network, network), inArray(relayers.signer, signers), isNull(relayers.pausedReason)))
    .orderBy(isStuck, open, asc(relayers.signer))
    .limit(1);
  return row?.signer ?? null;
}

export async function addRelayer(db: Queryable, row: Omit<Relayer, "pausedReason">): Promise<void> {
  await db.insert(relayers).values(row).onConflictDoNothing();
}

export async function pause(db: Queryable, network: NetworkName, signer: Address, pausedReason: string): Promise<void> {
  await db
    .update(relayers)
    .set({ pausedReason })
    .where(and(eq(relayers.network, network), eq(relayers.signer, signer)));
}

/** Takes the next nonce; false when another loop took it after it was read. */
export async function takeNonce(tx: Tx, key: NonceKey): Promise<boolean> {
  const updatedRows = await tx
    .update(relayers)
    .set({ nextNonce: key.nonce + 1 })
    .where(and(eq(relayers.network, key.network), eq(relayers.signer, key.signer), eq(relayers.nextNonce, key.nonce)))
    .returning({ signer: relayers.signer });
  return updatedRows.length === 1;
}

export async function addTransaction(tx: Tx, row: typeof relayerTransactions.$inferInsert): Promise<void> {
  await tx.insert(relayerTransactions).values(row);
}

export async function addAttempt(tx: Queryable, row: typeof relayerAttempts.$inferInsert): Promise<void> {
  await tx.insert(relayerAttempts).values(row);
}

/** Records that a node accepted an attempt of the transaction. */
export async function markSent(db: Queryable, nonce: NonceKey, hash: Hex, time: Date): Promise<void> {
  await db.update(relayerAttempts).set({ sentAt: time }).where(eq(relayerAttempts.hash, hash));
  await db
    .update(settlements)
    .set({ state: "broadcast" })
    .where(and(inTransaction(nonce), eq(settlements.state, "prepared")));
}

const OPEN_TRANSACTIONS_MAX = 64;

export async function openTransactions(db: Queryable, network: NetworkName, signer: Address) {
  return db
    .select()
    .from(relayerTransactions)
    .where(
      and(
        eq(relayerTransactions.network, network),
        eq(relayerTransactions.signer, signer),
        eq(relayerTransactions.isOpen, true),
      ),
    )
    .orderBy(asc(relayerTransactions.nonce))
    .limit(OPEN_TRANSACTIONS_MAX);
}

/** Whether a transaction of any key that was signed after `since` is open. */
export async function hasOpenSince(db: Queryable, network: NetworkName, since: Date): Promise<boolean> {
  const rows = await db
    .select({ nonce: relayerTransactions.nonce })
    .from(relayerTransactions)
    .where(
      and(
        eq(relayerTransactions.network, network),
        eq(relayerTransactions.isOpen, true),
        gt(relayerTransactions.createdAt, since),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Number of a network's open transactions whose fees have reached `cap`. */
export async function countAtFeeCap(db: Queryable, network: NetworkName, cap: Fees): Promise<number> {
  const { maxFeePerGas: fee, maxPriorityFeePerGas: tip, nonce, signer } = relayerAttempts;
  const [row] = await db
    .select({ count: countDistinct(sql`(${signer}, ${nonce})`) })
    .from(relayerAttempts)
    .innerJoin(
      relayerTransactions,
      and(
        eq(relayerTransactions.network, relayerAttempts.network),
        eq(relayerTransactions.signer, signer),
        eq(relayerTransactions.nonce, nonce),
        eq(relayerTransactions.isOpen, true),
      ),
    )
    .where(
      and(eq(relayerAttempts.network, network), or(gte(fee, cap.maxFeePerGas), gte(tip, cap.maxPriorityFeePerGas))),
    );
  return row?.count ?? 0;
}

/** All signed attempts of one nonce, newest first. */
export async function attempts(db: Queryable, key: NonceKey): Promise<RelayerAttempt[]> {
  return db
    .select()
    .from(relayerAttempts)
    .where(
      and(
        eq(relayerAttempts.network, key.network),
        eq(relayerAttempts.signer, key.signer),
        eq(relayerAttempts.nonce, key.nonce),
      ),
    )
    .orderBy(desc(relayerAttempts.createdAt));
}

export async function transaction(db: Queryable, key: NonceKey): Promise<RelayerTransaction | null> {
  const [row] = await db
    .select()
    .from(relayerTransactions)
    .where(
      and(
        eq(relayerTransactions.network, key.network),
        eq(relayerTransactions.signer, key.signer),
        eq(relayerTransactions.nonce, key.nonce),
      ),
    );
  return row ?? null;
}

export async function closeTransaction(tx: Tx, key: NonceKey, minedBlock: bigint | null): Promise<void> {
  await tx
    .update(relayerTransactions)
    .set({ isOpen: false, minedBlock })
    .where(
      and(
        eq(relayerTransactions.network, key.network),
        eq(relayerTransactions.signer, key.signer),
        eq(relayerTransactions.nonce, key.nonce),
      ),
    );
}

/** Reopens a key's closed transactions from the nonce `from` up to, but not including, `to`. */
export async function reopenTransactions(db: Queryable, from: NonceKey, to: number): Promise<void> {
  await db
    .update(relayerTransactions)
    .set({ isOpen: true, minedBlock: null })
    .where(
      and(
        eq(relayerTransactions.network, from.network),
        eq(relayerTransactions.signer, from.signer),
        gte(relayerTransactions.nonce, from.nonce),
        lt(relayerTransactions.nonce, to),
      ),
    );
}
