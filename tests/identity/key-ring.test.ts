import { execFile } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { promisify } from "node:util";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LEAD_SECONDS } from "@/lib/identity/rules";
import type { System } from "@/lib/platform/context";
import { newAgent, type TestAgent } from "../support/actors";
import { until } from "../support/replica";
import { type Served, serve } from "../support/serve";
import { openSystem } from "../support/system";
import { closeSystem, control } from "../support/wiring";
import { createWorld, type World } from "../support/world";

const HOUR = 3_600_000;
const DAY_SECONDS = 86_400;

let world: World;
let served: Served;
let identity: typeof import("@/lib/identity/service");
let ring: typeof import("@/lib/identity/ring");
let agent: TestAgent;
/** Two more processes of the service. All three share one clock. */
let here: System;
let mine: ReturnType<typeof openSystem>;
let testSystem: ReturnType<typeof openSystem>;
let clock: number | null = null;
const now = () => new Date(clock ?? Date.now());

/** Sets and stops the clock at `ms`, here and in the server. */
async function setClock(ms: number): Promise<void> {
  clock = ms;
  await control({ do: "clock", atMs: ms });
}

beforeAll(async () => {
  world = await createWorld();
  mine = openSystem({ now });
  here = mine.system;
  testSystem = openSystem({ now });
  identity = await import("@/lib/identity/service");
  ring = await import("@/lib/identity/ring");
  agent = await newAgent();
});

afterAll(async () => {
  await served?.stop();
  await mine?.close();
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  clock = null;
  await testSystem.sql`delete from signing_keys`;
  for (const system of [here, testSystem.system]) ring.forget(system);
  // The restart also clears the server's cached keys.
  await closeSystem();
  served = await serve();
});

const get = (path: string) => fetch(`${served.url}${path}`);

async function post(path: string, json: unknown, bearer?: string): Promise<{ status: number; body: unknown }> {
  const res = await fetch(`${served.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(json),
  });
  return { status: res.status, body: await res.json() };
}

type Issued = { vc: string; kid: string; expires_at: number };

/** A credential issued with a new login JWT. */
async function issue(ttl_seconds = DAY_SECONDS): Promise<Issued> {
  const login = await post("/refresh", { agent_id: agent.agentId, token: agent.token });
  const { jwt } = login.body as { jwt: string };
  const { status, body } = await post("/agent/vc/issue", { challenge: "c", audience: "a", ttl_seconds }, jwt);
  expect(status).toBe(200);
  return body as Issued;
}

const GOOD = (vc: string) => ({ status: 200, body: { valid: true, payload: decodeJwt(vc) } });
const REFUSED = { status: 401, body: { error: "invalid_or_expired_vc" } };
const verifyHere = (vc: string) => post("/verify-vc", { vc });
const isGoodThere = (vc: string): Promise<boolean> =>
  identity.verifyCredential(testSystem.system, vc, {}).then(
    ({ valid }) => valid,
    (error: { code?: string }) => {
      expect(error.code).toBe("invalid_or_expired_vc");
      return false;
    },
  );

async function expectGood({ vc }: Issued): Promise<void> {
  expect(await verifyHere(vc)).toEqual(GOOD(vc));
  expect(await isGoodThere(vc)).toBe(true);
}

/** A verifier built with a JWT library, which knows only the service's address. */
async function verifiesLocally(vc: string): Promise<boolean> {
  const keys = (await (await get("/.well-known/jwks.json")).json()) as JSONWebKeySet;
  return jwtVerify(vc, createLocalJWKSet(keys), {
    algorithms: ["RS256"],
    typ: "agent-vc",
    audience: "a",
    currentDate: now(),
  }).then(
    () => true,
    () => false,
  );
}

const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

function membersOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...membersOf(inside)]);
}

/** The four public documents, read without a key change in between. */
async function documents() {
  for (;;) {
    const paths = ["jwks.json", "did.json", "agent-identity"].map((name) => `/.well-known/${name}`);
    const responses = await Promise.all(paths.map(get));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [jwks, did, about] = await Promise.all(responses.map((response) => response.json()));
    const pem = await (await get("/public-key.pem")).text();
    const stateAfter = await (await get("/.well-known/jwks.json")).json();
    if (JSON.stringify(stateAfter) === JSON.stringify(jwks)) return { jwks, did, about, pem };
  }
}

/** Checks that the four public documents are well-formed and agree. Returns their kids. */
async function expectAgreement(): Promise<string[]> {
  const { jwks, did, about, pem } = await documents();

  const id = `did:web:localhost%3A${new URL(served.url).port}`;
  const keys = jwks.keys as { kid: string; n: string }[];
  for (const key of keys) {
    expect(key).toEqual({
      kid: expect.stringMatching(/^[\w-]{43}$/),
      kty: "RSA",
      use: "sig",
      alg: "RS256",
      n: expect.stringMatching(/^[\w-]{342}$/),
      e: "AQAB",
    });
  }
  const kids = keys.map(({ kid }) => kid);
  expect(new Set(kids).size).toBe(kids.length);
  expect(did).toEqual({
    "@context": expect.arrayContaining(["https://www.w3.org/ns/did/v1"]),
    id,
    verificationMethod: keys.map((key) => ({
      id: `${id}#${key.kid}`,
      type: "JsonWebKey",
      controller: id,
      publicKeyJwk: key,
    })),
    assertionMethod: kids.map((kid) => `${id}#${kid}`),
    service: [
      {
        id: `${id}#agent-identity`,
        type: expect.any(String),
        serviceEndpoint: `${served.url}/.well-known/agent-identity`,
      },
    ],
  });
  expect(did["@context"][0]).toBe("https://www.w3.org/ns/did/v1");
  expect(about).toMatchObject({
    issuer: "service-agent-did",
    did: id,
    jwks_uri: `${served.url}/.well-known/jwks.json`,
    did_document_uri: `${served.url}/.well-known/did.json`,
    public_key_uri: `${served.url}/public-key.pem`,
    credential_endpoint: `${served.url}/agent/vc/issue`,
    verification_endpoint: `${served.url}/verify-vc`,
  });
  const { kid: signing } = await issue(1);
  expect(createPublicKey(pem).export({ format: "jwk" }).n).toBe(keys.find(({ kid }) => kid === signing)?.n);
  expect(pem).not.toContain("PRIVATE");
  expect(membersOf([jwks, did, about]).filter((name) => PRIVATE.includes(name))).toEqual([]);
  return kids;
}

