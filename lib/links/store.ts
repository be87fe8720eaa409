import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AgentId, LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import { inOrder } from "@/lib/platform/batch";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
import { settlements, UNENDED_LIST } from "@/lib/settlements/tables";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import type { Link, LinkState, Uses } from "./rules";
import { linkFiles, linkImages, paymentLinks } from "./tables";
import type { LinkText } from "./texts";

export type LinkChange = Partial<
  Pick<
    Link,
    | LinkText
    | "description"
    | "resourceContent"
    | "file"
    | "image"
    | "redirectUrl"
    | "cancelUrl"
    | "status"
    | "expiresAt"
    | "maxUses"
    | "isListed"
    | "isRepeatable"
    | "upstream"
    | "sealedUpstreamHeaders"
    | "deletedAt"
  >
> & { updatedAt: Date };

/** Omits long columns that no list shows. */
const {
  resourceContent: _content,
  metadata: _metadata,
  fields: _fields,
  sealedUpstreamHeaders: _headers,
  ...LIST_COLUMNS
} = getTableColumns(paymentLinks);
export type ListedLink = Omit<Link, "resourceContent" | "metadata" | "fields" | "sealedUpstreamHeaders">;

const isLiving = isNull(paymentLinks.deletedAt);
/** Links of invoices are listed with their invoices. */
const isNoInvoice = isNull(paymentLinks.invoiceId);
const isOf = (agentId: AgentId) => and(eq(paymentLinks.agentId, agentId), isLiving);

const settledUses = sql<number>`count(*) filter (where ${settlements.state} = 'settled')`.mapWith(Number);
const openUses = sql<number>`count(*) filter (where ${settlements.state} in ${UNENDED_LIST})`.mapWith(Number);

export async function add(db: Queryable, row: typeof paymentLinks.$inferInsert): Promise<Link> {
  const [link] = await db.insert(paymentLinks).values(row).returning();
  if (!link) throw new Error("an inserted link came back empty");
  return link;
}

/** Returns a function that finds undeleted links, in the order of the ids; null for the others. */
export function finder(db: Db) {
  const query = db
    .select()
    .from(paymentLinks)
    .where(and(isAmong(paymentLinks.linkId, "ids"), isLiving))
    .prepare("links_by_id");
  return async (ids: readonly LinkId[]): Promise<(Link | null)[]> => {
    const rows = await query.execute({ ids: [...new Set(ids)] });
    return inOrder(ids, rows, ({ linkId }) => linkId);
  };
}

export async function find(db: Queryable, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving));
  return row ?? null;
}

/** Also a deleted link. */
export async function findEver(db: Queryable, linkId: LinkId): Promise<Link | null> {
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.linkId, linkId));
  return row ?? null;
}

/** The lock of a link, which its payments share. PostgreSQL queues who asks for it: no change waits for payments that came later. */
const lockOf = (linkId: LinkId) => sql`hashtextextended(${`payment_links.${linkId}`}, 0)`;

/** Locks the agent's link until `tx` ends, which also blocks new payments of it. Strangers lock nothing. */
export async function lockOwn(tx: Tx, agentId: AgentId, linkId: LinkId): Promise<Link | null> {
  const isOwn = and(eq(paymentLinks.linkId, linkId), isOf(agentId));
  await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(linkId)}) from ${paymentLinks} where ${isOwn}`);
  const [row] = await tx.select().from(paymentLinks).where(isOwn).for("update");
  return row ?? null;
}

/** Keeps a link as it is until `tx` ends. Payments wait for each other only where they share a number of uses. */
export async function lockForPayment(tx: Tx, linkId: LinkId): Promise<Link | null> {
  // A statement of its own: the one that waits for this lock would not see what it waited for.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${lockOf(linkId)})`);
  const link = await find(tx, linkId);
  if (!link || link.maxUses === null) return link;
  const [counted] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving))
    .for("update");
  return counted ?? null;
}

export async function findOwn(db: Queryable, agentId: AgentId, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isOf(agentId)));
  return row ?? null;
}

export async function change(tx: Tx, linkId: LinkId, set: LinkChange): Promise<Link> {
  const [row] = await tx.update(paymentLinks).set(set).where(eq(paymentLinks.linkId, linkId)).returning();
  if (!row) throw new Error("a locked link is gone");
  return row;
}

