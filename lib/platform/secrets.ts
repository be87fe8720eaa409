import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { System } from "./context";
import { ensure } from "./secret-store";

/** Derives keys for things that the service issues, such as the content of a sale. */
export type KeyFor = (id: string) => string;

const NAME = "handed_out_keys";

/** Per database: one per process except in tests. */
const loaded = new WeakMap<Pool, Promise<string>>();

/**
 * A distinct key for each id of one `purpose`: 43 characters of base64url, always the same for the same id. Derived from a
 * random secret in the database, sealed under the master key, so rotating a configured secret does not change it. The
 * returned function needs no database: it can name a key even when it is unknown whether the key's row was written.
 */
export async function keysFor(system: System, purpose: string): Promise<KeyFor> {
  const secret = await loadedSecret(system);
  return (id) => createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");
}

function loadedSecret(system: System): Promise<string> {
  const pool = system.db.$client;
  const known = loaded.get(pool);
  if (known) return known;
  const loading = load(system);
  loaded.set(pool, loading);
  loading.catch(() => loaded.delete(pool));
  return loading;
}

async function load({ db, vault, now }: System): Promise<string> {
  const fresh = vault.seal(randomBytes(32).toString("base64url"), NAME);
  return vault.open(await ensure(db, { name: NAME, sealedKey: fresh, createdAt: now() }), NAME);
}
