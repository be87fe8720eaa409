import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import { sellerDomains, sellerLogos, sellerProfiles } from "../tables";

export type ProfileRow = Pick<typeof sellerProfiles.$inferSelect, "name" | "support" | "logoId"> & {
  origin: string | null;
};

/** Every checkout runs this: one query by primary key and an index. */
export async function find(db: Queryable, ownerId: OwnerId): Promise<ProfileRow> {
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
export async function dropUnused(db: Queryable, id: string): Promise<void> {
  await db
    .delete(sellerLogos)
    .where(
      and(
        eq(sellerLogos.id, id),
        sql`not exists (select 1 from ${sellerProfiles} where ${sellerProfiles.logoId} = ${sellerLogos.id})`,
      ),
    );
}
