import { createHash } from "node:crypto";
import { type FacilitatorKeyId, newId, type OwnerId } from "@/lib/core/ids";
import { type CursorPage, cutAfter } from "@/lib/core/page";
import { batchedOn } from "@/lib/platform/batch";
import type { Ctx, Owner, Seller, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { facilitatorErrors } from "./errors";
import { KEYS_MAX, REQUESTS_PER_MINUTE, SETTLEMENTS_PER_DAY } from "./rules";
import * as store from "./store";

export type { Key, PaymentRow, PaymentSlice } from "./store";

/** API keys of sellers (`tsk_…`). Only their hashes are stored. */

export type NewKey = {
  name: string;
  requestsPerMinute?: number | undefined;
  settlementsPerDay?: number | undefined;
};

const SECRET_START_CHARACTERS = 8;

/** Oldest first, including revoked keys. */
export const list = (ctx: Ctx<Owner>): Promise<store.Key[]> => store.listKeys(ctx.db, ctx.actor.ownerId);

/** Returns the secret, which cannot be read again. Throws too_many_keys. */
export async function create(ctx: Ctx<Owner>, request: NewKey): Promise<{ key: store.Key; secret: string }> {
  const { ownerId } = ctx.actor;
  const secret = newId("facilitatorSecret");
  const time = ctx.now();
  const key = await ctx.db.transaction(async (tx) => {
    if ((await store.lockCount(tx, ownerId)) >= KEYS_MAX) throw facilitatorErrors.too_many_keys();
    const added = await store.addKey(tx, {
      id: newId("facilitatorKey"),
      ownerId,
      name: request.name,
      secretHash: hashOf(secret),
      secretStart: secret.slice(0, SECRET_START_CHARACTERS),
      requestsPerMinute: request.requestsPerMinute ?? REQUESTS_PER_MINUTE.usual,
      settlementsPerDay: request.settlementsPerDay ?? SETTLEMENTS_PER_DAY.usual,
      createdAt: time,
    });
    await recordEvent(tx, added, "facilitator_key.created", time);
    return added;
  });
  return { key, secret };
}

/** Throws key_not_found, key_revoked. */
export const change = (
  ctx: Ctx<Owner>,
  id: FacilitatorKeyId,
  edit: { [K in keyof NewKey]?: NewKey[K] | undefined },
): Promise<store.Key> =>
  ctx.db.transaction(async (tx) => {
    const key = await lockOwn(ctx, tx, id);
    if (key.revokedAt) throw facilitatorErrors.key_revoked();
    await recordEvent(tx, key, "facilitator_key.updated", ctx.now());
    const { name = key.name } = edit;
    const { requestsPerMinute = key.requestsPerMinute, settlementsPerDay = key.settlementsPerDay } = edit;
    return store.changeKey(tx, id, { name, requestsPerMinute, settlementsPerDay });
  });

/** Revokes a key at once and for good. Its settlements in progress continue. Throws key_not_found. */
export const revoke = (ctx: Ctx<Owner>, id: FacilitatorKeyId): Promise<store.Key> =>
  ctx.db.transaction(async (tx) => {
    const key = await lockOwn(ctx, tx, id);
    if (key.revokedAt) return key;
    const time = ctx.now();
    await recordEvent(tx, key, "facilitator_key.revoked", time);
    return store.changeKey(tx, id, { revokedAt: time });
  });

/** Payments settled with the owner's keys, newest first. */
export async function listPayments(ctx: Ctx<Owner>, slice: store.PaymentSlice): Promise<CursorPage<store.PaymentRow>> {
  const { limit } = slice;
  const rows = await store.listPayments(ctx.db, ctx.actor.ownerId, { ...slice, limit: limit + 1 });
  return cutAfter(rows, limit, ({ settlement, createdAt }) => ({ time: createdAt, id: settlement.id }));
}

/** Runs for every request: concurrent lookups share one query. */
const findKey = batchedOn(store.keyFinder);

/** The seller with this API key. Throws invalid_api_key. */
export async function sellerOf(system: System, secret: string | null): Promise<Seller> {
  const key = secret === null ? null : await findKey(system.db, hashOf(secret));
  if (!key) throw facilitatorErrors.invalid_api_key();
  await store.noteUse(system.db, key, system.now());
  const { id: keyId, ownerId, requestsPerMinute, settlementsPerDay } = key;
  return { type: "seller", keyId, ownerId, requestsPerMinute, settlementsPerDay };
}

/** A secret has 142 random bits, so a fast hash is enough. */
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

async function lockOwn(ctx: Ctx<Owner>, tx: Tx, id: FacilitatorKeyId): Promise<store.Key> {
  const key = await store.lockOwnKey(tx, ctx.actor.ownerId, id);
  if (!key) throw facilitatorErrors.key_not_found();
  return key;
}

const recordEvent = (
  tx: Tx,
  { id, ownerId, name }: { id: FacilitatorKeyId; ownerId: OwnerId; name: string },
  type: string,
  time: Date,
) => record(tx, time, { type, subject: id, ownerId, meta: { name } });
