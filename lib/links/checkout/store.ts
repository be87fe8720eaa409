import { and, desc, eq, getTableColumns, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import type { Settlement } from "@/lib/settlements/service";
import { settlements, UNENDED } from "@/lib/settlements/tables";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { PurchaseOrder } from "../orders/rules";
import { receivedPayments } from "../tables";

type Purchase = { linkId: LinkId; network: NetworkName; payer: Address; order: PurchaseOrder; isAmountChosen: boolean };

/**
 * Order of preference: settled, open, declined, then the newest. Void payments are excluded, because they can never move money.
 * `isAmountChosen`: the buyer chooses the amount.
 */
export async function findPurchase(
  db: Queryable,
  { linkId, network, payer, order, isAmountChosen }: Purchase,
): Promise<Settlement | null> {
  const [row] = await db
    .select(getTableColumns(settlements))
    .from(settlements)
    .innerJoin(receivedPayments, eq(receivedPayments.settlementId, settlements.id))
    .where(
      and(
        eq(settlements.network, network),
        eq(settlements.asset, NETWORKS[network].usdc),
        eq(settlements.payer, payer),
        inArray(settlements.state, ["settled", ...UNENDED]),
        eq(receivedPayments.linkId, linkId),
        // A different amount is a different order only if the buyer chose it: a seller may change the price.
        isAmountChosen ? eq(settlements.amount, order.amount) : undefined,
        sql`coalesce(${receivedPayments.quantity}, 1) = ${order.quantity}`,
        sql`coalesce(${receivedPayments.answers}, '[]') = ${JSON.stringify(order.answers)}::jsonb`,
        or(isNotNull(receivedPayments.content), isNotNull(receivedPayments.file)),
      ),
    )
    .orderBy(sql`${settlements.state} <> 'settled'`, sql`${settlements.state} = 'declined'`, desc(receivedPayments.id))
    .limit(1);
  return row ?? null;
}
