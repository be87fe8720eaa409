import {
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from "node:crypto";
import { promisify } from "node:util";
import { setBounded } from "@/lib/core/bounded";
import type { System } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db";
import * as keys from "./keys";
import { activeKey, decodeJson, LOGIN_TYP, readHeader, type SigningKey, type TokenType } from "./rules";
import * as store from "./store";

/** The content of a token whose signature by one of the service's keys was verified. */
export type VerifiedToken = { kid: string; typ: unknown; claims: unknown };

type Key = SigningKey & { publicKey: KeyObject };
type Ring = { keys: Key[]; loadedAtMs: number };
type Memory = {
  ring: Ring | null;
  loading: Promise<Ring> | null;
  /** Incremented by `forget`: a read that began before the last increment is not cached. */
  forgotten: number;
  privateKeys: Map<string, KeyCopies>;
  /** Login JWTs with a verified signature, by hash, oldest first. An agent sends the same one for minutes; a credential is usually seen once. */
  logins: Map<string, VerifiedToken>;
};

/**
 * OpenSSL locks a key while a thread signs with it, and the main thread would wait for that lock. So there is one copy per
 * signing thread, used in turn.
 */
type KeyCopies = { copies: KeyObject[]; next: number };
const COPIES = 4;

const LOGINS_MAX = 10_000;
const LOGIN_CHARS_MAX = 2_048;

const RING_MS = 5_000;
/** Minimum interval between reloads of the ring caused by unknown kids. */
const COOL_DOWN_MS = 250;

/** One per database. A process has one database, except in tests. */
const memories = new WeakMap<Db, Memory>();

function memoryOf(system: System): Memory {
  const existingMemory = memories.get(system.db);
  if (existingMemory) return existingMemory;
  const memory: Memory = { ring: null, loading: null, forgotten: 0, privateKeys: new Map(), logins: new Map() };
  memories.set(system.db, memory);
  return memory;
}

/**
 * Signs with the active key; creates the first key if there is none. The header names the key by `kidOf`.
 * Why: docs/decisions.md, 427.
 */
export async function sign(
  system: System,
  typ: TokenType,
  claims: Record<string, unknown>,
  kidOf: (kid: string) => string = (kid) => kid,
) {
  const key = await signingKey(system);
  const { privateKeys } = memoryOf(system);
  let mine = privateKeys.get(key.kid);
  if (!mine) {
    const jwk = JSON.parse(system.vault.open(key.sealedKey, key.kid));
    mine = { copies: Array.from({ length: COPIES }, () => createPrivateKey({ key: jwk, format: "jwk" })), next: 0 };
    privateKeys.set(key.kid, mine);
  }
  mine.next = (mine.next + 1) % COPIES;
  const privateKey = mine.copies[mine.next];
  if (!privateKey) throw new Error("a signing key has no copy");
  const input = `${encoded({ alg: "RS256", typ, kid: kidOf(key.kid) })}.${encoded(claims)}`;
  const signature = await signAside("RSA-SHA256", Buffer.from(input), privateKey);
  return { token: `${input}.${signature.toString("base64url")}`, kid: key.kid };
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Signs in the thread pool: signing takes ten times as long as verifying. */
const signAside = promisify((algorithm: string, data: Buffer, key: KeyObject, done: Signing) =>
  signBytes(algorithm, data, key, done),
);
type Signing = (error: Error | null, signature: Buffer) => void;

/**
 * The content of `token`, or null unless it is an RS256 JWS (RFC 7515) signed by one of the service's keys. Does not check
 * its type and claims. Runs for every request of every agent; synchronous OpenSSL costs a quarter of a WebCrypto promise.
 */
export async function verify(system: System, token: string): Promise<VerifiedToken | null> {
  const { logins } = memoryOf(system);
  // Stored by hash: the token may be a slice of a much longer header, and would keep all of it in memory.
  const fingerprint = hash("sha256", token, "base64url");
  const cachedLogin = logins.get(fingerprint);
  const header = cachedLogin ?? readHeader(token);
  // Also for a cached login: its key may have been revoked.
  const key = header && (await keyNamed(system, header.kid));
  if (!key) return null;
  if (cachedLogin) return cachedLogin;
  const [dot, end] = [token.indexOf("."), token.lastIndexOf(".")];
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  if (!verifyBytes("RSA-SHA256", Buffer.from(token.slice(0, end)), key.publicKey, signature)) return null;
  const claims = decodeJson(Buffer.from(token.slice(dot + 1, end), "base64url"));
  const signed = { kid: key.kid, typ: header.typ, claims };
  if (header.typ === LOGIN_TYP && token.length <= LOGIN_CHARS_MAX) setBounded(logins, fingerprint, signed, LOGINS_MAX);
  return signed;
}

/** The active key; creates one if there is none. */
export async function signingKey(system: System): Promise<Key> {
  const { keys: published } = await currentRing(system);
  const active = activeKey(published, system.now());
  if (active) return active;
  await keys.keep(system);
  const created = activeKey((await load(system)).keys, system.now());
  if (!created) throw new Error("the key ring has no active key");
  return created;
}

/** All published keys, including the next one. */
export const publishedKeys = async (system: System): Promise<readonly Key[]> => (await currentRing(system)).keys;

/** Forces a reload of the ring at its next use. */
export function forget(system: System): void {
  const memory = memoryOf(system);
  memory.ring = null;
  memory.loading = null;
  memory.forgotten += 1;
}

async function keyNamed(system: System, kid: string): Promise<Key | null> {
  const find = (ring: Ring) => ring.keys.find((key) => key.kid === kid) ?? null;
  const ring = await currentRing(system);
  return find(ring) ?? (isOlderThan(ring, COOL_DOWN_MS) ? find(await load(system)) : null);
}

async function currentRing(system: System): Promise<Ring> {
  const { ring } = memoryOf(system);
  // An empty ring is about to be filled, by this or another replica.
  return ring && ring.keys.length > 0 && !isOlderThan(ring, RING_MS) ? ring : load(system);
}

const isOlderThan = (ring: Ring, ms: number) => performance.now() - ring.loadedAtMs > ms;

/** Concurrent callers share one read. */
function load(system: System): Promise<Ring> {
  const memory = memoryOf(system);
  if (memory.loading) return memory.loading;
  const loading = readRing(system, memory).finally(() => {
    if (memory.loading === loading) memory.loading = null;
  });
  memory.loading = loading;
  return loading;
}

async function readRing(system: System, memory: Memory): Promise<Ring> {
  const loadedAtMs = performance.now();
  const { forgotten } = memory;
  const rows = await store.allKeys(system.db);
  const publicKeysByKid = new Map(memory.ring?.keys.map((key) => [key.kid, key.publicKey]));
  const keys = rows.map((row) => ({
    ...row,
    publicKey: publicKeysByKid.get(row.kid) ?? createPublicKey({ key: row.publicJwk, format: "jwk" }),
  }));
  const ring = { keys, loadedAtMs };
  if (memory.forgotten !== forgotten) return ring;
  memory.ring = ring;
  for (const kid of memory.privateKeys.keys()) {
    if (!rows.some((row) => row.kid === kid)) memory.privateKeys.delete(kid);
  }
  return ring;
}
