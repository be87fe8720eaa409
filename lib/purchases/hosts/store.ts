import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import { reservations } from "@/lib/mandates/tables";
import { payments } from "@/lib/payments/tables";
import type { Queryable } from "@/lib/platform/db";
import type { HostHistory } from "@/lib/platform/summary";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { purchases } from "../tables";

/** The history of the newest `max` payments in USDC for a host. `url`: without query and fragment. */
export async function historyOf(
  db: Queryable,
  { ownerId, network, host, url }: { ownerId: OwnerId; network: NetworkName; host: string; url: string },
  max: number,
): Promise<HostHistory> {
  // One wallet, so that the index gives the newest payments without reading the others.
  const wallet = db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.ownerId, ownerId), eq(wallets.network, network), eq(wallets.purpose, "spending")));
  const newest = db
    .select({
      url: sql<string>`split_part(split_part(${payments.resource}, '#', 1), '?', 1)`.as("url"),
      isPaid: sql<boolean>`${reservations.state} = 'committed'`.as("is_paid"),
      payee: reservations.payee,
      amount: reservations.amount,
      endedAt: reservations.endedAt,
      createdAt: payments.createdAt,
      isDelivered: sql<boolean>`(${purchases.sealedAnswer} is not null or ${purchases.answerDeletedAt} is not null)`.as(
        "is_delivered",
      ),
      isRefused:
        sql<boolean>`(${purchases.sealedAnswer} is null and ${purchases.answerDeletedAt} is null and coalesce(${purchases.lastStatus}, 200) not between 200 and 299)`.as(
          "is_refused",
        ),
    })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .leftJoin(purchases, eq(purchases.paymentId, payments.id))
    .where(and(eq(payments.walletId, sql`(${wallet})`), eq(payments.host, host), isNull(payments.creditPayee)))
    .orderBy(desc(payments.createdAt))
    .limit(max)
    .as("newest");
  const { isPaid, isDelivered, isRefused, payee, amount, endedAt, createdAt } = newest;
  const priced = db
    .select({
      url: newest.url,
      isPaid,
      isDelivered,
      isRefused,
      payee,
      amount,
      endedAt,
      createdAt,
      listedAmount: sql`first_value(${amount}) over (partition by ${newest.url}, ${isPaid} order by ${createdAt})`.as(
        "listed_amount",
      ),
    })
    .from(newest)
    .as("priced");
  const paidCount = (condition = sql`true`) =>
    sql<number>`(count(*) filter (where ${priced.isPaid} and ${condition}))::int`;
  const [row] = await db
    .select({
      paid: paidCount(),
      delivered: paidCount(sql`${priced.isDelivered}`),
      refused: sql<number>`(count(*) filter (where ${priced.isRefused}))::int`,
      unseen: paidCount(sql`not ${priced.isDelivered} and not ${priced.isRefused}`),
      priceAsListed: paidCount(sql`${priced.amount} = ${priced.listedAmount}`),
      addressesPaid: sql<number>`(count(distinct ${priced.payee}) filter (where ${priced.isPaid}))::int`,
      listedAmount:
        sql`(max(${priced.listedAmount}) filter (where ${priced.isPaid} and ${priced.url} = ${url}))`.mapWith(
          reservations.amount,
        ),
      lastPayTo:
        sql`((array_agg(${priced.payee} order by ${priced.createdAt} desc) filter (where ${priced.isPaid}))[1])`.mapWith(
          reservations.payee,
        ),
      lastPaidAt: sql`max(${priced.endedAt}) filter (where ${priced.isPaid})`.mapWith(reservations.endedAt),
    })
    .from(priced);
  if (!row) throw new Error("an aggregate without a row");
  return row;
}
