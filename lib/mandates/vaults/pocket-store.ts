import { and, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { MandateId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Queryable } from "@/lib/platform/db";
import { contractRefusals, vaultOperations, vaults } from "@/lib/vaults/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { Mandate } from "../store";
import { mandates, reservations } from "../tables";
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
 * Until when a signed payment may still be made by the pocket, or by the vault to `payee`; Unix seconds, null if none may. A
 * payment that a block after the last reading ended counts, because the pocket's balance is not known after it.
 */
export async function busyUntil(
  db: Queryable,
  { mandateId, network, address, pocket, readBlock }: SignedVault,
  payee: Address,
): Promise<bigint | null> {
  const { payer, state, blockNumber, validBefore } = reservations;
  const byPocket = pocket && and(eq(payer, pocket), or(eq(state, "open"), gt(blockNumber, readBlock ?? 0n)));
  const byVault = and(eq(payer, address), eq(state, "open"), eq(reservations.payee, payee));
  const [row] = await db
    .select({ validBefore })
    .from(reservations)
    .where(
      and(eq(reservations.mandateId, mandateId), eq(reservations.network, network), or(byVault, byPocket ?? undefined)),
    )
    .orderBy(desc(validBefore))
    .limit(1);
  return row?.validBefore ?? null;
}

/** Whether nothing needs what is in the pocket: nothing it signed is open, and it was filled for the last time before `since`. */
export async function isIdle(db: Queryable, { mandateId, pocket }: SignedVault, since: Date): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    select not exists (select from ${reservations} where ${eq(reservations.mandateId, mandateId)}
        and ${reservations.payer} = ${pocket} and ${reservations.state} = 'open')
      and not exists (select from ${vaultOperations} where ${eq(vaultOperations.mandateId, mandateId)}
        and ${vaultOperations.kind} = 'fill_pocket'
        and (${vaultOperations.state} in ('waiting', 'sent') or ${gt(vaultOperations.createdAt, since)})) as is`);
  return rows[0]?.is ?? false;
}

/** What the vault is about to move to its pocket. */
export async function filling(db: Queryable, mandateId: MandateId): Promise<Usdc | null> {
  const [row] = await db
    .select({ amount: vaultOperations.amount })
    .from(vaultOperations)
    .where(
      and(
        eq(vaultOperations.mandateId, mandateId),
        eq(vaultOperations.kind, "fill_pocket"),
        inArray(vaultOperations.state, ["waiting", "sent"]),
      ),
    );
  return row?.amount ?? null;
}

/**
 * A further condition of `charging`: nothing else was signed under the mandate since it was read, and by the last reading the
 * pocket holds `amount` and has signed nothing that may still be paid. The first part is what a second statement sees that
 * waited for the mandate's row.
 */
export const pocketCovers = (read: Pick<Mandate, "pendingAmount" | "spentAmount">, amount: Usdc): SQL => sql`
  ${mandates.pendingAmount} = ${read.pendingAmount.toString()}::numeric
  and ${mandates.spentAmount} = ${read.spentAmount.toString()}::numeric
  and exists (select 1 from vaults v where v.mandate_id = ${mandates.id} and v.state = 'open' and not v.is_revoked
    and v.read_block is not null and v.pocket_balance >= ${amount.toString()}::numeric
    and not exists (select 1 from reservations r where r.network = v.network and r.payer = v.pocket
      and (r.state = 'open' or r.block_number > v.read_block)))`;

type Seller = { ownerId: OwnerId; network: NetworkName; host: string };

const isSeller = ({ ownerId, network, host }: Seller) =>
  and(eq(contractRefusals.ownerId, ownerId), eq(contractRefusals.network, network), eq(contractRefusals.host, host));

/** Whether the seller refused a contract as payer since `since`. */
export async function hasRefused(db: Queryable, seller: Seller, since: Date): Promise<boolean> {
  const rows = await db
    .select({ host: contractRefusals.host })
    .from(contractRefusals)
    .where(and(isSeller(seller), gt(contractRefusals.seenAt, since)));
  return rows.length > 0;
}

export async function remember(db: Queryable, seller: Seller, reason: string, seenAt: Date): Promise<void> {
  await db
    .insert(contractRefusals)
    .values({ ...seller, reason, seenAt })
    .onConflictDoUpdate({
      target: [contractRefusals.ownerId, contractRefusals.network, contractRefusals.host],
      set: { reason, seenAt },
    });
}
