import {
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId, PayoutId, SettlementId, WalletId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { chainCursors, settlements, UNENDED } from "@/lib/settlements/tables";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Payout, PayoutLeg } from "./rules";
import { payoutLegs, payouts } from "./tables";

export type LegTransfer = typeof settlements.$inferSelect;
/** A leg with its settlement, which exists once the payout is approved. */
export type FullLeg = { leg: PayoutLeg; transfer: LegTransfer | null };
/** A payout with its agent's name and its owner. */
export type PayoutWithParties = {
  payout: Payout;
  agentName: string | null;
  /** The owner who decides; null while its agent has no owner. */
  ownerId: OwnerId | null;
  ownerAddress: Address | null;
};

/** The scope of `payoutId` and `bizId`: one agent's payouts, or an owner's own. */
export type Creator = { agentId: AgentId; ownerId: OwnerId | null } | { agentId: null; ownerId: OwnerId };

const isOf = ({ agentId, ownerId }: Creator): SQL | undefined =>
  agentId === null
    ? and(isNull(payouts.agentId), eq(payouts.ownerId, ownerId as OwnerId))
    : eq(payouts.agentId, agentId);

/** Serialises the creation of payouts by one creator, until the end of `tx`. */
export async function lockCreator(tx: Tx, { agentId, ownerId }: Creator): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payouts.${agentId ?? ownerId}`}, 0))`);
}

export async function findByName(db: Queryable, creator: Creator, payoutId: string): Promise<Payout | null> {
  const [row] = await db
    .select()
    .from(payouts)
    .where(and(isOf(creator), eq(payouts.payoutId, payoutId)));
  return row ?? null;
}

/** The creator's payout with this bizId that has moved money or still can at `now`. */
export async function findByBizId(db: Queryable, creator: Creator, bizId: string, now: Date): Promise<Payout | null> {
  const settledLegs = db
    .select({ one: sql`1` })
    .from(payoutLegs)
    .innerJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(and(eq(payoutLegs.payout, payouts.id), eq(settlements.state, "settled")));
  const [row] = await db
    .select()
    .from(payouts)
    .where(
      and(
        isOf(creator),
        eq(payouts.bizId, bizId),
        isNull(payouts.deniedAt),
        isNull(payouts.cancelledAt),
        or(isNull(payouts.failedAt), exists(settledLegs)),
        or(isNotNull(payouts.approvedAt), gt(payouts.expiresAt, now)),
      ),
    )
    .limit(1);
  return row ?? null;
}

export async function insert(
  tx: Tx,
  row: typeof payouts.$inferInsert,
  legs: readonly Omit<typeof payoutLegs.$inferInsert, "payout" | "index">[],
): Promise<void> {
  await tx.insert(payouts).values(row);
  await tx.insert(payoutLegs).values(legs.map((leg, index) => ({ ...leg, payout: row.id, index })));
}

export async function lock(tx: Tx, id: PayoutId): Promise<Payout | null> {
  const [row] = await tx.select().from(payouts).where(eq(payouts.id, id)).for("update");
  return row ?? null;
}

export async function change(
  tx: Tx,
  id: PayoutId,
  set: Partial<
    Pick<
      Payout,
      | "ownerId"
      | "walletId"
      | "approvedAt"
      | "isSigned"
      | "deniedAt"
      | "cancelledAt"
      | "startedAt"
      | "succeededAt"
      | "failedAt"
    >
  >,
): Promise<void> {
  await tx.update(payouts).set(set).where(eq(payouts.id, id));
}

/** Writes each leg's settlement; `settlementIds` are in the order of the legs. */
export async function assignSettlements(tx: Tx, id: PayoutId, settlementIds: readonly SettlementId[]): Promise<void> {
  await tx.execute(sql`
    update ${payoutLegs} set settlement_id = given.id
    from unnest(${sql.param([...settlementIds])}::text[]) with ordinality as given(id, at)
    where ${payoutLegs.payout} = ${id} and ${payoutLegs.index} = given.at - 1`);
}

/**
 * The sum that the owner approved from a wallet after `since` without a signature. Payments to the owner's own address are
 * withdrawals and do not count, nor does what a mandate pays.
 */
export async function sumUnsigned(db: Queryable, walletId: WalletId, since: Date): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${payoutLegs.amount}), 0)`.mapWith(payoutLegs.amount) })
    .from(payouts)
    .innerJoin(payoutLegs, eq(payoutLegs.payout, payouts.id))
    .innerJoin(owners, eq(owners.id, payouts.ownerId))
    .where(
      and(
        eq(payouts.walletId, walletId),
        sql`${payouts.mandateId} is null and not ${payouts.isSigned}`,
        gt(payouts.approvedAt, since),
        ne(payoutLegs.toAddress, owners.address),
      ),
    );
  return row?.total ?? ZERO;
}

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
export async function transfersOf(tx: Tx, id: PayoutId): Promise<{ transfers: LegTransfer[]; readTo: bigint }> {
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
