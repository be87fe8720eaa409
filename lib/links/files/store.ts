import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { FileId, OwnerId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { linkFileChunks, linkFiles } from "../tables";
import type { LinkFile } from "./rules";

const VIEW = {
  fileId: linkFiles.fileId,
  name: linkFiles.name,
  bytes: linkFiles.bytes,
  sha256: linkFiles.sha256,
};

export async function begin(
  db: Queryable,
  row: { fileId: FileId; ownerId: OwnerId; name: string; createdAt: Date },
): Promise<void> {
  await db.insert(linkFiles).values({ ...row, bytes: 0, sha256: "" });
}

export async function addChunk(db: Queryable, fileId: FileId, place: number, bytes: Buffer): Promise<void> {
  await db.insert(linkFileChunks).values({ fileId, place, bytes });
}

/** Until the end of `tx`, no other upload of the owner is completed. */
export async function lockOwner(tx: Tx, ownerId: OwnerId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`link_files.${ownerId}`}, 0))`);
}

/** The size of all complete files of the owner. */
export async function storedBytes(db: Queryable, ownerId: OwnerId): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${linkFiles.bytes}), 0)` })
    .from(linkFiles)
    .where(and(eq(linkFiles.ownerId, ownerId), isNotNull(linkFiles.completedAt)));
  return Number(row?.bytes ?? 0);
}

export async function complete(
  tx: Tx,
  fileId: FileId,
  set: { bytes: number; sha256: string; completedAt: Date },
): Promise<LinkFile> {
  const [row] = await tx.update(linkFiles).set(set).where(eq(linkFiles.fileId, fileId)).returning(VIEW);
  if (!row) throw new Error(`${fileId} vanished`);
  return row;
}

/** Marks a complete file of the owner as used, which keeps it; null if there is none. */
export async function use(
  tx: Tx,
  { fileId, ownerId }: { fileId: FileId; ownerId: OwnerId },
  at: Date,
): Promise<LinkFile | null> {
  const [row] = await tx
    .update(linkFiles)
    .set({ usedAt: sql`coalesce(${linkFiles.usedAt}, ${sql.param(at, linkFiles.usedAt)})` })
    .where(and(eq(linkFiles.fileId, fileId), eq(linkFiles.ownerId, ownerId), isNotNull(linkFiles.completedAt)))
    .returning(VIEW);
  return row ?? null;
}

export async function find(db: Queryable, fileId: FileId): Promise<LinkFile | null> {
  const [row] = await db
    .select(VIEW)
    .from(linkFiles)
    .where(and(eq(linkFiles.fileId, fileId), isNotNull(linkFiles.completedAt)));
  return row ?? null;
}

export async function chunk(db: Queryable, fileId: FileId, place: number): Promise<Buffer | null> {
  const [row] = await db
    .select({ bytes: linkFileChunks.bytes })
    .from(linkFileChunks)
    .where(and(eq(linkFileChunks.fileId, fileId), eq(linkFileChunks.place, place)));
  return row?.bytes ?? null;
}

export async function drop(db: Queryable, fileIds: readonly FileId[]): Promise<void> {
  if (fileIds.length > 0) await db.delete(linkFiles).where(inArray(linkFiles.fileId, [...fileIds]));
}

/** Deletes up to `limit` files that were begun before `before` and that no link ever had; returns how many. */
export async function forgetUnused(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ fileId: linkFiles.fileId })
    .from(linkFiles)
    .where(and(isNull(linkFiles.usedAt), lt(linkFiles.createdAt, before)))
    .orderBy(asc(linkFiles.createdAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const dropped = await db
    .delete(linkFiles)
    .where(inArray(linkFiles.fileId, old))
    .returning({ fileId: linkFiles.fileId });
  return dropped.length;
}