/** A page ends early when its links exceed this size: one link can have several hundred thousand bytes. */
const PAGE_BYTES_MAX = 1_048_576;

/** Newest first, with all columns. `next`: the `before` of the next page. */
export async function listOwn(
  db: Queryable,
  agentId: AgentId,
  { before: cursor, limit }: { before?: number | undefined; limit: number },
): Promise<{ links: Link[]; next: number | null }> {
  const bytes = sql<number>`coalesce(octet_length(${paymentLinks.resourceContent}), 0)
    + pg_column_size(${paymentLinks.description}) + coalesce(pg_column_size(${paymentLinks.metadata}), 0)
    + coalesce(pg_column_size(${paymentLinks.upstream}), 0)`.mapWith(Number);
  const sized = await db
    .select({ id: paymentLinks.id, bytes })
    .from(paymentLinks)
    .where(and(isOf(agentId), isNoInvoice, cursor === undefined ? undefined : lt(paymentLinks.id, cursor)))
    .orderBy(desc(paymentLinks.id))
    .limit(limit + 1);
  const ids = idsWithin(sized.slice(0, limit));
  const links =
    ids.length === 0
      ? []
      : await db.select().from(paymentLinks).where(inArray(paymentLinks.id, ids)).orderBy(desc(paymentLinks.id));
  return { links, next: sized.length > ids.length ? (ids.at(-1) ?? null) : null };
}

/** The leading ids of `sized` that fit into a page; always at least one. */
function idsWithin(sized: readonly { id: number; bytes: number }[]): number[] {
  let sum = 0;
  const end = sized.findIndex(({ bytes }, index) => {
    sum += bytes;
    return index > 0 && sum > PAGE_BYTES_MAX;
  });
  return sized.slice(0, end === -1 ? sized.length : end).map(({ id }) => id);
}

/** Uses of each link, without the settlements `except`. */
export async function usesOf(
  db: Queryable,
  linkIds: readonly LinkId[],
  except: readonly SettlementId[] = [],
): Promise<(linkId: LinkId) => Uses> {
  const rows =
    linkIds.length === 0
      ? []
      : await db
          .select({ linkId: settlements.subject, settled: settledUses, open: openUses })
          .from(settlements)
          .where(
            and(
              eq(settlements.purpose, "link"),
              inArray(settlements.subject, [...linkIds]),
              except.length > 0 ? notInArray(settlements.id, [...except]) : undefined,
            ),
          )
          .groupBy(settlements.subject);
  const byId = new Map<string, Uses>(rows.map(({ linkId, ...uses }) => [linkId, uses]));
  return (linkId) => byId.get(linkId) ?? { settled: 0, open: 0 };
}

/** Whether one of the agents has a link. Reads at most one index row per agent, however many links there are. */
export async function hasAny(db: Queryable, agentIds: readonly AgentId[]): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`
    select exists (select from unnest(${sql.param([...agentIds])}::uuid[]) as a(id), lateral (
      select 1 from ${paymentLinks} where ${paymentLinks.agentId} = a.id order by ${paymentLinks.id} desc limit 1) l) as has`);
  return rows[0]?.has ?? false;
}

