import { and, asc, count, desc, eq, gte, inArray, isNotNull, lt, min, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import { chainBlocks, chainCursors, OPEN, settlements } from "./tables";

export type Settlement = typeof settlements.$inferSelect;
export type NewSettlement = typeof settlements.$inferInsert;
export type Cursor = typeof chainCursors.$inferSelect;

// Settlements

/**
 * Inserts those whose authorization was not claimed before, and returns them. They are claimed at the block up to which the
 * observer has read, never at a head that a node told of: one false head would put every use below it before the claim, and
 * the settlement could never end.
 *
 * A use between that block and the claim therefore counts as this payment. That is safe: whoever presents a proof that is
 * used already is refused by the simulation at the door, before the claim. What is left is a use that is mined between
 * simulation and claim, or in blocks that the node of the simulation had not got. It moved this amount to this payee by this
 * signature, and can be claimed once only, so it is the same as a use a moment after the claim: the payee has the money, and
 * gives what was bought once. If the observer reads that block before the claim is committed it passes it over, and the
 * relayer, which finds the authorization spent, looks the use up (refusals.ts).
 *
 * With `readTo` it is claimed as of that block, if the chain has been read further since: a node that was shown the proof at the
 * door may have submitted it before the claim.
 */
export async function claim(
  tx: Tx,
  rows: (Omit<NewSettlement, "claimedAtBlock" | "state"> & { readTo?: bigint })[],
): Promise<Settlement[]> {
  return tx
    .insert(settlements)
    .values(
      rows.map(({ readTo, ...row }) => ({
        ...row,
        state: "claimed" as const,
        claimedAtBlock: claimedAt(row.network, readTo) as never,
      })),
    )
    .onConflictDoNothing({
      target: [settlements.network, settlements.asset, settlements.payer, settlements.nonce],
    })
    .returning();
}

/** 0 before the observer's first round. */
const cursorOf = (network: NetworkName) =>
  sql<bigint>`coalesce((select ${chainCursors.blockNumber} from ${chainCursors} where ${chainCursors.network} = ${network}), 0)`;

const claimedAt = (network: NetworkName, readTo: bigint | undefined) =>
  readTo === undefined ? cursorOf(network) : sql<bigint>`least(${cursorOf(network)}, ${readTo.toString()}::bigint)`;

export async function find(db: Queryable, id: SettlementId): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(eq(settlements.id, id));
  return row ?? null;
}

export async function findByAuthorization(
  db: Queryable,
  key: { network: NetworkName; asset: Address; payer: Address; nonce: Hex },
): Promise<Settlement | null> {
  const [row] = await db
    .select()
    .from(settlements)
    .where(
      and(
        eq(settlements.network, key.network),
        eq(settlements.asset, key.asset),
        eq(settlements.payer, key.payer),
        eq(settlements.nonce, key.nonce),
      ),
    );
  return row ?? null;
}

/** Settlements of these authorizations and the other legs of their groups, locked in the order of their ids. */
export async function lockByAuthorizations(
  tx: Tx,
  network: NetworkName,
  keys: { from: Address; nonce: Hex }[],
): Promise<Settlement[]> {
  if (keys.length === 0) return [];
  return tx
    .select()
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        or(
          inPairs(keys),
          inArray(
            settlements.groupId,
            tx
              .select({ groupId: settlements.groupId })
              .from(settlements)
              .where(and(eq(settlements.network, network), inPairs(keys), isNotNull(settlements.groupId))),
          ),
        ),
      ),
    )
    .orderBy(asc(settlements.id))
    .for("update");
}

/** Locked until the transaction ends, in the order of their ids. */
export const lockByIds = (tx: Tx, ids: readonly SettlementId[]): Promise<Settlement[]> =>
  tx
    .select()
    .from(settlements)
    .where(inArray(settlements.id, [...ids]))
    .orderBy(asc(settlements.id))
    .for("update");

export async function known(
  db: Queryable,
  network: NetworkName,
  keys: { from: Address; nonce: Hex }[],
): Promise<{ from: Address; nonce: Hex }[]> {
  if (keys.length === 0) return [];
  return db
    .select({ from: settlements.payer, nonce: settlements.nonce })
    .from(settlements)
    .where(and(eq(settlements.network, network), inPairs(keys)));
}

