import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { linkFiles, linkImages } from "./tables";

/** Serialises the completion of an owner's uploads until `tx` ends. */
export async function lockOwner(tx: Tx, ownerId: OwnerId): Promise<void> {
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
