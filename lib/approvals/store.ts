import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, ApprovalId, OwnerId, PaymentId, WalletId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { type SpendingCap, underCaps } from "@/lib/mandates/caps/charge";
import type { Charging } from "@/lib/mandates/reservations/service";
import { reservations } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { payments } from "@/lib/payments/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { ApprovedBy } from "@/lib/platform/subscriber";
import type { Wallet } from "@/lib/wallets/service";
import { type Approval, type PaymentTerms, usableSince } from "./rules";
import { approvals } from "./tables";

/** A requested payment with its agent and owner. */
export type ApprovalWithAgent = {
  approval: Approval;
  agentName: string;
  agentOwnerId: OwnerId | null;
  ownerAddress: Address | null;
};

/** `isForMandate`: a mandate may pay the same later, and the approval is over then. */
export async function insert(
  tx: Tx,
  row: Omit<typeof approvals.$inferInsert, "afterReservation">,
  isForMandate: boolean,
): Promise<Approval> {
  const afterReservation = isForMandate ? NEWEST_RESERVATION : null;
  const [inserted] = await tx
    .insert(approvals)
    .values({ ...row, afterReservation })
    .returning();
  if (!inserted) throw new Error("the insert returned no row");
  return { ...inserted, isPaidByMandate: false };
}

/** From now on, a mandate that pays the approval's terms ends it. */
export async function expectMandate(db: Queryable, id: ApprovalId): Promise<void> {
  await db
    .update(approvals)
    .set({ afterReservation: sql`coalesce(after_reservation, ${NEWEST_RESERVATION})` })
    .where(eq(approvals.id, id));
}

const NEWEST_RESERVATION = sql`(select coalesce(max(r.id), 0) from ${reservations} r)`;

/** The clocks of two processes differ by less than this. */
const CLOCKS_APART = sql`interval '10 minutes'`;

/**
 * In a condition: whether a mandate has paid the approval's terms since a request asked that a mandate may pay. The owner was asked for
 * one payment. Also if the payment was released unused: its block may be replaced.
 */
const PAID_BY_MANDATE = sql`(approvals.after_reservation is not null and exists (
  select from ${payments} p join ${reservations} r on r.id = p.reservation_id
  where p.agent_id = approvals.agent_id and p.created_at > approvals.created_at - ${CLOCKS_APART} and p.mandate_id is not null
    and r.id > approvals.after_reservation
    and p.host = approvals.host and p.resource = approvals.resource and p.description = approvals.description
    and r.network = approvals.network and r.payee = approvals.payee and r.amount = approvals.amount))`;

// Plain names: of one table, the query builder writes its columns without the table's name, and the subquery would take its own.
const COLUMNS = { ...getTableColumns(approvals), isPaidByMandate: PAID_BY_MANDATE.mapWith(Boolean) };

export async function findForAgent(db: Queryable, agentId: AgentId, id: ApprovalId): Promise<Approval | null> {
  const [row] = await db
    .select(COLUMNS)
    .from(approvals)
    .where(and(eq(approvals.id, id), eq(approvals.agentId, agentId)));
  return row ?? null;
}

/**
 * The agent's newest request for exactly these terms, while it can still be used, or was denied and would not have expired. None if a
 * mandate has paid them since, unless it was denied.
 */
export async function findAsked(
  db: Queryable,
  agentId: AgentId,
  terms: PaymentTerms,
  now: Date,
): Promise<Approval | null> {
  const isTerm = (Object.keys(terms) as (keyof PaymentTerms)[]).map((name) => eq(approvals[name], terms[name]));
  const [row] = await db
    .select(COLUMNS)
    .from(approvals)
    .where(
      and(
        eq(approvals.agentId, agentId),
        gt(approvals.createdAt, usableSince(now)),
        gt(approvals.expiresAt, now),
        isNull(approvals.paymentId),
        ...isTerm,
        or(isNotNull(approvals.deniedAt), not(PAID_BY_MANDATE)),
      ),
    )
    .orderBy(desc(approvals.createdAt), desc(approvals.id))
    .limit(1);
  return row ?? null;
}

const withAgents = (db: Queryable) =>
  db
    .select({
      approval: COLUMNS,
      agentName: agents.name,
      agentOwnerId: agents.ownerId,
      ownerAddress: owners.address,
    })
    .from(approvals)
    .innerJoin(agents, eq(agents.id, approvals.agentId))
    .leftJoin(owners, eq(owners.id, agents.ownerId));

export async function find(db: Queryable, id: ApprovalId): Promise<ApprovalWithAgent | null> {
  const [row] = await withAgents(db).where(eq(approvals.id, id));
  return row ?? null;
}

/** Null for a payment under a mandate. */
export async function findIdByPayment(db: Queryable, agentId: AgentId, id: PaymentId): Promise<ApprovalId | null> {
  const [row] = await db
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.agentId, agentId), eq(approvals.paymentId, id)));
  return row?.id ?? null;
}

/**
 * Undecided requests of the owner's agents at `now`, the newest of each agent first, so that one agent cannot hide another's
 * requests.
 */
