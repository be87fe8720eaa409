import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { activeKey, earliestUse, later, nextKey, type SigningKey, upkeep } from "./rules";
import * as store from "./store";

type FreshKey = Pick<SigningKey, "kid" | "publicJwk" | "sealedKey">;

/** Publishes a missing key and drops keys that are no longer needed. Safe to call from all replicas at once. Returns whether anything changed. */
export async function keep(system: System): Promise<boolean> {
  const { jwtTtlSeconds } = system.config;
  const plan = upkeep(await store.allKeys(system.db), system.now(), jwtTtlSeconds);
  if (!plan.publish && plan.drop.length === 0) return false;
  // Generated before the lock is taken: it is slow, and discarding an unneeded key costs nothing.
  const fresh = plan.publish && (await generate(system));
  return system.db.transaction(async (tx) => {
    await store.lockKeys(tx);
    const keys = await store.allKeys(tx);
    const { publish, drop } = upkeep(keys, system.now(), jwtTtlSeconds);
    await store.dropKeys(tx, drop);
    if (publish && fresh) await publishKey(tx, fresh, publish.activeFrom, keys, system.now());
    return drop.length > 0 || publish !== null;
  });
}

/** Activates the next key as soon as every verifier can know it, or immediately if `isForced`. */
export async function rotate(system: System, isForced: boolean): Promise<{ kid: string; activeFrom: Date }> {
  const fresh = await generate(system);
  return system.db.transaction(async (tx) => {
    await store.lockKeys(tx);
    const now = system.now();
    const keys = await store.allKeys(tx);
    const next = nextKey(keys, now);
    const activeFrom = isForced ? now : later(now, earliestUse(next?.publishedAt ?? now));
    if (next) {
      await store.activateKey(tx, next.kid, activeFrom);
      await retireBefore(tx, keys, now, activeFrom);
    } else {
      await publishKey(tx, fresh, activeFrom, keys, now);
    }
    const kid = next?.kid ?? fresh.kid;
    await record(tx, now, { type: "identity.key_rotated", subject: kid, meta: { activeFrom, isForced } });
    return { kid, activeFrom };
  });
}

/** Removes a key: nothing it signed is accepted from then on. */
export async function drop(system: System, kid: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    await store.lockKeys(tx);
    await store.dropKeys(tx, [kid]);
    await record(tx, system.now(), { type: "identity.key_revoked", subject: kid });
  });
}

async function publishKey(tx: Tx, fresh: FreshKey, activeFrom: Date, keys: SigningKey[], now: Date): Promise<void> {
  await store.addKey(tx, { ...fresh, publishedAt: now, activeFrom });
  await retireBefore(tx, keys, now, activeFrom);
  await record(tx, now, { type: "identity.key_published", subject: fresh.kid, meta: { activeFrom } });
}

async function retireBefore(tx: Tx, keys: SigningKey[], now: Date, time: Date): Promise<void> {
  const active = activeKey(keys, now);
  if (active) await store.retireKey(tx, active.kid, time);
}

async function generate(system: System): Promise<FreshKey> {
  const pair = await generateKeyPair("RS256", { modulusLength: 2048, extractable: true });
  const { kty, n, e } = await exportJWK(pair.publicKey);
  const publicJwk = { ...(kty && { kty }), ...(n && { n }), ...(e && { e }) };
  const kid = await calculateJwkThumbprint(publicJwk);
  const sealedKey = system.vault.seal(JSON.stringify(await exportJWK(pair.privateKey)), kid);
  return { kid, publicJwk, sealedKey };
}
