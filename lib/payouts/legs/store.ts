import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  notExists,
  or,
  sql,
} from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { PayoutId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { chainCursors, settlements, UNENDED } from "@/lib/settlements/tables";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Leg, Payout } from "../rules";
import type { Transfer } from "../store";
import { payoutLegs, payouts } from "../tables";

/** A leg, its payout and the authorization that moves it. */
export type ClaimedLeg = { leg: Leg; payout: Payout; payer: Address; nonce: Hex };

// Every batch locks legs in one order and mandates after them.

export const lockByKeys = (tx: Tx, network: NetworkName, keys: readonly AuthorizationKey[]): Promise<ClaimedLeg[]> =>
  lockWhere(
    tx,
    and(
      eq(settlements.network, network),
      // One parameter however many keys there are.
      sql`(${settlements.payer}, ${settlements.nonce}) in (select k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
        keys.map(({ from, nonce }) => ({ payer: from, nonce })),
      )}::jsonb) as k(payer text, nonce text))`,
    ),
  );

/** What blocks from `firstBlock` on had shown of legs. */
export const lockShownFrom = (tx: Tx, network: NetworkName, firstBlock: bigint): Promise<ClaimedLeg[]> =>
  lockWhere(tx, and(eq(settlements.network, network), gte(payoutLegs.blockNumber, firstBlock)));

export const lockOpen = (tx: Tx, ids: readonly Overdue["id"][]): Promise<ClaimedLeg[]> =>
  lockWhere(tx, and(inArray(settlements.id, [...ids]), eq(payoutLegs.state, "open")));

const lockWhere = (tx: Tx, condition: ReturnType<typeof and>): Promise<ClaimedLeg[]> =>
  tx
    .select({ leg: payoutLegs, payout: payouts, payer: settlements.payer, nonce: settlements.nonce })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .innerJoin(payouts, eq(payouts.id, payoutLegs.payout))
    .where(condition)
    .orderBy(asc(payoutLegs.payout), asc(payoutLegs.index))
    .for("update", { of: payoutLegs });

export async function writeLegs(
  tx: Tx,
  changed: readonly (Pick<Leg, "payout" | "index" | "state"> & { blockNumber: bigint | null })[],
): Promise<void> {
  const rows = changed.map((c) => ({ ...c, block: c.blockNumber?.toString() ?? null, blockNumber: undefined }));
  await tx.execute(sql`
    update ${payoutLegs} set state = c.state, block_number = c.block
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(payout text, index int, state text, block bigint)
    where ${payoutLegs.payout} = c.payout and ${payoutLegs.index} = c.index`);
}

/** Remembers that the chain has moved something of these. */
export async function markMoved(tx: Tx, ids: readonly PayoutId[], at: Date): Promise<void> {
  await tx
    .update(payouts)
    .set({ startedAt: at })
    .where(and(inArray(payouts.id, [...ids]), isNull(payouts.startedAt)));
}

/** A block that had confirmed their end is gone, deeper than CONFIRMATIONS. */
export async function reopen(tx: Tx, ids: readonly PayoutId[]): Promise<void> {
  await tx
    .update(payouts)
    .set({ succeededAt: null, failedAt: null })
    .where(inArray(payouts.id, [...ids]));
}

export type Overdue = { id: Transfer["id"]; payer: Address; nonce: Hex; validBefore: bigint };

/** Open legs whose authorizations a block of this time no longer takes, longest overdue first, after `last`. */
export const listOverdue = (
  db: Queryable,
  network: NetworkName,
  blockSeconds: number,
  last: Overdue | undefined,
  limit: number,
): Promise<Overdue[]> =>
  db
    .select({
      id: settlements.id,
      payer: settlements.payer,
      nonce: settlements.nonce,
      validBefore: settlements.validBefore,
    })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(
      and(
        eq(payoutLegs.state, "open"),
        eq(settlements.network, network),
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

/** Approved payouts without an outcome of which no transfer can still move, oldest first. */
export async function listEnded(db: Queryable, limit: number): Promise<PayoutId[]> {
  const underway = db
    .select({ one: sql`1` })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(and(eq(payoutLegs.payout, payouts.id), inArray(settlements.state, [...UNENDED])));
  const rows = await db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(isNotNull(payouts.approvedAt), isNull(payouts.succeededAt), isNull(payouts.failedAt), notExists(underway)),
    )
    .orderBy(asc(payouts.approvedAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** The payout's transfers and how far their chain is read, kept from being taken back for the rest of `tx`. */
export async function transfersOf(tx: Tx, id: PayoutId): Promise<{ transfers: Transfer[]; readTo: bigint }> {
  const transfers = await tx
    .select(getTableColumns(settlements))
    .from(settlements)
    .innerJoin(payoutLegs, eq(payoutLegs.settlementId, settlements.id))
    .where(eq(payoutLegs.payout, id))
    .orderBy(asc(settlements.id))
    .for("share", { of: settlements });
  const [cursor] = await tx
    .select({ block: chainCursors.blockNumber })
    .from(chainCursors)
    .innerJoin(payouts, and(eq(payouts.id, id), eq(payouts.network, chainCursors.network)));
  return { transfers, readTo: cursor?.block ?? 0n };
}
