import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Hex } from "viem";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId, PaymentId, SettlementId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { mandates } from "@/lib/mandates/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { wallets } from "@/lib/wallets/tables";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import { type PaymentStatus, payments } from "./tables";

export type Payment = typeof payments.$inferSelect;
export type NewPayment = Omit<Payment, "mandateId" | "status" | "txHash" | "blockNumber" | "settledAt">;
export type Cursor = { createdAt: Date; id: PaymentId };
export type Page = { limit: number; cursor: Cursor | undefined };
/** A payment and the owner whose wallet pays it, to tell them of it. */
export type Owned = { payment: Payment; ownerId: OwnerId };
/** The half of a statement that lets a payment be written: a data-modifying CTE whose one row has its `mandate_id`, if any. */
export type Reservation = SQL;

const OPEN = ["signed", "submitted"] as const;

/** Reserves and writes the payment in one statement; false when the reservation's guard failed and nothing was written. */
export async function insertReserved(db: Queryable, reservation: Reservation, p: NewPayment): Promise<boolean> {
  const inserted = await db.execute(sql`
    with reserved as (${reservation})
    insert into ${payments} (id, agent_id, mandate_id, wallet_id, network, status, asset, payer, payee, credit_payee, amount, nonce,
      valid_after, valid_before, host, resource, description, created_at)
    select ${p.id}, ${p.agentId}::uuid, reserved.mandate_id, ${p.walletId}, ${p.network}, 'signed', ${p.asset}, ${p.payer},
      ${p.payee}, ${p.creditPayee}, ${p.amount.toString()}::numeric, ${p.nonce}, ${p.validAfter.toString()}::numeric,
      ${p.validBefore.toString()}::numeric, ${p.host}, ${p.resource}, ${p.description},
      ${p.createdAt.toISOString()}::timestamptz
    from reserved
    returning id`);
  return inserted.rows.length > 0;
}

export async function findForAgent(db: Queryable, agentId: AgentId, id: PaymentId): Promise<Payment | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.agentId, agentId)));
  return row ?? null;
}

export async function find(db: Queryable, id: PaymentId): Promise<Payment | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ?? null;
}

/** Newest first. */
export const listForAgent = (db: Queryable, agentId: AgentId, page: Page): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.agentId, agentId), before(page.cursor)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(page.limit);