test("a credential signed at the end of a key's period verifies on every replica until its expiry, and then the key is removed", async () => {
  const began = Date.now();
  await setClock(began);
  const early = await issue();
  await identity.keepKeys(here);
  const { kid: next, activeFrom } = await identity.rotateKeys(here);
  expect(activeFrom.getTime() - began).toBeGreaterThanOrEqual(LEAD_SECONDS * 1000);
  // The server reads a key that another process created within seconds.
  await expect.poll(expectAgreement, { timeout: 30_000 }).toEqual(expect.arrayContaining([early.kid, next]));

  await setClock(activeFrom.getTime() - 1);
  const last = await issue();
  await setClock(activeFrom.getTime());
  const first = await issue();
  expect([last.kid, first.kid]).toEqual([early.kid, next]);

  const end = last.expires_at * 1000;
  for (let index = now().getTime(); index < end; index = Math.min(index + 4 * HOUR, index < end - 1 ? end - 1 : end)) {
    await setClock(index);
    await identity.keepKeys(here);
    expect(await expectAgreement()).toEqual(expect.arrayContaining([last.kid, first.kid]));
    for (const credential of [last, first]) {
      await expectGood(credential);
      expect(await verifiesLocally(credential.vc)).toBe(true);
    }
  }
  await setClock(end);
  expect(await verifyHere(last.vc)).toEqual(REFUSED);
  expect(await isGoodThere(last.vc)).toBe(false);
  expect(await verifyHere(early.vc)).toEqual(REFUSED);

  await identity.keepKeys(here);
  expect(await expectAgreement()).toContain(last.kid);
  await setClock(activeFrom.getTime() + (DAY_SECONDS + 61) * 1000);
  await identity.keepKeys(here);
  await expect.poll(expectAgreement, { timeout: 30_000 }).not.toContain(last.kid);
  expect(await expectAgreement()).toContain(first.kid);
});

test("a forced rotation signs with another key immediately, and every credential stays valid on every replica", async () => {
  const before = await issue();
  await expectGood(before);
  const { kid } = await identity.rotateKeys(here, { force: true });
  expect(kid).not.toBe(before.kid);
  await until(async () => (await issue()).kid === kid, "the server to know the new key", 15);
  const after = await issue();
  expect(await expectAgreement()).toEqual(expect.arrayContaining([before.kid, after.kid]));
  // The other replica may use a recently cached key ring.
  await until(() => isGoodThere(after.vc), "the other replica to know the new key");
  await expectGood(before);
  expect(await verifiesLocally(before.vc)).toBe(true);
});

test("a key does not sign before verifiers can have fetched it, however often a rotation is requested", async () => {
  const began = Date.now();
  await setClock(began);
  const { kid: old } = await issue();
  await identity.keepKeys(here);
  const first = await identity.rotateKeys(here);
  for (const minutes of [1, 5, 8]) {
    await setClock(now().getTime() + minutes * 60_000);
    const again = await identity.rotateKeys(here);
    expect(again).toEqual({ kid: first.kid, activeFrom: first.activeFrom });
    expect((await issue()).kid).toBe(old);
  }
  const [row] = await testSystem.sql`select published_at, active_from from signing_keys where kid = ${first.kid}`;
  expect(row?.active_from - row?.published_at).toBeGreaterThanOrEqual(LEAD_SECONDS * 1000);
  await setClock(first.activeFrom.getTime());
  await expect.poll(async () => (await issue()).kid, { timeout: 30_000 }).toBe(first.kid);
});

