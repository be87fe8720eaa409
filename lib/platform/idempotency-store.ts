import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "./db";
import { idempotentRequests } from "./tables";

export type IdempotentRequest = typeof idempotentRequests.$inferSelect;
export type RequestKey = Pick<IdempotentRequest, "scope" | "keyHash">;
export type StoredResponse = { status: number; headers: Record<string, string>; sealedBody: string };

const hasKey = ({ scope, keyHash }: RequestKey) =>
  and(eq(idempotentRequests.scope, scope), eq(idempotentRequests.keyHash, keyHash));

/** Claims a key that is unused or whose row is older than `forgetBefore`. False when the key is in use. */
export async function begin(
  db: Db,
  request: Pick<IdempotentRequest, "scope" | "keyHash" | "requestHash" | "createdAt">,
  forgetBefore: Date,
): Promise<boolean> {
  const rows = await db
    .insert(idempotentRequests)
    .values(request)
    .onConflictDoUpdate({
      target: [idempotentRequests.scope, idempotentRequests.keyHash],
      set: { ...request, status: null, headers: null, sealedBody: null },
      setWhere: lt(idempotentRequests.createdAt, forgetBefore),
    })
    .returning({ scope: idempotentRequests.scope });
  return rows.length === 1;
}

export async function find(db: Db, key: RequestKey): Promise<IdempotentRequest | null> {
  const [row] = await db.select().from(idempotentRequests).where(hasKey(key));
  return row ?? null;
}

export async function finish(db: Db, key: RequestKey, response: StoredResponse): Promise<void> {
  await db.update(idempotentRequests).set(response).where(hasKey(key));
}

export async function forget(db: Db, key: RequestKey): Promise<void> {
  await db.delete(idempotentRequests).where(hasKey(key));
}

/** Deletes up to `limit` rows from before `time`; returns how many. */
export async function forgetBefore(db: Db, time: Date, limit: number): Promise<number> {
  const { scope, keyHash, createdAt } = idempotentRequests;
  const old = db.select({ scope, keyHash }).from(idempotentRequests).where(lt(createdAt, time)).limit(limit);
  const { rowCount } = await db
    .delete(idempotentRequests)
    .where(and(sql`(${scope}, ${keyHash}) in ${old}`, lt(createdAt, time)));
  return rowCount ?? 0;
}
