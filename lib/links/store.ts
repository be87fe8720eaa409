import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  ilike,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { isAddressLike, type Link, type LinkState, type Uses } from "./rules";
import { paymentLinks, receivedPayments } from "./tables";

export type CountedLink = { link: Link; uses: Uses };
export type LinkChange = Partial<
  Pick<Link, "description" | "resourceContent" | "redirectUrl" | "status" | "expiresAt" | "maxUses" | "deletedAt">
> & { updatedAt: Date };

const isLiving = isNull(paymentLinks.deletedAt);
const isOf = (agentId: AgentId) => and(eq(paymentLinks.agentId, agentId), isLiving);

const OPEN = sql`('claimed', 'prepared', 'broadcast')`;
const settledUses = sql<number>`count(*) filter (where ${settlements.state} = 'settled')`.mapWith(Number);
const openUses = sql<number>`count(*) filter (where ${settlements.state} in ${OPEN})`.mapWith(Number);

export async function add(db: Queryable, row: typeof paymentLinks.$inferInsert): Promise<Link> {
  const [link] = await db.insert(paymentLinks).values(row).returning();
  if (!link) throw new Error("an inserted link came back empty");
  return link;
}

export async function find(db: Queryable, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving));
  return row ?? null;
}

/** The agent's link, kept from changing, and from being paid, for the rest of `tx`. */
export async function lockOwn(tx: Tx, agentId: AgentId, linkId: LinkId): Promise<Link | null> {
  const [row] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isOf(agentId)))
    .for("update");
  return row ?? null;
}

export async function lock(tx: Tx, linkId: LinkId): Promise<Link | null> {
  const [row] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving))
    .for("update");
  return row ?? null;
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

/** Newest first. */
export const listOwn = (
  db: Queryable,
  agentId: AgentId,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Link[]> =>
  db
    .select()
    .from(paymentLinks)
    .where(and(isOf(agentId), before === undefined ? undefined : lt(paymentLinks.id, before)))
    .orderBy(desc(paymentLinks.id))
    .limit(limit);

/** How often each link was paid, or is being paid, not counting the settlement `except`. */
export async function usesOf(
  db: Queryable,
  linkIds: readonly LinkId[],
  except?: SettlementId,
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
              except && ne(settlements.id, except),
            ),
          )
          .groupBy(settlements.subject);
  const byId = new Map<string, Uses>(rows.map(({ linkId, ...uses }) => [linkId, uses]));
  return (linkId) => byId.get(linkId) ?? { settled: 0, open: 0 };
}

// What an owner sees

export type LinkOrder = { by: "created" | "price" | "paid" | "name"; isAscending: boolean };
/** Where a link stands in an order: what it is ordered by, as text, and its `id`, which no other has. */
export type LinkPlace = { key: string; id: number };
export type FoundLink = { link: Link; agentName: string };

export type LinkFilter = {
  ownerId: OwnerId;
  agentId?: AgentId | undefined;
  /** `networks`: those on which the owner's own wallet matches the text. */
  search?: { text: string; networks: readonly NetworkName[] } | undefined;
  now: Date;
};

/** The owner's link, if it and its agent still are. */
export async function findForOwner(db: Queryable, ownerId: OwnerId, linkId: LinkId): Promise<FoundLink | null> {
  const [row] = await db
    .select({ link: paymentLinks, agentName: agents.name })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(and(isOfOwner(ownerId), eq(paymentLinks.linkId, linkId)));
  return row ?? null;
}

export async function listOfOwner(
  db: Queryable,
  filter: LinkFilter,
  {
    state,
    order,
    after,
    limit,
  }: { state?: LinkState | undefined; order: LinkOrder; after?: LinkPlace | undefined; limit: number },
): Promise<(FoundLink & { place: LinkPlace })[]> {
  const { key, type } = KEYS[order.by];
  const way = order.isAscending ? asc : desc;
  const beyond = order.isAscending ? sql`>` : sql`<`;
  const rows = await db
    .select({ link: paymentLinks, agentName: agents.name, key: sql<string>`(${key})::text` })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(
      and(
        matches(filter),
        state && sql`${stateAt(filter.now)} = ${state}`,
        after && sql`(${key}, ${paymentLinks.id}) ${beyond} (${after.key}::${type}, ${after.id}::bigint)`,
      ),
    )
    .orderBy(way(key), way(paymentLinks.id))
    .limit(limit);
  return rows.map(({ key: at, ...found }) => ({ ...found, place: { key: at, id: found.link.id } }));
}

