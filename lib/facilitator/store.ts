import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, min, ne, or, sql } from "drizzle-orm";
import type { FacilitatorKeyId, OwnerId, SettlementId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import { owners } from "@/lib/owners/tables";
import { inOrder } from "@/lib/platform/batch";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
import { OPEN, settlements } from "@/lib/settlements/tables";
import { facilitatorKeys, facilitatorPayments, facilitatorUsage, facilitatorVerifications } from "./tables";

export type Key = typeof facilitatorKeys.$inferSelect;
export type KeyChange = Partial<Pick<Key, "name" | "requestsPerMinute" | "settlementsPerDay" | "revokedAt">>;
type Payment = typeof facilitatorPayments.$inferSelect;

/** Oldest first, including revoked keys. */
export const listKeys = (db: Queryable, ownerId: OwnerId): Promise<Key[]> =>
  db
    .select()
    .from(facilitatorKeys)
    .where(eq(facilitatorKeys.ownerId, ownerId))
    .orderBy(asc(facilitatorKeys.createdAt), asc(facilitatorKeys.id));

export async function lockOwnKey(tx: Tx, ownerId: OwnerId, id: FacilitatorKeyId): Promise<Key | null> {
  const [row] = await tx
    .select()
    .from(facilitatorKeys)
    .where(and(eq(facilitatorKeys.id, id), eq(facilitatorKeys.ownerId, ownerId)))
    .for("no key update");
  return row ?? null;
}

/** Number of the owner's keys that are not revoked. Blocks concurrent additions until `tx` ends. */
export async function lockCount(tx: Tx, ownerId: OwnerId): Promise<number> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  const [row] = await tx
    .select({ count: count() })
    .from(facilitatorKeys)
    .where(and(eq(facilitatorKeys.ownerId, ownerId), isNull(facilitatorKeys.revokedAt)));
  return row?.count ?? 0;
}

export async function addKey(tx: Tx, row: typeof facilitatorKeys.$inferInsert): Promise<Key> {
  const [added] = await tx.insert(facilitatorKeys).values(row).returning();
  if (!added) throw new Error(`${row.id} was not added`);
  return added;
}

export async function changeKey(tx: Tx, id: FacilitatorKeyId, set: KeyChange): Promise<Key> {
  const [changed] = await tx.update(facilitatorKeys).set(set).where(eq(facilitatorKeys.id, id)).returning();
  if (!changed) throw new Error(`${id} was not locked`);
  return changed;
}

/** Prepares a lookup of keys by the hashes of their secrets, in the order of the hashes; null for unknown and revoked keys. */
export function keyFinder(db: Db) {
  const query = db
    .select()
    .from(facilitatorKeys)
    .where(and(isAmong(facilitatorKeys.secretHash, "hashes"), isNull(facilitatorKeys.revokedAt)))
    .prepare("facilitator_keys_by_hash");
  return async (hashes: readonly string[]): Promise<(Key | null)[]> => {
    const rows = await query.execute({ hashes: [...new Set(hashes)] });
    return inOrder(hashes, rows, ({ secretHash }) => secretHash);
  };
}

const ACCURACY_SECONDS = 60;

/** Writes at most once a minute. */
export async function noteUse(db: Queryable, { id, lastUsedAt }: Key, time: Date): Promise<void> {
  const cutoff = addSeconds(time, -ACCURACY_SECONDS);
  if (lastUsedAt && lastUsedAt > cutoff) return;
  await db
    .update(facilitatorKeys)
    .set({ lastUsedAt: time })
    .where(
      and(eq(facilitatorKeys.id, id), or(isNull(facilitatorKeys.lastUsedAt), lt(facilitatorKeys.lastUsedAt, cutoff))),
    );
}

export type Usage = { keyId: FacilitatorKeyId; max: number; windowSeconds: number };

/** Counts one request. Returns null, or the seconds until the window ends when `max` is reached. Exact across processes. */
export async function countRequest(
  db: Queryable,
  { keyId, max, windowSeconds }: Usage,
  time: Date,
): Promise<number | null> {
  const u = facilitatorUsage;
  const isOver = sql`${u.startedAt} <= ${addSeconds(time, -windowSeconds).toISOString()}::timestamptz`;
  const countedRows = await db
    .insert(u)
    .values({ keyId, startedAt: time, count: 1 })
    .onConflictDoUpdate({
      target: u.keyId,
      set: {
        count: sql`case when ${isOver} then 1 else ${u.count} + 1 end`,
        startedAt: sql`case when ${isOver} then excluded.started_at else ${u.startedAt} end`,
      },
      setWhere: sql`${isOver} or ${u.count} < ${max}`,
    })
    .returning({ count: u.count });
  if (countedRows.length > 0) return null;
  const [row] = await db.select({ startedAt: u.startedAt }).from(u).where(eq(u.keyId, keyId));
  const end = addSeconds(row?.startedAt ?? time, windowSeconds);
  return Math.max(1, Math.ceil((end.getTime() - time.getTime()) / 1000));
}

/** Serialises the claims of a key until `tx` ends, so that each one is counted before the next. */
export async function lockKey(tx: Tx, id: FacilitatorKeyId): Promise<void> {
  await tx
    .select({ id: facilitatorKeys.id })
    .from(facilitatorKeys)
    .where(eq(facilitatorKeys.id, id))
    .for("no key update");
}

/** `count`: at most `max`. `oldest`: creation of the first counted settlement. `isAnyOpen`: a counted one may still end uncounted. */
export type Used = { count: number; oldest: Date | null; isAnyOpen: boolean };