test("a revoked key's credentials are rejected immediately where it was revoked, and within seconds everywhere", async () => {
  const leaked = await issue();
  await expectGood(leaked);
  await identity.revokeKey(here, leaked.kid);
  await expect(identity.verifyCredential(here, leaked.vc, {})).rejects.toMatchObject({ code: "invalid_or_expired_vc" });
  await until(async () => (await verifyHere(leaked.vc)).status === 401, "the server to learn of it", 15);
  expect(await verifyHere(leaked.vc)).toEqual(REFUSED);
  expect(await verifiesLocally(leaked.vc)).toBe(false);
  expect(await expectAgreement()).not.toContain(leaked.kid);
  await until(async () => !(await isGoodThere(leaked.vc)), "the other replica to learn of it", 15);
  const fresh = await issue();
  expect(fresh.kid).not.toBe(leaked.kid);
  await expectGood(fresh);
});

describe("npm run keys:rotate", () => {
  const rotate = async (...options: string[]) => {
    const args = ["--import", "tsx", "ops/rotate-keys.ts", ...options];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: process.env });
    return stdout.trim();
  };
  const SIGNS = /^([\w-]{43}) signs from (\S+Z)\.$/;

  test("publishes the next key in time, and changes nothing until then", async () => {
    const before = await issue();
    const [, kid = "", from] = SIGNS.exec(await rotate()) ?? [];
    const [row] = await testSystem.sql`select published_at, active_from from signing_keys where kid = ${kid}`;
    expect(row?.active_from.toISOString()).toBe(from);
    expect(row?.active_from - row?.published_at).toBeGreaterThanOrEqual(LEAD_SECONDS * 1000);
    await until(async () => (await expectAgreement()).includes(kid), "the new key in the JWKS", 15);
    expect((await issue()).kid).toBe(before.kid);
    await expectGood(before);
  });

  test("with --force makes every running process sign with another key within seconds, and no credential is lost", async () => {
    const before = await issue();
    const [, kid = ""] = SIGNS.exec(await rotate("--force")) ?? [];
    expect(kid).not.toBe(before.kid);
    await until(async () => (await issue()).kid === kid, "the new key to sign here", 15);
    expect(await expectAgreement()).toEqual(expect.arrayContaining([before.kid, kid]));
    await expectGood(before);
    const after = await issue();
    await until(() => isGoodThere(after.vc), "the other replica to know the new key");
  });

  test("with --revoke removes a key from every running process within seconds", async () => {
    const leaked = await issue();
    await expectGood(leaked);
    expect(await rotate("--revoke", leaked.kid)).toContain(`${leaked.kid} is revoked`);
    await until(async () => (await verifyHere(leaked.vc)).status === 401, "the service to learn of it", 15);
    await until(async () => !(await isGoodThere(leaked.vc)), "the other replica to learn of it", 15);
    expect(await expectAgreement()).not.toContain(leaked.kid);
    await expectGood(await issue());
  });

  test("prints its usage for any other argument, and changes nothing", async () => {
    const before = await issue();
    const kids = await expectAgreement();
    for (const options of [["--revoke"], ["now"]]) expect(await rotate(...options)).toContain("npm run keys:rotate");
    expect(await expectAgreement()).toEqual(kids);
    expect((await issue()).kid).toBe(before.kid);
  });
});

test("after a change of the master key, credentials verify as before and the same key keeps signing", async () => {
  const before = await issue();
  const [OLD, NEW] = ["11".repeat(32), "22".repeat(32)];
  const both = openSystem({}, { MASTER_KEY: `${NEW},${OLD}` });
  const { rewrapSecrets } = await import("@/ops/rewrap-secrets");
  expect(await rewrapSecrets(both.system)).toBeGreaterThan(0);
  const onlyNew = openSystem({}, { MASTER_KEY: NEW });
  for (const { system, close } of [both, onlyNew]) {
    expect(await identity.verifyCredential(system, before.vc, {})).toMatchObject({ valid: true });
    const { jwt } = await identity.refresh(system, { agentId: agent.agentId, token: agent.token });
    const asking = { ...system, actor: await identity.authenticate(system, jwt) };
    const issuedCredentialAfter = await identity.issueCredential(asking, {
      challenge: "c",
      audience: "a",
      ttlSeconds: 60,
    });
    expect(decodeProtectedHeader(issuedCredentialAfter.vc)).toEqual({ alg: "RS256", typ: "agent-vc", kid: before.kid });
    expect(await verifyHere(issuedCredentialAfter.vc)).toEqual(GOOD(issuedCredentialAfter.vc));
    await close();
  }
});