/** Newest first, of all mandates of an owner or of one. */
export async function listForOwner(
  db: Queryable,
  ownerId: OwnerId,
  page: Page & { mandateId: MandateId | undefined },
): Promise<Payment[]> {
  const rows = await db
    .select({ payment: payments })
    .from(payments)
    .innerJoin(mandates, eq(mandates.id, payments.mandateId))
    .where(and(eq(mandates.ownerId, ownerId), page.mandateId && eq(mandates.id, page.mandateId), before(page.cursor)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(page.limit);
  return rows.map((row) => row.payment);
}

const before = (cursor: Cursor | undefined) =>
  cursor &&
  sql`(${payments.createdAt}, ${payments.id}) < (${cursor.createdAt.toISOString()}::timestamptz, ${cursor.id})`;

export async function markSubmitted(tx: Tx, key: AuthorizationKey): Promise<void> {
  await tx
    .update(payments)
    .set({ status: "submitted" })
    .where(
      and(
        eq(payments.network, key.network),
        eq(payments.payer, key.from),
        eq(payments.nonce, key.nonce),
        eq(payments.status, "signed"),
      ),
    );
}

export async function known(db: Queryable, keys: AuthorizationKey[]): Promise<AuthorizationKey[]> {
  return db
    .select({ network: payments.network, from: payments.payer, nonce: payments.nonce })
    .from(payments)
    .where(amongKeys(keys));
}

// Every batch locks payments in the order of their ids and mandates after them.

export const lockByKeys = (tx: Tx, keys: AuthorizationKey[]): Promise<Owned[]> => lockWhere(tx, amongKeys(keys));

export const lockOpen = (tx: Tx, ids: PaymentId[]): Promise<Owned[]> =>
  lockWhere(tx, and(inArray(payments.id, ids), inArray(payments.status, [...OPEN])));

/** What blocks from `firstBlock` on had ended. */
export const lockEndedFrom = (tx: Tx, network: NetworkName, firstBlock: bigint): Promise<Owned[]> =>
  lockWhere(tx, and(eq(payments.network, network), gte(payments.blockNumber, firstBlock)));

const lockWhere = (tx: Tx, condition: SQL | undefined): Promise<Owned[]> =>
  tx
    .select({ payment: payments, ownerId: wallets.ownerId })
    .from(payments)
    .innerJoin(wallets, eq(wallets.id, payments.walletId))
    .where(condition)
    .orderBy(asc(payments.id))
    .for("update", { of: payments });

/** One parameter however many keys there are, so that the statement is prepared once. */
const amongKeys = (keys: AuthorizationKey[]) =>
  sql`(${payments.network}, ${payments.payer}, ${payments.nonce}) in (
    select k.network, k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
      keys.map(({ network, from, nonce }) => ({ network, payer: from, nonce })),
    )}::jsonb) as k(network text, payer text, nonce text))`;

export type Overdue = { id: PaymentId; payer: Address; nonce: Hex; validBefore: bigint };

/** Open payments whose proofs a block of this time no longer takes, longest overdue first, after `last`. */
export const listOverdue = (
  db: Queryable,
  network: NetworkName,
  blockSeconds: number,
  last: Overdue | undefined,
  limit: number,
): Promise<Overdue[]> =>
  db
    .select({
      id: payments.id,
      payer: payments.payer,
      nonce: payments.nonce,
      validBefore: payments.validBefore,
    })
    .from(payments)
    .where(
      and(
        eq(payments.network, network),
        inArray(payments.status, [...OPEN]),
        lte(payments.validBefore, BigInt(blockSeconds)),
        last &&
          or(
            gt(payments.validBefore, last.validBefore),
            and(eq(payments.validBefore, last.validBefore), gt(payments.id, last.id)),
          ),
      ),
    )
    .orderBy(asc(payments.validBefore), asc(payments.id))
    .limit(limit);

export type Ending = Pick<Payment, "id" | "status" | "txHash" | "blockNumber" | "settledAt">;

export async function writeEndings(tx: Tx, endings: Ending[]): Promise<void> {
  const rows = endings.map((e) => ({
    id: e.id,
    status: e.status,
    tx_hash: e.txHash,
    block_number: e.blockNumber?.toString() ?? null,
    settled_at: e.settledAt?.toISOString() ?? null,
  }));
  await tx.execute(sql`
    update ${payments}
    set status = e.status, tx_hash = e.tx_hash, block_number = e.block_number, settled_at = e.settled_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e(id text, status text, tx_hash text, block_number bigint, settled_at timestamptz)
    where ${payments.id} = e.id`);
}

// What an owner's dashboard shows

export type SettlementRow = typeof settlements.$inferSelect;
/** A payment, the name of the agent that made it, and its settlement when the money came to one of ours. */
export type Made = { payment: Payment; agentName: string; settlementId: SettlementId | null };
export type Slice = { agentId?: AgentId | undefined; before?: Date | undefined; limit: number };

/** Newest first, of all the owner's agents or of one, deleted ones too. */
export const listMade = (
  db: Queryable,
  ownerId: OwnerId,
  { agentId, before, limit, statuses }: Slice & { statuses?: readonly PaymentStatus[] | undefined },
): Promise<Made[]> =>
  db
    .select({ payment: payments, agentName: agents.name, settlementId: settlements.id })
    .from(payments)
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .leftJoin(
      settlements,
      and(
        eq(settlements.network, payments.network),
        eq(settlements.asset, payments.asset),
        eq(settlements.payer, payments.payer),
        eq(settlements.nonce, payments.nonce),
      ),
    )
    .where(
      and(
        eq(agents.ownerId, ownerId),
        agentId && eq(payments.agentId, agentId),
        statuses && inArray(payments.status, [...statuses]),
        before && lt(payments.createdAt, before),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);

/** Newest first: what came into or left these wallets, without the payments out of them. */
export const listWalletSettlements = (
  db: Queryable,
  wallets: Address[],
  { before, limit }: Omit<Slice, "agentId">,
): Promise<SettlementRow[]> =>
  db
    .select()
    .from(settlements)
    .where(
      and(
        or(
          and(inArray(settlements.payee, wallets), notInArray(settlements.payer, wallets)),
          and(inArray(settlements.payer, wallets), notExists(paymentOf(db))),
        ),
        before && lt(settlements.createdAt, before),
      ),
    )
    .orderBy(desc(settlements.createdAt), desc(settlements.id))
    .limit(limit);

/** The payment by an agent that a settlement is of. */
const paymentOf = (db: Queryable) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.network, settlements.network),
        eq(payments.payer, settlements.payer),
        eq(payments.nonce, settlements.nonce),
      ),
    );

/** What proofs of the owner's agents that are out and have not ended could still move out of the wallet on `network`. */
export async function sumOpen(db: Queryable, ownerId: OwnerId, network: NetworkName): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${payments.amount}), 0)`.mapWith(payments.amount) })
    .from(payments)
    .innerJoin(wallets, eq(wallets.id, payments.walletId))
    .where(
      and(
        eq(wallets.ownerId, ownerId),
        eq(payments.network, network),
        inArray(payments.status, [...OPEN]),
        isNull(payments.creditPayee),
      ),
    );
  return row?.total ?? ZERO;
}

export type Spent = { network: NetworkName; lastDay: Usdc; lastMonth: Usdc; payments: number };

/** What the owner's agents have spent, per network on which they have. */
export const sumSpent = (db: Queryable, ownerId: OwnerId, since: { day: Date; month: Date }): Promise<Spent[]> => {
  const inDay = sql`filter (where ${gte(payments.settledAt, since.day)})`;
  return db
    .select({
      network: payments.network,
      lastDay: sql`coalesce(sum(${payments.amount}) ${inDay}, 0)`.mapWith(payments.amount),
      lastMonth: sql`sum(${payments.amount})`.mapWith(payments.amount),
      payments: count(),
    })
    .from(payments)
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .where(
      and(
        eq(agents.ownerId, ownerId),
        eq(payments.status, "settled"),
        isNull(payments.creditPayee),
        gte(payments.settledAt, since.month),
      ),
    )
    .groupBy(payments.network);
};
