import { and, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId } from "@/lib/core/ids";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import type { Queryable } from "@/lib/platform/db";
import { contractRefusals, vaultOperations, vaults } from "@/lib/vaults/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { Mandate } from "../store";
import { mandates, reservations } from "../tables";
import type { UnpaidFills } from "./rules";
import type { SignedVault } from "./terms";

/** Gives the vault a pocket, unless it has one. */
export async function setPocket(
  db: Queryable,
  mandateId: MandateId,
  fresh: { pocket: Address; sealedPocketKey: string },
): Promise<void> {
  await db
    .update(vaults)
    .set(fresh)
    .where(and(eq(vaults.mandateId, mandateId), isNull(vaults.pocket)));
}

/**
 * Unix seconds until which a signed payment can still be made by the pocket, or by a vault for this agent to this seller; null if
 * there is none. Matches the seller by host or address, because it can change either. A pocket payment that ended after the last
 * reading counts: the pocket's balance is not known since.
 */
export async function busyUntil(
  db: Queryable,
  { network, pocket, readBlock }: SignedVault,
  { agentId, host, payTo }: { agentId: AgentId; host: string; payTo: Address },
): Promise<bigint | null> {
  const { payer, state, blockNumber, validBefore } = reservations;
  const byPocket = pocket && and(eq(payer, pocket), or(eq(state, "open"), gt(blockNumber, readBlock ?? 0n)));
  const byVault = and(
    sql`${state} = 'open'`,
    sql`${payer} in (select address from vaults)`,
    sql`exists (select from payments p where p.reservation_id = ${reservations.id} and p.agent_id = ${agentId}
      and (p.host = ${host} or ${reservations.payee} = ${payTo}))`,
  );
  const [row] = await db
    .select({ validBefore })
    .from(reservations)
    .where(and(eq(reservations.network, network), or(byVault, byPocket ?? undefined)))
    .orderBy(desc(validBefore))
    .limit(1);
  return row?.validBefore ?? null;
}

/** Fills after `since` of the pockets of an agent's vaults that were followed by no payment from the pocket. */
export async function unpaidFills(db: Queryable, agentId: AgentId, since: Date): Promise<UnpaidFills> {
  const isPaid = sql`exists (select from payments p
    join reservations r on r.id = p.reservation_id and r.state = 'committed' and r.payer = ${vaults.pocket}
    where p.mandate_id = ${vaultOperations.mandateId} and p.created_at >= ${vaultOperations.createdAt})`;
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      last: sql`max(${vaultOperations.createdAt})`.mapWith(vaultOperations.createdAt),
    })
    .from(vaultOperations)
    .innerJoin(mandates, eq(mandates.id, vaultOperations.mandateId))
    .innerJoin(vaults, eq(vaults.mandateId, vaultOperations.mandateId))
    .where(
      and(
        eq(mandates.agentId, agentId),
        eq(vaultOperations.kind, "fill_pocket"),
        sql`${vaultOperations.relayerNonce} is not null`,
        gt(vaultOperations.createdAt, since),
        sql`not ${isPaid}`,
      ),
    );
  return { count: row?.count ?? 0, last: row?.last ?? null };
}

