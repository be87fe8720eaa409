import { and, asc, count, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { DomainId, OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { sellerDomains, sellerLogos, sellerProfiles } from "./tables";

export type Domain = typeof sellerDomains.$inferSelect;

const isOwn = (ownerId: OwnerId, id: DomainId) => and(eq(sellerDomains.id, id), eq(sellerDomains.ownerId, ownerId));

/** Oldest first. */
export const list = (db: Queryable, ownerId: OwnerId): Promise<Domain[]> =>
  db
    .select()
    .from(sellerDomains)
    .where(eq(sellerDomains.ownerId, ownerId))
    .orderBy(asc(sellerDomains.createdAt), asc(sellerDomains.id));

export async function find(db: Queryable, ownerId: OwnerId, id: DomainId): Promise<Domain | null> {
  const [row] = await db.select().from(sellerDomains).where(isOwn(ownerId, id));
  return row ?? null;
}

export async function findByOrigin(db: Queryable, ownerId: OwnerId, origin: string): Promise<Domain | null> {
  const [row] = await db
    .select()
    .from(sellerDomains)
    .where(and(eq(sellerDomains.ownerId, ownerId), eq(sellerDomains.origin, origin)));
  return row ?? null;
}

export async function hasVerifiedDomain(db: Queryable, ownerId: OwnerId): Promise<boolean> {
  const isVerified = and(eq(sellerDomains.ownerId, ownerId), isNotNull(sellerDomains.verifiedAt));
  const [row] = await db.select({ id: sellerDomains.id }).from(sellerDomains).where(isVerified).limit(1);
  return row !== undefined;
}

/** Number of the owner's domains. Locks the owner, so that no other domain is added until `tx` ends. */
export async function lockCount(tx: Tx, ownerId: OwnerId): Promise<number> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  const [row] = await tx.select({ count: count() }).from(sellerDomains).where(eq(sellerDomains.ownerId, ownerId));
  return row?.count ?? 0;
}

export async function add(tx: Tx, row: typeof sellerDomains.$inferInsert): Promise<Domain> {
  const [added] = await tx.insert(sellerDomains).values(row).returning();
  if (!added) throw new Error(`${row.id} was not added`);
  return added;
}

/** Null if the domain was removed in the meantime. */
export async function change(
  db: Queryable,
  id: DomainId,
  set: Pick<Domain, "verifiedAt" | "missingSince" | "checkedAt">,
): Promise<Domain | null> {
  const [row] = await db.update(sellerDomains).set(set).where(eq(sellerDomains.id, id)).returning();
  return row ?? null;
}

/** False when the owner has no such domain. */
export async function remove(db: Queryable, ownerId: OwnerId, id: DomainId): Promise<boolean> {
  const removed = await db.delete(sellerDomains).where(isOwn(ownerId, id)).returning({ id: sellerDomains.id });
  return removed.length > 0;
}

/** Proved domains whose last check was at `cutoff` or earlier. */
export const listDue = (db: Queryable, cutoff: Date, limit: number): Promise<Domain[]> =>
  db
    .select()
    .from(sellerDomains)
    .where(and(isNotNull(sellerDomains.verifiedAt), lte(sellerDomains.checkedAt, cutoff)))
    .orderBy(asc(sellerDomains.checkedAt))
    .limit(limit);

export type ProfileRow = Pick<typeof sellerProfiles.$inferSelect, "name" | "support" | "logoId"> & {
  origin: string | null;
};

/** Every checkout runs this: one query by primary key and an index. */
export async function findProfile(db: Queryable, ownerId: OwnerId): Promise<ProfileRow> {
  const oldest = db
    .select({ origin: sellerDomains.origin })
    .from(sellerDomains)
    .where(and(eq(sellerDomains.ownerId, ownerId), isNotNull(sellerDomains.verifiedAt)))
    .orderBy(asc(sellerDomains.createdAt), asc(sellerDomains.id))
    .limit(1);
  const [[profile], [domain]] = await Promise.all([
    db.select().from(sellerProfiles).where(eq(sellerProfiles.ownerId, ownerId)),
    oldest,
  ]);
  const { name = null, support = null, logoId = null } = profile ?? {};
  return { name, support, logoId, origin: domain?.origin ?? null };
}

export async function upsertProfile(
  db: Queryable,
  ownerId: OwnerId,
  set: Partial<Pick<typeof sellerProfiles.$inferSelect, "name" | "support" | "logoId">>,
  time: Date,
): Promise<void> {
  await db
    .insert(sellerProfiles)
    .values({ ownerId, ...set, updatedAt: time })
    .onConflictDoUpdate({ target: sellerProfiles.ownerId, set: { ...set, updatedAt: time } });
}

/** Stores a logo under its hash; owners with the same picture share one row. */
export async function addLogo(db: Queryable, row: typeof sellerLogos.$inferInsert): Promise<void> {
  await db.insert(sellerLogos).values(row).onConflictDoNothing();
}

export async function findLogo(db: Queryable, id: string): Promise<typeof sellerLogos.$inferSelect | null> {
  const [row] = await db.select().from(sellerLogos).where(eq(sellerLogos.id, id));
  return row ?? null;
}

/** Deletes a logo unless a profile still shows it. */
export async function dropUnusedLogo(db: Queryable, id: string): Promise<void> {
  await db
    .delete(sellerLogos)
    .where(
      and(
        eq(sellerLogos.id, id),
        sql`not exists (select 1 from ${sellerProfiles} where ${sellerProfiles.logoId} = ${sellerLogos.id})`,
      ),
    );
}
