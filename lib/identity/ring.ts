import { createHash } from "node:crypto";
import { compactVerify, errors, importJWK, type JWK, SignJWT } from "jose";
import type { System } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db";
import * as keys from "./keys";
import { activeKey, type CREDENTIAL_TYP, decodeJson, type LOGIN_TYP, readHeader, type SigningKey } from "./rules";
import * as store from "./store";

/** What a token says, after its signature was found to be by one of our keys. */
export type Signed = { typ: unknown; claims: unknown };

type Key = SigningKey & { publicKey: CryptoKey };
type Ring = { keys: Key[]; loadedAtMs: number };
type Memory = {
  ring: Ring | null;
  loading: Promise<Ring> | null;
  privateKeys: Map<string, Promise<CryptoKey>>;
  /** Tokens whose signature was checked, by hash, oldest first. */
  verified: Map<string, Signed>;
};

const RING_MS = 5_000;
/** A kid we do not know has the ring read again, but however many ask, not more often than this. */
const COOL_DOWN_MS = 250;
const VERIFIED_MAX = 10_000;

/** By database, which is one per process but for tests. */
const memories = new WeakMap<Db, Memory>();

function memoryOf(system: System): Memory {
  const known = memories.get(system.db);
  if (known) return known;
  const memory: Memory = { ring: null, loading: null, privateKeys: new Map(), verified: new Map() };
  memories.set(system.db, memory);
  return memory;
}

/** Signs with the active key, making the first one when there is none. */
export async function sign(
  system: System,
  typ: typeof LOGIN_TYP | typeof CREDENTIAL_TYP,
  claims: Record<string, unknown>,
) {
  const key = await signingKey(system);
  const memory = memoryOf(system);
  const privateKey = memory.privateKeys.get(key.kid) ?? openPrivateKey(system, key);
  memory.privateKeys.set(key.kid, privateKey);
  const jws = new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ, kid: key.kid });
  return { token: await jws.sign(await privateKey), kid: key.kid };
}

/** What `token` says, or null when it is not an RS256 JWS by one of our keys. Its type and claims are still to be judged. */
export async function verify(system: System, token: string): Promise<Signed | null> {
  const header = readHeader(token);
  const key = header && (await keyNamed(system, header.kid));
  if (!key) return null;
  const { verified } = memoryOf(system);
  const hash = createHash("sha256").update(token).digest("base64url");
  const signed = verified.get(hash) ?? (await verifySignature(token, header.typ, key));
  if (!signed) return null;
  // Put back at the end, so that what is used stays.
  verified.delete(hash);
  verified.set(hash, signed);
  for (const oldest of verified.keys()) {
    if (verified.size <= VERIFIED_MAX) break;
    verified.delete(oldest);
  }
  return signed;
}

export async function signingKey(system: System): Promise<Key> {
  const { keys: published } = await currentRing(system);
  const active = activeKey(published, system.now());
  if (active) return active;
  await keys.keep(system);
  const made = activeKey((await load(system)).keys, system.now());
  if (!made) throw new Error("the key ring has no active key");
  return made;
}

/** Every published key, the next one included. */
export const publishedKeys = async (system: System): Promise<readonly Key[]> => (await currentRing(system)).keys;

/** Reads the ring again at its next use. */
export function forget(system: System): void {
  memoryOf(system).ring = null;
}

async function keyNamed(system: System, kid: string): Promise<Key | null> {
  const find = (ring: Ring) => ring.keys.find((key) => key.kid === kid) ?? null;
  const ring = await currentRing(system);
  return find(ring) ?? (isOlderThan(ring, COOL_DOWN_MS) ? find(await load(system)) : null);
}

async function currentRing(system: System): Promise<Ring> {
  const { ring } = memoryOf(system);
  // An empty ring is about to be filled, by us or by another replica.
  return ring && ring.keys.length > 0 && !isOlderThan(ring, RING_MS) ? ring : load(system);
}

const isOlderThan = (ring: Ring, ms: number) => performance.now() - ring.loadedAtMs > ms;

/** Everybody who needs the ring while it is read waits for the same read. */
function load(system: System): Promise<Ring> {
  const memory = memoryOf(system);
  memory.loading ??= readRing(system, memory).finally(() => {
    memory.loading = null;
  });
  return memory.loading;
}

async function readRing(system: System, memory: Memory): Promise<Ring> {
  const loadedAtMs = performance.now();
  const rows = await store.allKeys(system.db);
  const before = new Map(memory.ring?.keys.map((key) => [key.kid, key.publicKey]));
  const read = rows.map(async (row) => ({
    ...row,
    publicKey: before.get(row.kid) ?? (await importKey(row.publicJwk)),
  }));
  memory.ring = { keys: await Promise.all(read), loadedAtMs };
  for (const kid of memory.privateKeys.keys()) {
    if (!rows.some((row) => row.kid === kid)) memory.privateKeys.delete(kid);
  }
  return memory.ring;
}

const openPrivateKey = (system: System, key: Key): Promise<CryptoKey> =>
  importKey(JSON.parse(system.vault.open(key.sealedKey, key.kid)));

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, "RS256");
  if (key instanceof Uint8Array) throw new Error("a signing key must be RSA");
  return key;
}

async function verifySignature(token: string, typ: unknown, key: Key): Promise<Signed | null> {
  try {
    const { payload } = await compactVerify(token, key.publicKey, { algorithms: ["RS256"] });
    return { typ, claims: decodeJson(payload) };
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return null;
    throw thrown;
  }
}
