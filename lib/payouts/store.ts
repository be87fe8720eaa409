import { and, eq, exists, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId, PayoutId, SettlementId, WalletId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements, UNENDED } from "@/lib/settlements/tables";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { Leg, Payout } from "./rules";
import { payoutLegs, payouts } from "./tables";

export type Transfer = typeof settlements.$inferSelect;
/** A leg with its settlement, which exists once the payout is approved. */
export type FullLeg = { leg: Leg; transfer: Transfer | null };
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

/** Serialises the balance checks of payouts from one wallet, until the end of `tx`. */
export async function lockWallet(tx: Tx, id: WalletId): Promise<void> {
  await tx.select({ id: wallets.id }).from(wallets).where(eq(wallets.id, id)).for("no key update");
}

/** The sum of open settlements out of `payer`, without those of the payout `except`. */
export async function sumReserved(
  db: Queryable,
  { network, address: payer }: { network: NetworkName; address: Address },
  except?: PayoutId,
): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${settlements.amount}), 0)`.mapWith(settlements.amount) })
    .from(settlements)
    .where(
      and(
        eq(settlements.network, network),
        eq(settlements.payer, payer),
        inArray(settlements.state, [...UNENDED]),
        except && sql`not (${settlements.purpose} = 'payout' and ${settlements.subject} = ${except})`,
      ),
    );
  return row?.total ?? ZERO;
}
