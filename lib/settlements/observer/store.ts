import { and, asc, eq, gt, gte, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import type { Settlement } from "../store";
import { OPEN, relayerTransactions, settlements, UNENDED } from "../tables";

/** Declines the open settlements of `ids`. Returns those that this call declined. */
export async function decline(tx: Tx, ids: SettlementId[], failureCode: string, time: Date): Promise<Settlement[]> {
  return tx
    .update(settlements)
    .set({ state: "declined", failureCode, declinedAt: time })
    .where(and(inArray(settlements.id, ids), inArray(settlements.state, [...OPEN])))
    .returning();
}

/**
 * Makes the unended settlements of `ids` void. Returns those that this call ended. Keeps an earlier `blockNumber`, otherwise sets
 * `block`.
 */
export async function makeVoid(tx: Tx, ids: SettlementId[], block: bigint, time: Date): Promise<Settlement[]> {
  return tx
    .update(settlements)
    .set({
      state: "void",
      failureCode: sql`coalesce(${settlements.failureCode}, 'EXPIRED')`,
      blockNumber: sql`coalesce(${settlements.blockNumber}, ${block.toString()}::bigint)`,
      endedAt: time,
    })
    .where(and(inArray(settlements.id, ids), inArray(settlements.state, [...UNENDED])))
    .returning();
}

export type OverdueSettlement = Settlement;

/** Unended settlements whose `validBefore` is at or before `blockSeconds` (Unix), longest overdue first, after `last`. */
export const listOverdue = (
  db: Queryable,
  network: NetworkName,
  blockSeconds: number,
  last: OverdueSettlement | undefined,
  limit: number,
): Promise<OverdueSettlement[]> =>
  db
    .select()
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        inArray(settlements.state, [...UNENDED]),
        lte(settlements.validBefore, BigInt(blockSeconds)),
        last &&
          or(
            gt(settlements.validBefore, last.validBefore),
            and(eq(settlements.validBefore, last.validBefore), gt(settlements.id, last.id)),
          ),
      ),
    )
    .orderBy(asc(settlements.validBefore), asc(settlements.id))
    .limit(limit);

/** Declined settlements whose authorization was cancelled or spent on something else in a block up to `deep`. */
export async function listShownSpent(
  db: Queryable,
  network: NetworkName,
  deep: bigint,
  limit: number,
): Promise<SettlementId[]> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.network, network), eq(settlements.state, "declined"), lte(settlements.blockNumber, deep)))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Reopens the declined legs of groups in which a leg has moved: a group that has started must be completed. */
export async function resumeGroups(tx: Tx, groupIds: readonly SettlementId[]): Promise<void> {
  if (groupIds.length === 0) return;
  await tx
    .update(settlements)
    .set({
      state: "claimed",
      failureCode: null,
      declinedAt: null,
      relayerNonce: null,
      txHash: null,
      signer: null,
      retryAt: null,
    })
    .where(
      and(
        inArray(settlements.groupId, [...groupIds]),
        eq(settlements.state, "declined"),
        // A block number means that the authorization is cancelled or spent: we cannot move it.
        isNull(settlements.blockNumber),
        sql`exists (select 1 from settlements g where g.group_id = ${settlements.groupId} and g.state = 'settled')`,
      ),
    );
}

/**
 * Reverts the outcomes that replaced blocks showed. A settled settlement returns to the queue, to its transaction or, if it
 * settled late, to `declined`. A void one becomes declined. A declined one stays declined, even if the payer's cancellation was
 * in such a block: we do not submit it again. Returns the settlements that were settled.
 */
export async function reopen(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<Settlement[]> {
  const isIn = and(eq(settlements.network, network), gte(settlements.blockNumber, firstBlock));
  const reopened = await tx
    .update(settlements)
    .set({
      state: sql`case when ${settlements.isLate} then 'declined' when ${settlements.relayerNonce} is null then 'claimed' else 'broadcast' end`,
      endedAt: null,
      failureCode: sql`case when ${settlements.isLate} then ${settlements.failureCode} end`,
      isLate: false,
      blockNumber: null,
      // If a foreign transaction had moved it, any key may send it: its group may belong to another key by now.
      signer: sql`case when ${settlements.relayerNonce} is not null then ${settlements.signer} end`,
    })
    .where(and(isIn, eq(settlements.state, "settled")))
    .returning();
  await tx
    .update(settlements)
    .set({ state: "declined", endedAt: null, blockNumber: null, declinedAt: sql`coalesce(declined_at, ended_at)` })
    .where(and(isIn, eq(settlements.state, "void")));
  await tx.update(settlements).set({ blockNumber: null }).where(isIn);
  await tx
    .update(relayerTransactions)
    .set({ isOpen: true, minedBlock: null })
    .where(and(eq(relayerTransactions.network, network), gte(relayerTransactions.minedBlock, firstBlock)));
  // Requeue settlements whose own transaction is closed: it was mined without effect before those blocks.
  await tx.execute(sql`
    update settlements s set state = 'claimed', relayer_nonce = null, tx_hash = null, signer = null, attempts = attempts + 1
    where s.network = ${network} and s.state = 'broadcast' and not exists (
      select 1 from relayer_transactions t
      where (t.network, t.signer, t.nonce) = (s.network, s.signer, s.relayer_nonce) and t.is_open)`);
  // These block heights will be reused: a use in them comes after every claim that is open now.
  await tx
    .update(settlements)
    .set({ claimedAtBlock: firstBlock - 1n })
    .where(
      and(
        eq(settlements.network, network),
        inArray(settlements.state, [...UNENDED]),
        gte(settlements.claimedAtBlock, firstBlock),
      ),
    );
  await resumeGroups(
    tx,
    reopened.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])),
  );
  return reopened;
}
