import { and, asc, count, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { receivers } from "@/lib/agents/service";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { STRANGER_BELOW } from "@/lib/core/limits";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { type NetworkName, REAL_NETWORK_NAMES } from "@/lib/x402/networks";
import type { BuyerField } from "../orders/rules";
import type { Link } from "../rules";
import { linkListings, paymentLinks } from "../tables";
import { EVERY_PATH, type PaidMethod } from "../upstream/rules";
import { LISTINGS_MAX, PATHS_LISTED } from "./rules";

/** Characters of a link's description that the directory shows and searches. */
const TEXT_MAX = 300;
/** The newest settlements of a link that are read for its rank. */
const SALES_READ = 100;
/** Only an owner's oldest agents, and the oldest listed links of those agents, can enter the directory. */
const AGENTS_READ = 50;
const LINKS_READ = 100;
/** Only the best-ranked listings are searched; the rest appear on no page. */
const LISTINGS_READ = 10_000;
/** Maximum number of uses counted per link. A link with a higher limit stays listed after it is sold out. */
const USES_READ = 1_000;

const isOpen = (now: Date): SQL | undefined =>
  and(
    paymentLinks.isListed,
    eq(paymentLinks.status, "active"),
    isNull(paymentLinks.deletedAt),
    or(isNull(paymentLinks.expiresAt), gt(paymentLinks.expiresAt, now)),
  );

/**
 * Serialises all changes of the directory until `tx` ends. Directory rows are locked only after this lock and have no foreign keys:
 * a foreign key would lock the link, which another transaction may hold while it waits here.
 * Why: docs/decisions.md, 419.
 */
export async function lock(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('link_listings', 0))`);
}

export async function ownerOf(db: Queryable, agentId: AgentId): Promise<OwnerId | null> {
  const [row] = await db.select({ ownerId: agents.ownerId }).from(agents).where(eq(agents.id, agentId));
  return row?.ownerId ?? null;
}

/** The counted sales of the owner's links in the directory. */
export async function salesOf(tx: Tx, ownerId: OwnerId): Promise<number> {
  const sales = sql<number>`coalesce(sum(${linkListings.sales}), 0)`.mapWith(Number);
  const [row] = await tx.select({ sales }).from(linkListings).where(eq(linkListings.ownerId, ownerId));
  return row?.sales ?? 0;
}

/**
 * The payers in `s` that count as sales: not the owner, at least STRANGER_BELOW in total, on a real network. Otherwise a seller
 * could reach the top by paying themselves one unit a thousand times.
 */
const countedPayers = sql`select s.payer from s where s.state = 'settled'
  and s.network = any(${sql.param([...REAL_NETWORK_NAMES])}::text[]) and s.payer not in (select address from own)
  group by s.payer having sum(s.amount) >= ${STRANGER_BELOW.toString()}::numeric`;

/** Replaces the owner's listings with their best links, at most `limit`. */
export async function place(tx: Tx, ownerId: OwnerId, { limit, now }: { limit: number; now: Date }): Promise<void> {
  const isOpenNow = isOpen(now);
  // Every address that holds or receives the owner's money.
  const own = sql`
    select address from owners where id = ${ownerId}
    union select address from wallets where owner_id = ${ownerId}
    union select receiving_address from agents where owner_id = ${ownerId} and receiving_address is not null
    union select held.address from mandates m join vaults v on v.mandate_id = m.id
      cross join lateral (values (v.address), (v.pocket)) held (address) where m.owner_id = ${ownerId} and held.address is not null`;
  const best = sql`
    select l.link_id, l.id as number, l.text, (
      with s as (
        select state, network, amount, payer from ${settlements} where purpose = 'link' and subject = l.link_id order by created_at desc limit ${SALES_READ}
      ) select count(*) from (${countedPayers}) counted)::int as sales
    from (
      select o.* from (
        select id from ${agents} where owner_id = ${ownerId} and deleted_at is null order by created_at, id limit ${AGENTS_READ}
      ) a cross join lateral (
        select link_id, id, left(coalesce(nullif(description, ''), title, ''), ${TEXT_MAX}) as text from ${paymentLinks}
        where ${paymentLinks.agentId} = a.id and ${isOpenNow} order by ${paymentLinks.id} limit ${LISTINGS_MAX}
      ) o order by o.id limit ${LINKS_READ}
    ) l order by sales desc, number limit ${limit}`;
  await tx.execute(sql`
    with own as materialized (${own}),
    best as (${best}),
    gone as (delete from ${linkListings} where owner_id = ${ownerId} and link_id not in (select link_id from best))
    insert into ${linkListings} (link_id, owner_id, number, sales, text)
    select link_id, ${ownerId}, number, sales, text from best
    on conflict (link_id) do update set owner_id = excluded.owner_id, sales = excluded.sales, text = excluded.text
    where (link_listings.owner_id, link_listings.sales, link_listings.text)
      is distinct from (excluded.owner_id, excluded.sales, excluded.text)`);
}

/**
 * Owners of the next `limit` listed links after number `cursor`: the current owners, and the owners under whom the directory lists
 * them.
 */
export async function listOwnersAfter(
  db: Queryable,
  cursor: number,
  limit: number,
): Promise<{ ownerIds: OwnerId[]; last: number | null }> {
  const rows = await db
    .select({ id: paymentLinks.id, ownerId: agents.ownerId, placedFor: linkListings.ownerId })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .leftJoin(linkListings, eq(linkListings.linkId, paymentLinks.linkId))
    .where(and(paymentLinks.isListed, isNull(paymentLinks.deletedAt), gt(paymentLinks.id, cursor)))
    .orderBy(asc(paymentLinks.id))
    .limit(limit);
  const ownerIds = rows.flatMap(({ ownerId, placedFor }) => [ownerId, placedFor]).filter((id) => id !== null);
  return { ownerIds: [...new Set(ownerIds)], last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** The buyer's questions without their labels, which the link's own 402 contains. */
const FIELDS = sql<BuyerField[] | null>`(select jsonb_agg(
  jsonb_build_object('name', f -> 'name', 'label', '', 'isRequired', f -> 'isRequired') order by place)
  from jsonb_array_elements(${paymentLinks.fields}) with ordinality e(f, place))`;

/** The columns that the directory shows: price and choices, but no long texts. */
const COLUMNS = {
  linkId: paymentLinks.linkId,
  network: paymentLinks.network,
  amount: paymentLinks.amount,
  minAmount: paymentLinks.minAmount,
  maxAmount: paymentLinks.maxAmount,
  maxQuantity: paymentLinks.maxQuantity,
  isListed: paymentLinks.isListed,
  hasContent: sql<boolean>`${paymentLinks.resourceContent} is not null`,
  fields: FIELDS,
  methods: sql<PaidMethod[] | null>`${paymentLinks.upstream} -> 'methods'`,
  updatedAt: paymentLinks.updatedAt,
};

export type Listing = Pick<
  Link,
  "linkId" | "network" | "amount" | "minAmount" | "maxAmount" | "maxQuantity" | "isListed" | "fields" | "updatedAt"
> & {
  hasContent: boolean;
  description: string;
  payTo: Address;
  /** What the entry sells of an API; null for a link that sells something else. */
  call: { methods: PaidMethod[]; path: string; amount: Usdc } | null;
};

export type ListingFilter = {
  payTo?: Address | undefined;
  network?: NetworkName | undefined;
  /** Each must occur in the description or the URL, ignoring case. */
  words: readonly string[];
  /** The URL of a link, and that of its calls, without its id. */
  urlPrefix: string;
  callPrefix: string;
};

type Receivers = ReturnType<typeof receivers>;

/**
 * A page of the directory: links with the most sales first, older ones before newer ones, and one that sells an API once for each path.
 * `total`: matches on all pages.
 */
export async function listPage(
  db: Queryable,
  receivers: Receivers,
  filter: ListingFilter,
  { offset, limit, now }: { offset: number; limit: number; now: Date },
): Promise<{ rows: Listing[]; total: number }> {
  const matches = matchesOf(db, receivers, filter, now);
  const page = db
    .select({ ...COLUMNS, description: matches.text, payTo: matches.payTo, path: matches.path, price: matches.price })
    .from(matches)
    .innerJoin(paymentLinks, eq(paymentLinks.linkId, matches.linkId))
    .orderBy(desc(matches.sales), asc(matches.number), asc(matches.place))
    .limit(limit)
    .offset(offset);
  const [found, [counted]] = await Promise.all([page, db.select({ total: count() }).from(matches)]);
  const rows = found.map(({ methods, path, price, ...link }): Listing => {
    const amount = price === null ? link.amount : toUsdc(BigInt(price));
    return { ...link, call: methods && path !== null ? { methods, path, amount } : null };
  });
  return { rows, total: counted?.total ?? 0 };
}

function matchesOf(
  db: Queryable,
  receivers: Receivers,
  { payTo, network, words: terms, urlPrefix, callPrefix }: ListingFilter,
  now: Date,
) {
  const ranked = db
    .select()
    .from(linkListings)
    .orderBy(desc(linkListings.sales), asc(linkListings.number))
    .limit(LISTINGS_READ)
    .as("ranked");
  const uses = sql`(select count(*) from (select from ${settlements} s
    where s.purpose = 'link' and s.subject = ${paymentLinks.linkId} and s.state <> 'void' limit ${USES_READ}) u)`;
  const paths = sql`${paymentLinks.upstream} -> 'paths'`;
  // One row for a link without an upstream, and for one that sells every path.
  const entries = sql`jsonb_array_elements(case when jsonb_array_length(${paths}) > 0 then ${paths}
    when ${paymentLinks.upstream} is not null then ${JSON.stringify([{ path: EVERY_PATH }])}::jsonb else '[{}]' end)
    with ordinality e(entry, place)`;
  const sold = db
    .select({
      place: sql<number>`e.place`.as("sold_place"),
      path: sql<string | null>`e.entry ->> 'path'`.as("sold_path"),
      price: sql<string | null>`e.entry ->> 'amount'`.as("sold_price"),
    })
    .from(entries)
    .orderBy(sql`e.place`)
    .limit(PATHS_LISTED)
    .as("sold");
  const url = sql`case when ${sold.path} is null then ${urlPrefix}::text || ${ranked.linkId}
    else ${callPrefix}::text || ${ranked.linkId} || ${sold.path} end`;
  const text = sql`(${ranked.text} || ' ' || ${url})`;
  return db
    .select({
      linkId: ranked.linkId,
      sales: ranked.sales,
      number: ranked.number,
      text: ranked.text,
      payTo: receivers.payTo,
      place: sold.place,
      path: sold.path,
      price: sold.price,
    })
    .from(ranked)
    .innerJoin(paymentLinks, eq(paymentLinks.linkId, ranked.linkId))
    .innerJoin(
      receivers,
      and(
        eq(receivers.agentId, paymentLinks.agentId),
        eq(receivers.ownerId, ranked.ownerId),
        eq(receivers.ownerId, paymentLinks.ownerId),
        eq(receivers.network, paymentLinks.network),
      ),
    )
    .crossJoinLateral(sold)
    .where(
      and(
        ...terms.map((term) => sql`${text} ilike ${`%${term.replace(/[\\%_]/g, "\\$&")}%`}`),
        isOpen(now),
        or(isNull(paymentLinks.maxUses), sql`${paymentLinks.maxUses} > ${uses}`),
        network && eq(paymentLinks.network, network),
        payTo && eq(receivers.payTo, payTo),
      ),
    )
    .as("matches");
}