/**
 * Counts the key's newest settlements after `since`. A settlement that failed before a transaction was made for it does not
 * count: otherwise a buyer could exhaust the limit with many proofs of the same money.
 */
export async function readUsed(
  db: Queryable,
  keyId: FacilitatorKeyId,
  { max, since, except }: { max: number; since: Date; except?: SettlementId | undefined },
): Promise<Used> {
  const s = settlements;
  const isFree = sql`${s.state} in ('declined', 'void') and ${s.relayerNonce} is null and ${s.attempts} = 0`;
  const used = db
    .select({ createdAt: s.createdAt, isOpen: sql<boolean>`${inArray(s.state, [...OPEN])}`.as("is_open") })
    .from(s)
    .where(
      and(
        eq(s.purpose, "facilitator"),
        eq(s.subject, keyId),
        gt(s.createdAt, since),
        sql`not (${isFree})`,
        except && ne(s.id, except),
      ),
    )
    .orderBy(desc(s.createdAt))
    .limit(max)
    .as("used");
  const [row] = await db
    .select({
      count: count(),
      oldest: min(used.createdAt),
      isAnyOpen: sql<boolean>`coalesce(bool_or(${used.isOpen}), false)`,
    })
    .from(used);
  return row ?? { count: 0, oldest: null, isAnyOpen: false };
}

export async function addPayment(tx: Tx, row: Omit<Payment, "answeredAt">): Promise<void> {
  await tx.insert(facilitatorPayments).values(row);
}

export async function findPayment(db: Queryable, settlementId: SettlementId): Promise<Payment | null> {
  const [row] = await db.select().from(facilitatorPayments).where(eq(facilitatorPayments.settlementId, settlementId));
  return row ?? null;
}

/** Identifies a proof among those presented with one key. */
export type ProofKey = Omit<typeof facilitatorVerifications.$inferSelect, "waiting" | "readTo" | "expiresAt">;

/** Counts one /verify that reported the proof as valid. Deletes expired rows. */
export async function addVerification(
  db: Queryable,
  row: ProofKey & { readTo: bigint | null; expiresAt: Date },
  now: Date,
): Promise<void> {
  const v = facilitatorVerifications;
  await db.delete(v).where(lte(v.expiresAt, now));
  await db
    .insert(v)
    .values({ ...row, waiting: 1 })
    .onConflictDoUpdate({
      target: [v.keyId, v.network, v.payer, v.nonce],
      set: { waiting: sql`${v.waiting} + 1`, expiresAt: row.expiresAt },
    });
}

/** The observer's cursor when this key's proof was first sent to a node; null if the key has not verified the proof. */
export async function findShownTo(db: Queryable, { keyId, network, payer, nonce }: ProofKey): Promise<bigint | null> {
  const v = facilitatorVerifications;
  const [row] = await db
    .select({ readTo: v.readTo })
    .from(v)
    .where(and(eq(v.keyId, keyId), eq(v.network, network), eq(v.payer, payer), eq(v.nonce, nonce)));
  return row?.readTo ?? null;
}

type Answering = { settlementId: SettlementId; proof: ProofKey; wasAnswered: boolean };

/**
 * Whether a request for a settled payment may report success. Of the concurrent requests, exactly one may. A request that
 * began after that success (`wasAnswered`) repeats one whose response was lost, unless the seller has verified the proof for
 * another purchase that it has not settled yet.
 */
export async function takeAnswer(db: Db, answering: Answering, time: Date): Promise<boolean> {
  const { settlementId, proof, wasAnswered } = answering;
  return db.transaction(async (tx) => {
    const p = facilitatorPayments;
    const first = await tx
      .update(p)
      .set({ answeredAt: time })
      .where(and(eq(p.settlementId, settlementId), isNull(p.answeredAt)))
      .returning({ id: p.settlementId });
    const v = facilitatorVerifications;
    const { keyId, network, payer, nonce } = proof;
    const verified = await tx
      .update(v)
      .set({ waiting: sql`${v.waiting} - 1` })
      .where(and(eq(v.keyId, keyId), eq(v.network, network), eq(v.payer, payer), eq(v.nonce, nonce), gt(v.waiting, 0)))
      .returning({ waiting: v.waiting });
    return first.length > 0 || (wasAnswered && verified.length === 0);
  });
}

export type PaymentRow = {
  settlement: typeof settlements.$inferSelect;
  key: Pick<Key, "id" | "name">;
  createdAt: Date;
};
export type PaymentSlice = { keyId?: FacilitatorKeyId | undefined; after?: Cursor | undefined; limit: number };

/** Payments settled with the owner's keys, newest first. */
export const listPayments = (
  db: Queryable,
  ownerId: OwnerId,
  { keyId, after: cursor, limit }: PaymentSlice,
): Promise<PaymentRow[]> => {
  const p = facilitatorPayments;
  return db
    .select({
      settlement: settlements,
      key: { id: facilitatorKeys.id, name: facilitatorKeys.name },
      createdAt: p.createdAt,
    })
    .from(p)
    .innerJoin(settlements, eq(settlements.id, p.settlementId))
    .innerJoin(facilitatorKeys, eq(facilitatorKeys.id, p.keyId))
    .where(
      and(
        eq(p.ownerId, ownerId),
        keyId && eq(p.keyId, keyId),
        cursor &&
          sql`(${p.createdAt}, ${p.settlementId}) < (${cursor.time.toISOString()}::timestamptz, ${cursor.id}::text)`,
      ),
    )
    .orderBy(desc(p.createdAt), desc(p.settlementId))
    .limit(limit);
};
