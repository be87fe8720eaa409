import { and, desc, eq, getTableColumns, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, InvoiceId, LinkId, SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { Settlement } from "@/lib/settlements/service";
import { settlements, UNENDED } from "@/lib/settlements/tables";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { LinkFile } from "../files/rules";
import type { SoldImage } from "../images/image";
import type { PurchaseOrder } from "../orders/rules";
import { paymentLinks, receivedPayments } from "../tables";
import { mapReceiptTexts, type ReceiptText } from "../texts";

/** Without the content, which lists do not show. */
const { content: _, ...listed } = getTableColumns(receivedPayments);

export type Received = {
  received: Omit<typeof receivedPayments.$inferSelect, "content">;
  settlement: typeof settlements.$inferSelect;
  /** Null for a payment to an agent's address. */
  own: SellersOwn | null;
};

export type NewReceived = typeof receivedPayments.$inferInsert;

export async function addReceived(tx: Tx, rows: readonly NewReceived[]): Promise<void> {
  await tx.insert(receivedPayments).values([...rows]);
}

export type ReceivedPage = { before?: number | undefined; offset?: number | undefined; limit: number };

/** Newest first: the agent's payments at all links and its UPL, or at one link. */
export const listReceived = (
  db: Queryable,
  agentId: AgentId,
  { linkId, before: cursor, offset, limit }: ReceivedPage & { linkId?: LinkId | undefined },
): Promise<Received[]> =>
  db
    .select({ received: listed, settlement: settlements, own: joinedOwn })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(
      and(
        eq(receivedPayments.agentId, agentId),
        linkId && eq(receivedPayments.linkId, linkId),
        cursor === undefined ? undefined : lt(receivedPayments.id, cursor),
      ),
    )
    .orderBy(desc(receivedPayments.id))
    .limit(limit)
    .offset(offset ?? 0);

export async function findReceived(db: Queryable, agentId: AgentId, id: number): Promise<Received | null> {
  const [row] = await db
    .select({ received: listed, settlement: settlements, own: joinedOwn })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(and(eq(receivedPayments.id, id), eq(receivedPayments.agentId, agentId)));
  return row ?? null;
}

export type SaleContent = { content: string | null; file: LinkFile | null };

/** The content sold with a settlement; null unless it paid a link. Stored with the sale, so later changes of the link have no effect. */
export async function findSold(db: Queryable, settlementId: SettlementId): Promise<SaleContent | null> {
  const [row] = await db
    .select({ content: receivedPayments.content, file: receivedPayments.file })
    .from(receivedPayments)
    .where(and(eq(receivedPayments.settlementId, settlementId), eq(receivedPayments.source, "payment_link")));
  return row ?? null;
}

/** The seller's reference and metadata of the link, kept after its deletion. */
export type SellersOwn = { reference: string | null; metadata: Record<string, string> | null };

const sellersOwn = { reference: paymentLinks.reference, metadata: paymentLinks.metadata };
/** `linkId` comes first: Drizzle treats a joined object as null if its first column is null, and `reference` can be. */
const joinedOwn = { linkId: paymentLinks.linkId, ...sellersOwn };

/**
 * A settlement's order at a link, with the seller's own data. Reads two rows by unique keys, because it runs in the transaction that
 * settles the payment.
 */
export async function soldBy(
  db: Queryable,
  settlementId: SettlementId,
): Promise<(SellersOwn & Pick<Received["received"], "quantity" | "answers"> & { invoiceId: InvoiceId | null }) | null> {
  const [row] = await db
    .select({
      ...sellersOwn,
      quantity: receivedPayments.quantity,
      answers: receivedPayments.answers,
      invoiceId: paymentLinks.invoiceId,
    })
    .from(receivedPayments)
    .innerJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(eq(receivedPayments.settlementId, settlementId));
  return row ?? null;
}

/** Adds the buyer's choices to the settlement's sale. */
export async function setOrder(
  tx: Tx,
  settlementId: SettlementId,
  order: Pick<Received["received"], "quantity" | "answers">,
): Promise<void> {
  await tx.update(receivedPayments).set(order).where(eq(receivedPayments.settlementId, settlementId));
}

/** What a settlement's sale sold, for its receipt. */
export async function soldWith(db: Queryable, settlementId: SettlementId): Promise<SoldRow | null> {
  const hasImage = sql<boolean>`${paymentLinks.deletedAt} is null
    and ${paymentLinks.image} ->> 'imageId' = ${receivedPayments.image} ->> 'imageId'`;
  const [row] = await db
    .select({
      ...mapReceiptTexts((name) => receivedPayments[name]),
      image: receivedPayments.image,
      quantity: receivedPayments.quantity,
      answers: receivedPayments.answers,
      hasImage,
    })
    .from(receivedPayments)
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(eq(receivedPayments.settlementId, settlementId));
  if (!row) return null;
  const { image, hasImage: isShown, ...sold } = row;
  return { ...sold, image: isShown ? image : null };
}

/** `image` is null if the sale had none, or the link no longer has that image: a receipt shows only what the buyer saw. */
export type SoldRow = Pick<Received["received"], "quantity" | "answers"> & {
  image: SoldImage | null;
} & Record<ReceiptText, string | null>;

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
