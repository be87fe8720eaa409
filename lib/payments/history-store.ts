import {
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  notExists,
  notInArray,
  type SQL,
  sql,
} from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId, PaymentId, SettlementId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import type { Cursor } from "@/lib/core/page";
import { mandates, type ReservationState, reservations } from "@/lib/mandates/tables";
import type { Queryable } from "@/lib/platform/db";
import { isOwnersOwn, settlements, UNENDED } from "@/lib/settlements/tables";
import { type VaultOperationKind, vaultOperations, vaults } from "@/lib/vaults/tables";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { isAfter, newestFirst, newestOf, newestOfEach, PAYMENT, type Payment, toPayment } from "./store";
import { payments } from "./tables";

export type SettlementRow = typeof settlements.$inferSelect;
/** A payment with its agent's name, and its settlement, if there is one. */
export type AgentPayment = { payment: Payment; agentName: string; settlementId: SettlementId | null };

/** Whether a settlement has the authorization of a payment. */
const isSettlementOfPayment = and(
  eq(settlements.network, reservations.network),
  eq(settlements.asset, payments.asset),
  eq(settlements.payer, reservations.payer),
  eq(settlements.nonce, reservations.nonce),
);

export type MadeFilter = {
  agentId?: AgentId | undefined;
  mandateId?: MandateId | undefined;
  host?: string | undefined;
  states?: readonly ReservationState[] | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
export type HistorySlice = {
  before?: Date | undefined;
  /** The last payment before the slice; its id breaks ties between equal times. */
  after?: Cursor | undefined;
  limit: number;
};

/** Payments of all the owner's agents, including deleted ones; newest first. */
export async function listAgentPayments(
  db: Queryable,
  ownerId: OwnerId,
  { agentId, mandateId, host, states, from, to, before: cutoff, after: cursor, limit }: MadeFilter & HistorySlice,
): Promise<AgentPayment[]> {
  const isMeant = and(eq(agents.ownerId, ownerId), agentId && eq(agents.id, agentId));
  const ofOne = newestOf(
    and(
      eq(payments.agentId, agents.id),
      states && inArray(reservations.state, [...states]),
      mandateId && eq(payments.mandateId, mandateId),
      host === undefined ? undefined : eq(payments.host, host),
      from && gte(payments.createdAt, from),
      to && lt(payments.createdAt, to),
      cutoff && lt(payments.createdAt, cutoff),
      isAfter(cursor),
    ),
    limit,
    states && sql`inner join ${reservations} on ${eq(reservations.id, payments.reservationId)}`,
  );
  const rows = await db
    .select({ row: PAYMENT, agentName: agents.name, settlementId: settlements.id })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .leftJoin(settlements, isSettlementOfPayment)
    .where(sql`${payments.id} in (${newestOfEach(agents, isMeant, ofOne, limit)})`)
    .orderBy(...newestFirst);
  return rows.map(({ row, ...details }) => ({ ...details, payment: toPayment(row) }));
}

/** One payment of the owner's agents; null if it belongs to another owner. */
export async function findAgentPayment(db: Queryable, ownerId: OwnerId, id: PaymentId): Promise<AgentPayment | null> {
  const [result] = await db
    .select({ row: PAYMENT, agentName: agents.name, settlementId: settlements.id })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .leftJoin(settlements, isSettlementOfPayment)
    .where(and(eq(payments.id, id), eq(agents.ownerId, ownerId)));
  return result ? { ...result, payment: toPayment(result.row) } : null;
}

/** Addresses of the owner's vaults, including closed ones, and of their pockets. */
export async function listVaultAccounts(db: Queryable, ownerId: OwnerId): Promise<Address[]> {
  const rows = await db
    .select({ address: vaults.address, pocket: vaults.pocket })
    .from(vaults)
    .innerJoin(mandates, eq(mandates.id, vaults.mandateId))
    .where(and(eq(mandates.ownerId, ownerId), isNotNull(vaults.address)));
  return rows.flatMap(({ address, pocket }) => [address, pocket].filter((account) => account !== null));
}

/** What an owner has moved into a vault, or what the vault has sent back, in total and at the latest time of both. */
export type VaultMovement = {
  kind: "vault_in" | "vault_out";
  mandateId: MandateId;
  network: NetworkName;
  vault: Address;
  agentName: string;
  amount: Usdc;
  occurredAt: Date;
};

/** Deposits into the owner's vaults and returns out of them, newest first: at most one of each for a vault. */
export async function listVaultMovements(
  db: Queryable,
  ownerId: OwnerId,
  { before: cutoff, limit }: HistorySlice,
): Promise<VaultMovement[]> {
  const timeOf = (kinds: readonly VaultOperationKind[]) =>
    db
      .select({ at: max(vaultOperations.createdAt) })
      .from(vaultOperations)
      .where(
        and(
          eq(vaultOperations.mandateId, vaults.mandateId),
          inArray(vaultOperations.kind, [...kinds]),
          eq(vaultOperations.state, "done"),
        ),
      );
  const list = (kind: VaultMovement["kind"], amount: typeof vaults.funded | typeof vaults.returned, time: SQL) =>
    db
      .select({
        mandateId: vaults.mandateId,
        network: vaults.network,
        vault: vaults.address,
        agentName: agents.name,
        amount,
        occurredAt: time.mapWith(vaults.createdAt),
      })
      .from(vaults)
      .innerJoin(mandates, eq(mandates.id, vaults.mandateId))
      .innerJoin(agents, eq(agents.id, mandates.agentId))
      .where(and(eq(mandates.ownerId, ownerId), gt(amount, ZERO), cutoff && lt(time, cutoff)))
      .orderBy(desc(time))
      .limit(limit)
      .then((rows) => rows.flatMap(({ vault, ...row }) => (vault === null ? [] : [{ ...row, vault, kind }])));
  const [deposits, returns] = await Promise.all([
    list("vault_in", vaults.funded, sql`coalesce((${timeOf(INTO_VAULT)}), ${vaults.createdAt})`),
    // An owner can take the money out without us: the time is then that of the reading that saw it.
    list(
      "vault_out",
      vaults.returned,
      sql`coalesce((${timeOf(OUT_OF_VAULT)}), ${vaults.closedAt}, ${vaults.readAt}, ${vaults.createdAt})`,
    ),
  ]);
  return [...deposits, ...returns];
}

const INTO_VAULT = ["open_and_fund", "open_and_pull", "pull"] as const satisfies VaultOperationKind[];
const OUT_OF_VAULT = ["revoke_signed", "withdraw", "return", "empty_pocket"] as const satisfies VaultOperationKind[];

/** Settlements into or out of these accounts, without agents' payments; newest first. */
export function listWalletSettlements(
  db: Queryable,
  accounts: Address[],
  { before: cutoff, limit }: HistorySlice,
): Promise<SettlementRow[]> {
  const byTime = [desc(settlements.createdAt), desc(settlements.id)];
  // Reads each account along an index. With OR, every page would sort all settlements of the accounts.
  const newest = (account: SQL, condition: SQL | undefined) =>
    sql`select newest.id from unnest(${sql.param(accounts)}::text[]) as own (address) cross join lateral (
      select ${settlements.id} from ${settlements}
      where ${and(sql`${account} = own.address`, condition, cutoff && lt(settlements.createdAt, cutoff))}
      order by ${sql.join(byTime, sql`, `)} limit ${limit}) as newest`;
  const received = newest(sql`${settlements.payee}`, notInArray(settlements.payer, accounts));
  const outgoingIds = newest(sql`${settlements.payer}`, and(isOwnersOwn(), notExists(paymentOf(db))));
  return db
    .select()
    .from(settlements)
    .where(sql`${settlements.id} in (${received} union all ${outgoingIds})`)
    .orderBy(...byTime)
    .limit(limit);
}

/** The agent's payment of a settlement. */
const paymentOf = (db: Queryable) =>
  db
    .select({ id: payments.id })
    .from(reservations)
    .innerJoin(payments, eq(payments.reservationId, reservations.id))
    .where(
      and(
        eq(reservations.network, settlements.network),
        eq(reservations.payer, settlements.payer),
        eq(reservations.nonce, settlements.nonce),
      ),
    );

/** The sum of signed payments that can still leave the owner's wallet on `network`. */
export async function sumOpen(db: Queryable, ownerId: OwnerId, network: NetworkName, condition?: SQL): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${reservations.amount}), 0)`.mapWith(reservations.amount) })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(wallets, eq(wallets.id, payments.walletId))
    .where(
      and(
        eq(wallets.ownerId, ownerId),
        eq(reservations.network, network),
        eq(reservations.state, "open"),
        // Excludes payments from a vault, which do not leave the wallet.
        eq(reservations.payer, wallets.address),
        isNull(payments.creditPayee),
        condition,
      ),
    );
  return row?.total ?? ZERO;
}

/** `sumOpen` without payments that have an open settlement. */
export const sumUnpresented = (db: Queryable, ownerId: OwnerId, network: NetworkName): Promise<Usdc> =>
  sumOpen(
    db,
    ownerId,
    network,
    notExists(
      db
        .select({ id: settlements.id })
        .from(settlements)
        .where(and(isSettlementOfPayment, inArray(settlements.state, [...UNENDED]))),
    ),
  );

export type Spent = { network: NetworkName; lastDay: Usdc; lastMonth: Usdc; payments: number };

/** What the owner's agents have spent in USDC since `since`, for each network with such payments. */
export const sumSpent = (db: Queryable, ownerId: OwnerId, since: { day: Date; month: Date }): Promise<Spent[]> => {
  const inDay = sql`filter (where ${gte(reservations.endedAt, since.day)})`;
  return db
    .select({
      network: reservations.network,
      lastDay: sql`coalesce(sum(${reservations.amount}) ${inDay}, 0)`.mapWith(reservations.amount),
      lastMonth: sql`sum(${reservations.amount})`.mapWith(reservations.amount),
      payments: count(),
    })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .where(
      and(
        eq(agents.ownerId, ownerId),
        eq(reservations.state, "committed"),
        isNull(payments.creditPayee),
        gte(reservations.endedAt, since.month),
      ),
    )
    .groupBy(reservations.network);
};
