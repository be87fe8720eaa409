import { and, asc, eq, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { FileId, OwnerId } from "@/lib/core/ids";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { linkFileChunks, linkFiles, paymentLinks, receivedPayments } from "../tables";
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
  await db.insert(linkFiles).values({ ...row, bytes: 0, sha256: "", unusedSince: row.createdAt });
}

export async function addChunk(db: Queryable, fileId: FileId, place: number, bytes: Buffer): Promise<void> {
  await db.insert(linkFileChunks).values({ fileId, place, bytes });
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

/** Locks files until `tx` ends, always in the same order, so that two links that swap their files cannot deadlock. */
export async function lock(tx: Tx, fileIds: readonly FileId[]): Promise<void> {
  await tx
    .select({ fileId: linkFiles.fileId })
    .from(linkFiles)
    .where(inArray(linkFiles.fileId, [...fileIds]))
    .orderBy(asc(linkFiles.fileId))
    .for("update");
}

/** Marks a complete file of the owner as used; null if there is no such file. */
export async function use(tx: Tx, { fileId, ownerId }: { fileId: FileId; ownerId: OwnerId }): Promise<LinkFile | null> {
  const [row] = await tx
    .update(linkFiles)
    .set({ unusedSince: null })
    .where(and(eq(linkFiles.fileId, fileId), eq(linkFiles.ownerId, ownerId), isNotNull(linkFiles.completedAt)))
    .returning(VIEW);
  return row ?? null;
}

/** `unusedSince` null: the files are kept. */
export async function mark(tx: Tx, fileIds: readonly FileId[], unusedSince: Date | null): Promise<void> {
  if (fileIds.length > 0)
    await tx
      .update(linkFiles)
      .set({ unusedSince })
      .where(inArray(linkFiles.fileId, [...fileIds]));
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

/**
 * Checks up to `limit` files that have been unused since before `cutoff`; returns how many. Deletes those that no link uses and
 * nobody has bought. A file with an open payment is checked again later, because that payment may still settle.
 */
export const forgetUnused = (db: Db, { cutoff, time }: { cutoff: Date; time: Date }, limit: number): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await tx
      .select({ fileId: linkFiles.fileId })
      .from(linkFiles)
      .where(lt(linkFiles.unusedSince, cutoff))
      .orderBy(asc(linkFiles.unusedSince))
      .limit(limit)
      .for("update", { skipLocked: true });
    const fileIds = rows.map(({ fileId }) => fileId);
    if (fileIds.length === 0) return 0;
    // Includes payments that became void after `cutoff`: a reorganisation can reopen them.
    const mayBeSold = sql`s.state <> 'settled' and (s.ended_at is null or s.ended_at >= ${sql.param(cutoff, settlements.endedAt)})`;
    // Checked after the lock, so that no link can take the files: a payment locks its link until its sale is written, so every sale
    // is visible here.
    const judged = await tx
      .select({
        fileId: linkFiles.fileId,
        fate: sql<"kept" | "open" | "unused">`case when ${isOnLink} or ${isIn(IS_SOLD)} then 'kept'
          when ${isIn(mayBeSold)} then 'open' else 'unused' end`,
      })
      .from(linkFiles)
      .where(inArray(linkFiles.fileId, fileIds));
    const those = (verdict: "kept" | "open" | "unused") =>
      judged.filter(({ fate }) => fate === verdict).map(({ fileId }) => fileId);
    await mark(tx, those("kept"), null);
    await mark(tx, those("open"), time);
    await drop(tx, those("unused"));
    return fileIds.length;
  });

const IS_SOLD = sql`s.state = 'settled'`;
const isOnLink = sql`exists (select from ${paymentLinks} l
  where l.file is not null and l.deleted_at is null and l.file ->> 'fileId' = ${linkFiles.fileId})`;

/** Whether a payment that meets `condition` is for the file. */
const isIn = (condition: SQL) =>
  sql`exists (select from ${receivedPayments} r join ${settlements} s on s.id = r.settlement_id
    where r.file is not null and r.file ->> 'fileId' = ${linkFiles.fileId} and ${condition})`;
