import { and, asc, eq, inArray, isNull, lt, ne, notExists, sql } from "drizzle-orm";
import type { ImageId, LinkId, OwnerId } from "@/lib/core/ids";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { linkImages, paymentLinks } from "../tables";
import type { LinkImage } from "./image";

const VIEW = {
  imageId: linkImages.imageId,
  type: linkImages.type,
  width: linkImages.width,
  height: linkImages.height,
  bytes: linkImages.bytes,
};

export async function add(tx: Tx, row: typeof linkImages.$inferInsert): Promise<void> {
  await tx.insert(linkImages).values(row);
}

export type ImageData = Pick<typeof linkImages.$inferSelect, "type" | "data">;

export async function find(db: Queryable, imageId: ImageId): Promise<ImageData | null> {
  const [row] = await db
    .select({ type: linkImages.type, data: linkImages.data })
    .from(linkImages)
    .where(eq(linkImages.imageId, imageId));
  return row ?? null;
}

/** Locks images until `tx` ends, always in the same order, so that two links that swap their images cannot deadlock. */
export async function lock(tx: Tx, imageIds: readonly ImageId[]): Promise<void> {
  await tx
    .select({ imageId: linkImages.imageId })
    .from(linkImages)
    .where(inArray(linkImages.imageId, [...imageIds]))
    .orderBy(asc(linkImages.imageId))
    .for("update");
}

/** Marks an image of the owner as used; null if there is no such image. */
export async function use(tx: Tx, imageId: ImageId, ownerId: OwnerId): Promise<LinkImage | null> {
  const [row] = await tx
    .update(linkImages)
    .set({ unusedSince: null })
    .where(and(eq(linkImages.imageId, imageId), eq(linkImages.ownerId, ownerId)))
    .returning(VIEW);
  return row ?? null;
}

/** Deletes a locked image unless a link other than `except` has it. The lock keeps other links from taking it meanwhile. */
export async function dropUnlessUsed(tx: Tx, imageId: ImageId, except: LinkId): Promise<void> {
  const otherLinks = tx
    .select({ one: sql`1` })
    .from(paymentLinks)
    .where(
      and(
        sql`${paymentLinks.image} is not null and ${paymentLinks.image} ->> 'imageId' = ${imageId}`,
        isNull(paymentLinks.deletedAt),
        ne(paymentLinks.linkId, except),
      ),
    );
  await tx.delete(linkImages).where(and(eq(linkImages.imageId, imageId), notExists(otherLinks)));
}

/** Deletes up to `limit` images that have been unused since before `cutoff`; returns how many. */
export const forgetUnused = (db: Db, cutoff: Date, limit: number): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await tx
      .select({ imageId: linkImages.imageId })
      .from(linkImages)
      .where(lt(linkImages.unusedSince, cutoff))
      .orderBy(asc(linkImages.unusedSince))
      .limit(limit)
      .for("update", { skipLocked: true });
    const imageIds = rows.map(({ imageId }) => imageId);
    if (imageIds.length > 0) await tx.delete(linkImages).where(inArray(linkImages.imageId, imageIds));
    return imageIds.length;
  });
