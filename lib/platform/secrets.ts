import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { System } from "./context";
import { ensureSecret } from "./sealed-store";

/** Derives keys for things that the service issues, such as the content of a sale. */
export type KeyFor = (id: string) => string;

const NAME = "handed_out_keys";

/** By database and name. A process has one database, except in tests. */
const loaded = new WeakMap<Pool, Map<string, Promise<string>>>();

/**
 * A distinct key for each id of one `purpose`: 43 characters of base64url, always the same for the same id. Derived from a
 * random secret in the database, sealed under the master key, so rotating a configured secret does not change it. The
 * returned function needs no database: it can name a key even when it is unknown whether the key's row was written.
 */
export async function keysFor(system: System, purpose: string): Promise<KeyFor> {
  const secret = await serviceSecret(system, NAME, () => randomBytes(32).toString("base64url"));
  return (id) => createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");
}

/** The secret of this name in the database, sealed under the master key. `make` generates it if there is none yet. */
export function serviceSecret({ db, vault, now }: System, name: string, make: () => string): Promise<string> {
  const pool = db.$client;
  const ofPool = loaded.get(pool) ?? new Map<string, Promise<string>>();
  loaded.set(pool, ofPool);
  const cachedSecret = ofPool.get(name);
  if (cachedSecret) return cachedSecret;
  const sealedKey = vault.seal(make(), name);
  const loading = ensureSecret(db, { name, sealedKey, createdAt: now() }).then((sealed) => vault.open(sealed, name));
  ofPool.set(name, loading);
  loading.catch(() => ofPool.delete(name));
  return loading;
}
