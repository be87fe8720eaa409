import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, notInArray, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { OwnerId, SettlementId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { inOrder } from "@/lib/platform/batch";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
import type { Transfer } from "@/lib/platform/subscriber";
import { type NetworkName, REAL_NETWORK_NAMES } from "@/lib/x402/networks";
import { ADMISSION_BLOCKS_MAX, chainBlocks, chainCursors, OPEN, SALES, settlements, UNENDED } from "./tables";

export type Settlement = typeof settlements.$inferSelect;
export type NewSettlement = typeof settlements.$inferInsert;
export type ChainCursor = typeof chainCursors.$inferSelect;

/**
 * Inserts and returns the settlements whose authorization was not claimed before. `claimedAtBlock` is the observer's cursor,
 * never a node's head: one false head would place every use below it before the claim, and the settlement could never end.
 *
 * A use between that block and the claim therefore counts as this payment. This is safe: the simulation at admission rejects
 * a proof that is already used. The remaining case is a use mined between simulation and claim, or in blocks that the
 * simulating node did not have. It moved this amount to this payee with this signature and can be claimed only once, so it
 * equals a use just after the claim: the payee has the money and delivers once. If the observer reads that block before the
 * claim is committed, it skips the use; the relayer then finds the authorization spent and reads the use from the chain
 * (refusals.ts).
 *
 * `readTo` caps `claimedAtBlock`: a node that saw the proof at admission may have submitted it before the claim. An admission
 * that took longer than ADMISSION_BLOCKS_MAX counts as that long. `pastTo` caps it too, for a use that is already known.
 */
export async function claim(
  tx: Tx,
  rows: (Omit<NewSettlement, "claimedAtBlock" | "state"> & { readTo?: bigint; pastTo?: bigint })[],
): Promise<Settlement[]> {
  return tx
    .insert(settlements)
    .values(
      rows.map(({ readTo, pastTo, ...row }) => ({
        ...row,
        state: "claimed" as const,
        claimedAtBlock: claimedAt(row.network, readTo, pastTo) as never,
      })),
    )
    .onConflictDoNothing({
      target: [settlements.network, settlements.asset, settlements.payer, settlements.nonce],
    })
    .returning();
}

const claimedAt = (network: NetworkName, readTo: bigint | undefined, pastTo: bigint | undefined) => {
  // 0 before the observer's first run.
  const cursor = sql<bigint>`coalesce((select ${chainCursors.blockNumber} from ${chainCursors} where ${chainCursors.network} = ${network}), 0)`;
  if (pastTo !== undefined) return sql<bigint>`least(${cursor}, ${pastTo.toString()}::bigint)`;
  if (readTo === undefined) return cursor;
  return sql<bigint>`least(${cursor}, greatest(${readTo.toString()}::bigint, ${cursor} - ${ADMISSION_BLOCKS_MAX}))`;
};

/**
 * Whether the owner was paid a sale of at least `amount` in real money. Filters by agent, because few of an owner's settlements
 * are sales.
 */
export async function hasSettledFor(db: Queryable, ownerId: OwnerId, amount: Usdc): Promise<boolean> {
  const s = settlements;
  const isSale = and(eq(s.ownerId, ownerId), inArray(s.purpose, [...SALES]), isNotNull(s.agentId));
  const isWorth = and(eq(s.state, "settled"), inArray(s.network, REAL_NETWORK_NAMES), gte(s.amount, amount));
  const ofAgents = sql`${s.agentId} in (select id from agents where owner_id = ${ownerId})`;
  const [row] = await db
    .select({ id: s.id })
    .from(s)
    .where(and(ofAgents, isSale, isWorth))
    .limit(1);
  return row !== undefined;
}

export async function find(db: Queryable, id: SettlementId): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(eq(settlements.id, id));
  return row ?? null;
}

/** Returns a function that finds settlements, in the order of the ids; null where there is none. */
export function finder(db: Db) {
  const query = db.select().from(settlements).where(isAmong(settlements.id, "ids")).prepare("settlements_by_id");
  return async (ids: readonly SettlementId[]): Promise<(Settlement | null)[]> => {
    const rows = await query.execute({ ids: [...new Set(ids)] });
    return inOrder(ids, rows, ({ id }) => id);
  };
}

/** Those of `ids` that are no longer open. */
export async function listEnded(db: Queryable, ids: readonly SettlementId[]): Promise<SettlementId[]> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(sql`${settlements.id} = any(${sql.param(ids)}::text[])`, notInArray(settlements.state, [...OPEN])));
  return rows.map(({ id }) => id);
}

type AuthorizationId = { network: NetworkName; asset: Address; payer: Address; nonce: Hex };

/** Returns a function that finds the settlements of authorizations, in their order; null for those that were not claimed here. */
export function authorizationFinder(db: Db) {
  const { network, asset, payer, nonce } = settlements;
  const query = db
    .select()
    .from(settlements)
    .where(
      sql`(${network}, ${asset}, ${payer}, ${nonce}) in (
        select k.network, k.asset, k.payer, k.nonce from jsonb_to_recordset(${sql.placeholder("keys")}::jsonb)
          as k(network text, asset text, payer text, nonce text))`,
    )
    .prepare("settlements_by_authorization");
  const nameOf = (key: AuthorizationId) => `${key.network} ${key.asset} ${key.payer} ${key.nonce}`;
  return async (keys: readonly AuthorizationId[]): Promise<(Settlement | null)[]> => {
    return inOrder(keys.map(nameOf), await query.execute({ keys: JSON.stringify(keys) }), nameOf);
  };
}