/** One parameter however many keys there are. */
const inPairs = (keys: { from: Address; nonce: Hex }[]) =>
  sql`(${settlements.payer}, ${settlements.nonce}) in (
    select k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
      keys.map(({ from, nonce }) => ({ payer: from, nonce })),
    )}::jsonb) as k(payer text, nonce text))`;

export async function update(tx: Queryable, id: SettlementId, set: Partial<NewSettlement>): Promise<void> {
  await tx.update(settlements).set(set).where(eq(settlements.id, id));
}

// What was read of the chains

export async function cursor(db: Queryable, network: NetworkName): Promise<Cursor | null> {
  const [row] = await db.select().from(chainCursors).where(eq(chainCursors.network, network));
  return row ?? null;
}

const BLOCKS_KEPT = 512n;

/** Moves the cursor and remembers its block's hash. */
export async function moveCursor(tx: Tx, to: Cursor): Promise<void> {
  await tx.insert(chainCursors).values(to).onConflictDoUpdate({ target: chainCursors.network, set: to });
  const block = { network: to.network, number: to.blockNumber, hash: to.blockHash };
  await tx
    .insert(chainBlocks)
    .values(block)
    .onConflictDoUpdate({ target: [chainBlocks.network, chainBlocks.number], set: { hash: to.blockHash } });
  await tx
    .delete(chainBlocks)
    .where(and(eq(chainBlocks.network, to.network), lt(chainBlocks.number, to.blockNumber - BLOCKS_KEPT)));
}

/** Remembered blocks below `number`, highest first. */
export async function rememberedBlocks(db: Queryable, network: NetworkName, below: bigint) {
  return db
    .select({ number: chainBlocks.number, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.network, network), lt(chainBlocks.number, below)))
    .orderBy(desc(chainBlocks.number));
}

export async function forgetBlocks(tx: Tx, network: NetworkName, from: bigint): Promise<void> {
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.network, network), gte(chainBlocks.number, from)));
}

/** Credits the payee and debits the payer of each transfer, once for each time a block shows it. */
export async function post(tx: Tx, transfers: Transfer[], at: Date): Promise<void> {
  const rows = transfers.flatMap((t) => {
    const entry = {
      network: t.network,
      payer: t.from,
      nonce: t.nonce,
      tx_hash: t.txHash,
      block_number: t.block.number.toString(),
      block_hash: t.block.hash,
    };
    return [
      { ...entry, side: "debit", account: t.from, amount: `-${t.value}` },
      { ...entry, side: "credit", account: t.to, amount: t.value.toString() },
    ];
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into ledger_entries (network, payer, nonce, kind, tx_hash, block_number, block_hash, account, side, turn, amount, created_at)
    select e.network, e.payer, e.nonce, 'transfer', e.tx_hash, e.block_number, e.block_hash, e.account, e.side,
      (select count(*) from ledger_entries r where (r.network, r.payer, r.nonce, r.block_hash, r.side, r.kind)
        = (e.network, e.payer, e.nonce, e.block_hash, e.side, 'reversal')),
      e.amount, ${at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(network text, payer text, nonce text, tx_hash text,
      block_number bigint, block_hash text, account text, side text, amount numeric)
    on conflict do nothing`);
}

/** Takes back every posting of replaced blocks by its opposite. */
export async function reverse(tx: Tx, network: NetworkName, firstBlock: bigint, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into ledger_entries (network, payer, nonce, kind, tx_hash, block_number, block_hash, account, side, turn, amount, created_at)
    select network, payer, nonce, 'reversal', tx_hash, block_number, block_hash, account, side, turn, -amount,
      ${at.toISOString()}::timestamptz
    from ledger_entries
    where network = ${network} and kind = 'transfer' and block_number >= ${firstBlock.toString()}::bigint
    on conflict do nothing`);
}

/** Open settlements of a network, since when the oldest waits, how many wait since before `stuckSince`, and how many were given up and may still be paid. */
export async function backlog(db: Queryable, network: NetworkName, stuckSince: Date) {
  const isOfNetwork = eq(settlements.network, network);
  const [[open], [declined]] = await Promise.all([
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
  ]);
  return {
    open: open?.open ?? 0,
    oldest: open?.oldest ?? null,
    stuck: open?.stuck ?? 0,
    declined: declined?.declined ?? 0,
  };
}