/** Whether no payment needs the pocket's balance: no signed payment is open, and the last fill was before `since`. */
export async function isIdle(db: Queryable, { mandateId, pocket }: SignedVault, since: Date): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    select not exists (select from ${reservations} where ${eq(reservations.mandateId, mandateId)}
        and ${reservations.payer} = ${pocket} and ${reservations.state} = 'open')
      and not exists (select from ${vaultOperations} where ${eq(vaultOperations.mandateId, mandateId)}
        and ${vaultOperations.kind} = 'fill_pocket'
        and (${vaultOperations.state} in ('waiting', 'sent') or ${gt(vaultOperations.createdAt, since)})) as is`);
  return rows[0]?.is ?? false;
}

/**
 * The sum that the vault moves, or still can move, to its pocket. `endsAt`: until when others can submit a failed fill; null
 * while a fill is under way.
 */
export type Filling = { amount: Usdc; endsAt: bigint | null };

/** `nowSeconds`: a lower bound of the chain's time. */
export async function filling(db: Queryable, mandateId: MandateId, nowSeconds: number): Promise<Filling | null> {
  const { amount, state, kind, validBefore } = vaultOperations;
  const rows = await db
    .select({ amount, state, validBefore })
    .from(vaultOperations)
    .where(
      and(
        eq(vaultOperations.mandateId, mandateId),
        eq(kind, "fill_pocket"),
        or(inArray(state, ["waiting", "sent"]), and(eq(state, "failed"), gt(validBefore, BigInt(nowSeconds)))),
      ),
    );
  if (rows.length === 0) return null;
  const isUnderway = rows.some((row) => row.state !== "failed");
  const [latest] = rows.map((row) => row.validBefore ?? 0n).toSorted((a, b) => (a < b ? 1 : -1));
  return {
    amount: rows.reduce((sum, row) => add(sum, row.amount ?? ZERO), ZERO),
    endsAt: isUnderway ? null : (latest ?? null),
  };
}

/**
 * A condition for `charging`: nothing else was signed under the mandate since it was read, and by the last reading the pocket
 * holds `amount`, is not being emptied and has signed nothing that may still be paid. A second statement that waited for the mandate's row fails the
 * first part.
 */
export const pocketCovers = (mandate: Pick<Mandate, "pendingAmount" | "spentAmount">, amount: Usdc): SQL => sql`
  ${mandates.pendingAmount} = ${mandate.pendingAmount.toString()}::numeric
  and ${mandates.spentAmount} = ${mandate.spentAmount.toString()}::numeric
  and exists (select 1 from vaults v where v.mandate_id = ${mandates.id} and v.state = 'open' and not v.is_revoked
    and v.read_block is not null and v.pocket_balance >= ${amount.toString()}::numeric
    and not exists (select 1 from vault_operations o where o.mandate_id = v.mandate_id and o.kind = 'empty_pocket'
      and o.state in ('waiting', 'sent'))
    and not exists (select 1 from reservations r where r.network = v.network and r.payer = v.pocket
      and (r.state = 'open' or r.block_number > v.read_block)))`;

/** Whether the pocket's balance is on its way back: a payment signed now would find nothing. */
export async function isEmptying(db: Queryable, mandateId: MandateId): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(vaultOperations)
    .where(
      and(
        eq(vaultOperations.mandateId, mandateId),
        eq(vaultOperations.kind, "empty_pocket"),
        inArray(vaultOperations.state, ["waiting", "sent"]),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** A seller, from the view of an owner's agent. */
export type RefusingSeller = { ownerId: OwnerId; agentId: AgentId; network: NetworkName; host: string };
export type ContractRefusal = typeof contractRefusals.$inferSelect;

const { ownerId: owner, agentId: agent, network: ofNetwork, host: ofHost, seenAt: since } = contractRefusals;

/** Refusals that count for an agent: its own reports, and those that we have seen. */
const countsFor = ({ ownerId, agentId, network }: Omit<RefusingSeller, "host">, cutoff: Date) =>
  and(
    eq(owner, ownerId),
    eq(ofNetwork, network),
    or(eq(agent, agentId), eq(contractRefusals.isWitnessed, true)),
    gt(since, cutoff),
  );

/** Whether a refusal by the seller after `cutoff` counts for the agent. */
export async function hasRefused(db: Queryable, { host, ...party }: RefusingSeller, cutoff: Date): Promise<boolean> {
  const rows = await db
    .select({ host: ofHost })
    .from(contractRefusals)
    .where(and(countsFor(party, cutoff), eq(ofHost, host)))
    .limit(1);
  return rows.length > 0;
}

/** The newest refusals that count for an agent. */
export const listRefusals = (
  db: Queryable,
  party: Omit<RefusingSeller, "host">,
  cutoff: Date,
  limit: number,
): Promise<ContractRefusal[]> =>
  db.select().from(contractRefusals).where(countsFor(party, cutoff)).orderBy(desc(since)).limit(limit);

export async function remember(
  db: Queryable,
  seller: RefusingSeller,
  refusal: Pick<ContractRefusal, "reason" | "seenAt" | "isWitnessed">,
): Promise<void> {
  await db
    .insert(contractRefusals)
    .values({ ...seller, ...refusal })
    .onConflictDoUpdate({
      target: [owner, ofNetwork, ofHost, agent],
      set: { ...refusal, isWitnessed: sql`${contractRefusals.isWitnessed} or excluded.is_witnessed` },
    });
}

/** Forgets all refusals by the seller for the owner's agents. Returns whether there were any. */
export async function forget(
  db: Queryable,
  { ownerId, network, host }: Omit<RefusingSeller, "agentId">,
): Promise<boolean> {
  const deletedRows = await db
    .delete(contractRefusals)
    .where(and(eq(owner, ownerId), eq(ofNetwork, network), eq(ofHost, host)))
    .returning({ host: ofHost });
  return deletedRows.length > 0;
}
