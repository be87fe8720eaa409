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

/** Locks files until `tx` ends, in an order that is always the same: two links may exchange their files. */
export async function lock(tx: Tx, fileIds: readonly FileId[]): Promise<void> {
  await tx
    .select({ fileId: linkFiles.fileId })
    .from(linkFiles)
    .where(inArray(linkFiles.fileId, [...fileIds]))
    .orderBy(asc(linkFiles.fileId))
    .for("update");
}

/** Keeps a complete file of the owner for a link; null if there is none. */
export async function use(tx: Tx, { fileId, ownerId }: { fileId: FileId; ownerId: OwnerId }): Promise<LinkFile | null> {
  const [row] = await tx
    .update(linkFiles)
    .set({ unusedSince: null })
    .where(and(eq(linkFiles.fileId, fileId), eq(linkFiles.ownerId, ownerId), isNotNull(linkFiles.completedAt)))
    .returning(VIEW);
  return row ?? null;
}

/** Null: they are kept. */
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
 * Judges up to `limit` files that have been unused since before `before`; returns how many. Deletes those that no link has and
 * nobody bought. A payment that is still open may become a sale: its file is judged again later.
 */
export const forgetUnused = (
  db: Db,
  { before: cutoff, at: time }: { before: Date; at: Date },
  limit: number,
): Promise<number> =>
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
    // Only now that no link can get them: a payment holds its link until its sale is written, so each sale is seen here.
    const judged = await tx
      .select({
        fileId: linkFiles.fileId,
        fate: sql<"kept" | "open" | "unused">`case when ${isOnLink} or ${isIn(IS_SOLD)} then 'kept'
          when ${isIn(mayBeSold(cutoff))} then 'open' else 'unused' end`,
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
/** Also one that ended without money after `cutoff`: a reorganisation of the chain can revert its end. */
const mayBeSold = (cutoff: Date) =>
  sql`s.state <> 'settled' and (s.ended_at is null or s.ended_at >= ${sql.param(cutoff, settlements.endedAt)})`;
const isOnLink = sql`exists (select from ${paymentLinks} l
  where l.file is not null and l.deleted_at is null and l.file ->> 'fileId' = ${linkFiles.fileId})`;

/** Whether a payment that `condition` so is for the file. */
const isIn = (condition: SQL) =>
  sql`exists (select from ${receivedPayments} r join ${settlements} s on s.id = r.settlement_id
    where r.file is not null and r.file ->> 'fileId' = ${linkFiles.fileId} and ${condition})`;