export async function countStates(db: Queryable, filter: LinkFilter): Promise<Record<LinkState, number>> {
  const state = stateAt(filter.now).as("state");
  const links = db
    .select({ state })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(matches(filter))
    .as("links");
  const rows = await db.select({ state: links.state, links: count() }).from(links).groupBy(links.state);
  const counts = { active: 0, disabled: 0, expired: 0, sold_out: 0 };
  for (const row of rows) counts[row.state] = row.links;
  return counts;
}

const isOfOwner = (ownerId: OwnerId) => and(eq(agents.ownerId, ownerId), isNull(agents.deletedAt), isLiving);

const matches = ({ ownerId, agentId, search }: LinkFilter): SQL | undefined =>
  and(isOfOwner(ownerId), agentId && eq(paymentLinks.agentId, agentId), search && mentions(search));

function mentions({ text, networks }: NonNullable<LinkFilter["search"]>): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(
    ilike(paymentLinks.description, pattern),
    ilike(agents.name, pattern),
    // Every short text is in some random id.
    text.length >= ID_PART_MIN ? ilike(paymentLinks.linkId, pattern) : undefined,
    isAddressLike(text) ? ilike(agents.receivingAddress, pattern) : undefined,
    networks.length > 0
      ? and(isNull(agents.receivingAddress), inArray(paymentLinks.network, [...networks]))
      : undefined,
  );
}

const ID_PART_MIN = 4;

const usesThat = (are: SQL) =>
  sql`(select count(*) from ${settlements} where ${settlements.purpose} = 'link' and ${settlements.subject} = ${paymentLinks.linkId} and ${are})`;

/** What `unavailable` in rules.ts says, for finding and counting. Uses are counted only where there is a limit to reach. */
const stateAt = (now: Date) => sql<LinkState>`case
  when ${paymentLinks.status} = 'disabled' then 'disabled'
  when ${paymentLinks.expiresAt} <= ${sql.param(now, paymentLinks.expiresAt)} then 'expired'
  when ${paymentLinks.maxUses} is not null
    and ${paymentLinks.maxUses} <= ${usesThat(sql`${settlements.state} <> 'failed'`)} then 'sold_out'
  else 'active' end`;

const KEYS = {
  created: { key: sql`${paymentLinks.id}`, type: sql`bigint` },
  price: { key: sql`${paymentLinks.amount}`, type: sql`numeric` },
  paid: { key: usesThat(sql`${settlements.state} = 'settled'`), type: sql`bigint` },
  // As much of it as fits the address of the next page.
  name: { key: sql`lower(left(ltrim(${paymentLinks.description}), 60))`, type: sql`text` },
} as const satisfies Record<LinkOrder["by"], { key: SQL; type: SQL }>;

// What was received

/** Whoever is paid knows what they sold; it would only weigh on their lists. */
const { content: _, ...listed } = getTableColumns(receivedPayments);

export type Received = {
  received: Omit<typeof receivedPayments.$inferSelect, "content">;
  settlement: typeof settlements.$inferSelect;
};

export async function addReceived(tx: Tx, row: typeof receivedPayments.$inferInsert): Promise<void> {
  await tx.insert(receivedPayments).values(row);
}

export type ReceivedPage = { before?: number | undefined; offset?: number | undefined; limit: number };

/** Newest first: what the agent was paid, at all of its addresses or at one link. */
export const listReceived = (
  db: Queryable,
  agentId: AgentId,
  { linkId, before, offset, limit }: ReceivedPage & { linkId?: LinkId | undefined },
): Promise<Received[]> =>
  db
    .select({ received: listed, settlement: settlements })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(
      and(
        eq(receivedPayments.agentId, agentId),
        linkId && eq(receivedPayments.linkId, linkId),
        before === undefined ? undefined : lt(receivedPayments.id, before),
      ),
    )
    .orderBy(desc(receivedPayments.id))
    .limit(limit)
    .offset(offset ?? 0);

export async function findReceived(db: Queryable, agentId: AgentId, id: number): Promise<Received | null> {
  const [row] = await db
    .select({ received: listed, settlement: settlements })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(eq(receivedPayments.id, id), eq(receivedPayments.agentId, agentId)));
  return row ?? null;
}

/** What was sold at a link; null when the settlement paid none. A link that was changed or deleted since makes no difference. */
export async function findSold(db: Queryable, settlementId: SettlementId): Promise<{ content: string | null } | null> {
  const [row] = await db
    .select({ content: receivedPayments.content })
    .from(receivedPayments)
    .where(and(eq(receivedPayments.settlementId, settlementId), eq(receivedPayments.source, "payment_link")));
  return row ?? null;
}