export const listWaiting = (db: Queryable, ownerId: OwnerId, now: Date, limit: number): Promise<ApprovalWithAgent[]> =>
  withAgents(db)
    .where(
      and(
        eq(agents.ownerId, ownerId),
        isNull(agents.deletedAt),
        isNull(approvals.approvedAt),
        isNull(approvals.deniedAt),
        gt(approvals.expiresAt, now),
        not(PAID_BY_MANDATE),
      ),
    )
    .orderBy(
      sql`row_number() over (partition by ${approvals.agentId} order by ${approvals.createdAt} desc, ${approvals.id} desc)`,
      desc(approvals.createdAt),
      desc(approvals.id),
    )
    .limit(limit);

/** How many of an agent's requests above a limit wait for a decision. Its other requests wait until `tx` ends. */
export async function countWaitingAbove(tx: Tx, agentId: AgentId, now: Date): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`approvals.${agentId}`}, 0))`);
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(approvals)
    .where(
      and(
        eq(approvals.agentId, agentId),
        approvals.isAboveLimit,
        isNull(approvals.approvedAt),
        isNull(approvals.deniedAt),
        gt(approvals.expiresAt, now),
        not(PAID_BY_MANDATE),
      ),
    );
  return row?.count ?? 0;
}

/** Locks the approval until `tx` ends. */
export async function lock(tx: Tx, id: ApprovalId): Promise<Approval | null> {
  const [row] = await tx.select(COLUMNS).from(approvals).where(eq(approvals.id, id)).for("update", { of: approvals });
  return row ?? null;
}

export async function change(
  tx: Tx,
  id: ApprovalId,
  set: Partial<Pick<Approval, "walletId" | "approvedAt" | "isSigned" | "deniedAt" | "mandateId">>,
): Promise<void> {
  await tx.update(approvals).set(set).where(eq(approvals.id, id));
}

/** The sum of payments from a wallet that were approved without a signature after `since`, and are used or still usable at `now`. */
export async function sumUnsigned(tx: Queryable, walletId: WalletId, since: Date, now: Date): Promise<Usdc> {
  const [row] = await tx
    .select({ total: sql`coalesce(sum(${approvals.amount}), 0)`.mapWith(approvals.amount) })
    .from(approvals)
    .where(
      and(
        eq(approvals.walletId, walletId),
        sql`${approvals.approvedAt} is not null and not ${approvals.isSigned}`,
        gt(approvals.approvedAt, since),
        isNull(approvals.deniedAt),
        or(isNotNull(approvals.paymentId), and(gt(approvals.expiresAt, now), not(PAID_BY_MANDATE))),
      ),
    );
  return row?.total ?? ZERO;
}

/**
 * What payments from one of the owner's wallets take that are approved, usable at `now` and not signed yet, for each agent; with `until`,
 * of those that were approved before it.
 */
export const listApproved = (
  db: Queryable,
  { ownerId, walletId }: ApprovedBy,
  now: Date,
  until?: Pick<Approval, "id" | "approvedAt">,
): Promise<{ agentId: AgentId; amount: Usdc }[]> =>
  db
    .select({ agentId: approvals.agentId, amount: sql`sum(${approvals.amount})`.mapWith(approvals.amount) })
    .from(agents)
    .innerJoin(approvals, eq(approvals.agentId, agents.id))
    .where(
      and(
        eq(agents.ownerId, ownerId),
        // The index has the time of the request.
        gt(approvals.createdAt, usableSince(now)),
        eq(approvals.walletId, walletId),
        isNotNull(approvals.approvedAt),
        isNull(approvals.deniedAt),
        isNull(approvals.paymentId),
        gt(approvals.expiresAt, now),
        not(PAID_BY_MANDATE),
        until &&
          sql`(${approvals.approvedAt}, ${approvals.id}) < (${sql.param(until.approvedAt, approvals.approvedAt)}, ${until.id})`,
      ),
    )
    .groupBy(approvals.agentId);

/**
 * Sets the approval's payment, if it is approved, valid at `now` and unused, and counts it under the owner's `caps`, as they and the
 * owner's lists of payees were when the wallet was read. Used in the statement that inserts the payment, so that neither exists without
 * the other. Returns no row when the guard fails.
 * Why: docs/decisions.md, 62.
 */
export const use = (
  { id, amount }: Pick<Approval, "id" | "amount">,
  paymentId: PaymentId,
  { wallet, caps, time }: { wallet: Wallet; caps: readonly SpendingCap[]; time: Date },
): Charging =>
  underCaps(
    {
      table: approvals,
      row: sql`id = ${id}`,
      fits: sql`payment_id is null and approved_at is not null and denied_at is null
        and expires_at > ${time.toISOString()}::timestamptz and not ${PAID_BY_MANDATE}
        and exists (select 1 from wallets where id = ${wallet.id} and caps_revision = ${wallet.capsRevision}
          and payees_revision = ${wallet.payeesRevision} for share)`,
      set: sql`payment_id = ${paymentId}`,
      returning: sql`null::text as mandate_id, null::date as charged_on`,
    },
    caps,
    { amount, time, isApproved: true },
  );