/** Serialises the completion of an owner's uploads until `tx` ends. */
export async function lockUploads(tx: Tx, ownerId: OwnerId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`link_files.${ownerId}`}, 0))`);
}

/** The size of all complete files and all images of the owner. */
export async function storedBytes(db: Queryable, ownerId: OwnerId): Promise<number> {
  const files = db
    .select({ bytes: sql<string>`coalesce(sum(${linkFiles.bytes}), 0)` })
    .from(linkFiles)
    .where(and(eq(linkFiles.ownerId, ownerId), isNotNull(linkFiles.completedAt)));
  const images = db
    .select({ bytes: sql<string>`coalesce(sum(${linkImages.bytes}), 0)` })
    .from(linkImages)
    .where(eq(linkImages.ownerId, ownerId));
  const rows = await files.unionAll(images);
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

export type LinkOrder = { by: "created" | "price" | "paid" | "name"; isAscending: boolean };
/** The cursor of a sorted list: the sort key as text, and the unique `id`. */
export type LinkCursor = { key: string; id: number };

export type LinkFilter = {
  /** Agent ids rather than the owner, so that the query plan never reads other owners' links. */
  agentIds: readonly AgentId[];
  /** `agentsOn`: agents whose name or address on that network matches the text. */
  search?: { text: string; agentsOn: Record<NetworkName, readonly AgentId[]> } | undefined;
  now: Date;
};

export async function listOf(
  db: Queryable,
  filter: LinkFilter,
  {
    state,
    order,
    after: cursor,
    limit,
  }: { state?: LinkState | undefined; order: LinkOrder; after?: LinkCursor | undefined; limit: number },
): Promise<{ link: ListedLink; place: LinkCursor }[]> {
  const { key, type } = KEYS[order.by];
  const sortBy = order.isAscending ? asc : desc;
  const beyond = order.isAscending ? sql`>` : sql`<`;
  const rows = await db
    .select({ ...LIST_COLUMNS, key: sql<string>`(${key})::text` })
    .from(paymentLinks)
    .where(
      and(
        matches(filter),
        state && sql`${stateAt(filter.now)} = ${state}`,
        cursor && sql`(${key}, ${paymentLinks.id}) ${beyond} (${cursor.key}::${type}, ${cursor.id}::bigint)`,
      ),
    )
    .orderBy(sortBy(key), sortBy(paymentLinks.id))
    .limit(limit);
  return rows.map(({ key: sortKey, ...link }) => ({ link, place: { key: sortKey, id: link.id } }));
}

export async function countStates(db: Queryable, filter: LinkFilter): Promise<Record<LinkState, number>> {
  const links = db
    .select({ state: stateAt(filter.now).as("state") })
    .from(paymentLinks)
    .where(matches(filter))
    .as("links");
  const rows = await db.select({ state: links.state, links: count() }).from(links).groupBy(links.state);
  const counts = { active: 0, disabled: 0, expired: 0, sold_out: 0 };
  for (const row of rows) counts[row.state] = row.links;
  return counts;
}

const matches = ({ agentIds, search }: LinkFilter): SQL | undefined =>
  and(inArray(paymentLinks.agentId, [...agentIds]), isLiving, isNoInvoice, search && mentions(search));

function mentions({ text, agentsOn }: NonNullable<LinkFilter["search"]>): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(
    ilike(paymentLinks.description, pattern),
    ilike(paymentLinks.title, pattern),
    ilike(paymentLinks.reference, pattern),
    // A shorter text would match random ids.
    text.length >= ID_PART_MIN ? ilike(paymentLinks.linkId, pattern) : undefined,
    ...NETWORK_NAMES.map((network) =>
      and(eq(paymentLinks.network, network), inArray(paymentLinks.agentId, [...agentsOn[network]])),
    ),
  );
}

const ID_PART_MIN = 4;

const usesThat = (condition: SQL) =>
  sql`(select count(*) from ${settlements} s where s.purpose = 'link' and s.subject = payment_links.link_id and ${condition})`;

/** `stateOf` of rules.ts in SQL; keep both in agreement. Counts uses only for links with a limit. */
const stateAt = (now: Date) => sql<LinkState>`case
  when ${paymentLinks.status} = 'disabled' then 'disabled'
  when ${paymentLinks.expiresAt} <= ${sql.param(now, paymentLinks.expiresAt)} then 'expired'
  when ${paymentLinks.maxUses} is not null
    and ${paymentLinks.maxUses} <= ${usesThat(sql`s.state <> 'void'`)} then 'sold_out'
  else 'active' end`;

const KEYS = {
  // `+ 0` keeps PostgreSQL off the index on ids, which would scan the links of all owners.
  created: { key: sql`${paymentLinks.id} + 0`, type: sql`bigint` },
  price: { key: sql`${paymentLinks.amount}`, type: sql`numeric` },
  paid: { key: usesThat(sql`s.state = 'settled'`), type: sql`bigint` },
  // Truncated, because it becomes part of the next page's URL.
  name: { key: sql`lower(left(ltrim(${paymentLinks.description}), 60))`, type: sql`text` },
} as const satisfies Record<LinkOrder["by"], { key: SQL; type: SQL }>;
