import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import type { PayoutId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { chainCursors, settlements, UNENDED } from "@/lib/settlements/tables";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Payout } from "../rules";
import type { Transfer } from "../store";
import { payoutLegs, payouts } from "../tables";

/** Records the start of payouts with a settled transfer among these authorizations. */
export async function markStarted(tx: Tx, facts: readonly AuthorizationKey[], time: Date): Promise<void> {
  const legs = tx
    .select({ payout: payoutLegs.payout })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(and(amongKeys(facts), eq(settlements.state, "settled")));
  await tx
    .update(payouts)
    .set({ startedAt: time })
    .where(and(inArray(payouts.id, legs), isNull(payouts.startedAt)));
}

/** Clears the outcome of payouts with a transfer that a reorganisation has reopened. */
export async function reopen(tx: Tx, network: NetworkName): Promise<void> {
  const open = tx
    .select({ payout: payoutLegs.payout })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(and(eq(settlements.network, network), inArray(settlements.state, [...UNENDED])));
  await tx
    .update(payouts)
    .set({ succeededAt: null, failedAt: null })
    .where(
      and(
        inArray(payouts.id, open),
        // Without this condition the update would lock every unfinished payout.
        or(isNotNull(payouts.succeededAt), isNotNull(payouts.failedAt)),
      ),
    );
}

/** The payouts of reservations, found by their authorizations. */
export async function listByKeys(
  db: Queryable,
  keys: readonly AuthorizationKey[],
): Promise<{ payout: Payout; key: AuthorizationKey }[]> {
  const { network, payer: from, nonce } = settlements;
  return db
    .select({ payout: payouts, key: { network, from, nonce } })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .innerJoin(payouts, eq(payouts.id, payoutLegs.payout))
    .where(amongKeys(keys));
}

/** One parameter for any number of keys, so that the statement is prepared once. */
const amongKeys = (keys: readonly AuthorizationKey[]) =>
  sql`(${settlements.network}, ${settlements.payer}, ${settlements.nonce}) in (
    select k.network, k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
      keys.map(({ network, from, nonce }) => ({ network, payer: from, nonce })),
    )}::jsonb) as k(network text, payer text, nonce text))`;

/** Approved payouts without an outcome whose transfers have all ended, oldest first. */
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

/** The payout's transfers, locked against a reorganisation for the rest of `tx`, and the last block read of their chain. */
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