/** Settlements of these authorizations, all on one network, and the other legs of their groups, locked in id order. */
export async function lockByAuthorizations(
  tx: Tx,
  keys: { network: NetworkName; from: Address; nonce: Hex }[],
): Promise<Settlement[]> {
  const network = keys[0]?.network;
  if (network === undefined) return [];
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

/** Locked in id order until the transaction ends. */
export const lockByIds = (tx: Tx, ids: readonly SettlementId[]): Promise<Settlement[]> =>
  tx
    .select()
    .from(settlements)
    .where(inArray(settlements.id, [...ids]))
    .orderBy(asc(settlements.id))
    .for("update");

export async function findKnownKeys(
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

/** Passes all keys as one SQL parameter. */
const inPairs = (keys: { from: Address; nonce: Hex }[]) =>
  sql`(${settlements.payer}, ${settlements.nonce}) in (
    select k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
      keys.map(({ from, nonce }) => ({ payer: from, nonce })),
    )}::jsonb) as k(payer text, nonce text))`;

export async function update(tx: Queryable, id: SettlementId, set: Partial<NewSettlement>): Promise<void> {
  await tx.update(settlements).set(set).where(eq(settlements.id, id));
}

/** A settlement and the transfer that settled it. The caller has locked the settlement. */
export type Settled = Pick<Settlement, "id" | "isLate"> & { txHash: Hex; blockNumber: bigint };

export async function settleAll(tx: Tx, settled: readonly Settled[], time: Date): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ id, isLate, txHash, blockNumber }) => {
    return { id, is_late: isLate, tx_hash: txHash, block_number: blockNumber.toString() };
  });
  await tx.execute(sql`
    update settlements s set state = 'settled', is_late = f.is_late, tx_hash = f.tx_hash, block_number = f.block_number,
      use_not_shown_at = null, ended_at = ${time.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(id text, is_late boolean, tx_hash text, block_number bigint)
    where s.id = f.id`);
}

export async function cursor(db: Queryable, network: NetworkName): Promise<ChainCursor | null> {
  const [row] = await db.select().from(chainCursors).where(eq(chainCursors.network, network));
  return row ?? null;
}

/** Returns a function that finds the cursors of networks, in their order; null before the observer's first run. */
export function cursorFinder(db: Db) {
  const query = db.select().from(chainCursors).prepare("chain_cursors");
  return async (networks: readonly NetworkName[]): Promise<(ChainCursor | null)[]> => {
    return inOrder(networks, await query.execute(), ({ network }) => network);
  };
}

const BLOCKS_KEPT = 512n;

/** Moves the cursor and stores its block's hash. */
export async function moveCursor(tx: Tx, to: ChainCursor): Promise<void> {
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

/** Stored blocks below `below`, highest first. */
export async function rememberedBlocks(db: Queryable, network: NetworkName, below: bigint) {
  return db
    .select({ number: chainBlocks.number, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.network, network), lt(chainBlocks.number, below)))
    .orderBy(desc(chainBlocks.number));
}

/** Whether the cursor's block is still stored. If so, locks it against deletion until `tx` ends. */
export async function keepBlock(tx: Tx, { network, blockNumber, blockHash }: ChainCursor): Promise<boolean> {
  const rows = await tx
    .select({ number: chainBlocks.number })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.network, network), eq(chainBlocks.number, blockNumber), eq(chainBlocks.hash, blockHash)))
    .for("key share");
  return rows.length > 0;
}

export async function forgetBlocks(tx: Tx, network: NetworkName, from: bigint): Promise<void> {
  await tx.delete(chainBlocks).where(and(eq(chainBlocks.network, network), gte(chainBlocks.number, from)));
}

/** Debits the payer and credits the payee of each transfer. Idempotent; a transfer posts again only after its reversal. */
export async function post(tx: Tx, transfers: Transfer[], time: Date): Promise<void> {
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
      e.amount, ${time.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(network text, payer text, nonce text, tx_hash text,
      block_number bigint, block_hash text, account text, side text, amount numeric)
    on conflict do nothing`);
}

/**
 * The sum of what can still leave `payer` by settlements, without those of `except`, and without those whose authorization a node says is
 * used although none shows the transfer: they leave no more, and such a settlement may never end.
 */
export async function sumUnended(
  db: Queryable,
  { network, address: payer }: { network: NetworkName; address: Address },
  except?: Pick<Settlement, "purpose" | "subject">,
): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${settlements.amount}), 0)`.mapWith(settlements.amount) })
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        eq(settlements.payer, payer),
        inArray(settlements.state, [...UNENDED]),
        isNull(settlements.useNotShownAt),
        except && sql`not (${settlements.purpose} = ${except.purpose} and ${settlements.subject} = ${except.subject})`,
      ),
    );
  return row?.total ?? ZERO;
}

/** Reverses every posting of replaced blocks with an opposite posting. */
export async function reverse(tx: Tx, network: NetworkName, firstBlock: bigint, time: Date): Promise<void> {
  await tx.execute(sql`
    insert into ledger_entries (network, payer, nonce, kind, tx_hash, block_number, block_hash, account, side, turn, amount, created_at)
    select network, payer, nonce, 'reversal', tx_hash, block_number, block_hash, account, side, turn, -amount,
      ${time.toISOString()}::timestamptz
    from ledger_entries
    where network = ${network} and kind = 'transfer' and block_number >= ${firstBlock.toString()}::bigint
    on conflict do nothing`);
}
