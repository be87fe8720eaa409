import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importSPKI,
  type JSONWebKeySet,
  jwtVerify,
} from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { System } from "@/lib/platform/context";
import { newAgent, type TestAgent } from "../support/actors";
import { counted } from "../support/counted";
import { partsOf, stranger, type TokenParts, withClaims, withHeader } from "../support/forged-tokens/parts";
import { type HostileToken, hostileLogins } from "../support/forged-tokens/tokens";
import { call, fetchPath } from "../support/http";
import { remedy } from "../support/refused";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let identity: typeof import("@/lib/identity/service");
let closeSystem: () => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  identity = await import("@/lib/identity/service");
  ({ closeSystem } = await import("../support/wiring"));
});

afterAll(async () => {
  await closeSystem?.();
  await testSystem?.close();
  await world?.stop();
});

const count = async (table: string): Promise<number> => {
  const [row] = await testSystem.sql`select count(*)::int as n from ${testSystem.sql(table)}`;
  return row?.n;
};

const getJwks = () => fetchPath("GET", "/.well-known/jwks.json");
const jwks = async (): Promise<JSONWebKeySet> => (await getJwks()).json();
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid ?? "";

describe("POST /register", () => {
  test("returns an id, a token and a login JWT of exactly the documented form", async () => {
    const { status, body } = await call("POST", "/register", {
      json: { agent_name: "Ada", client_info: "cli 1.0\nnode", email: "ada@example.org", extra: 1 },
    });
    expect(status).toBe(200);
    const { agent_id, token, jwt } = body as { agent_id: string; token: string; jwt: string };
    expect(Object.keys(body as object).sort()).toEqual(["agent_id", "jwt", "token"]);
    expect(agent_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(token).toMatch(/^tok_[0-9A-Za-z]{24}$/);

    const { payload, protectedHeader } = await jwtVerify(jwt, createLocalJWKSet(await jwks()));
    const iat = payload.iat ?? 0;
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: kidOf(jwt) });
    expect(payload).toEqual({
      agent_id,
      sub: agent_id,
      email: "ada@example.org",
      iss: "service-agent-did",
      iat,
      exp: iat + 900,
    });
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(10);
  });

  test("omits email from the JWT of an agent without one", async () => {
    const { jwt } = await newAgent();
    expect(decodeJwt(jwt)).not.toHaveProperty("email");
  });

  test("stores the token only as a hash, links no owner, and records the event", async () => {
    const { agentId, token } = await newAgent("Only a hash");
    const [row] = await testSystem.sql`select * from agents where id = ${agentId}`;
    expect(row).toMatchObject({ name: "Only a hash", owner_id: null, receiving_address: null, deleted_at: null });
    expect(JSON.stringify(row)).not.toContain(token.slice(4));
    const [event] = await testSystem.sql`select type from events where agent_id = ${agentId}`;
    expect(event?.type).toBe("agent.registered");
  });

  test("counts characters, not UTF-16 units", async () => {
    const { status } = await call("POST", "/register", { json: { agent_name: "🦊".repeat(100), client_info: "" } });
    expect(status).toBe(200);
  });

  const good = { agent_name: "Ada", client_info: "cli" };
  test.each<[string, unknown]>([
    ["no body", undefined],
    ["no name", { client_info: "cli" }],
    ["an empty name", { ...good, agent_name: "" }],
    ["a blank name", { ...good, agent_name: "  " }],
    ["a name of 101 characters", { ...good, agent_name: "x".repeat(101) }],
    ["a name that is a number", { ...good, agent_name: 1 }],
    ["a name that is null", { ...good, agent_name: null }],
    ["a name that is a list", { ...good, agent_name: ["a"] }],
    ["a name with NUL", { ...good, agent_name: "a\u0000b" }],
    ["a name of two lines", { ...good, agent_name: "a\nb" }],
    ["a name with a line separator", { ...good, agent_name: "a\u2028b" }],
    ["a name with an escape sequence", { ...good, agent_name: "\u001b[31mred" }],
    ["a name that turns the text around it", { ...good, agent_name: "a\u202eb" }],
    ["a name with half a character", { ...good, agent_name: "a\ud800" }],
    ["no client_info", { agent_name: "Ada" }],
    ["a client_info of 501 characters", { ...good, client_info: "x".repeat(501) }],
    ["a client_info that is an object", { ...good, client_info: {} }],
    ["a client_info with NUL", { ...good, client_info: "\u0000" }],
    ["an invalid email", { ...good, email: "ada" }],
    ["an email that is a number", { ...good, email: 1 }],
    ["an endless email", { ...good, email: `${"a".repeat(250)}@b.test` }],
    ["a list", [good]],
    ["text", "x"],
    ["null", null],
  ])("rejects %s with 400 and an error string, and adds no agent", async (_, json) => {
    const countBefore = await count("agents");
    const { status, body } = await call("POST", "/register", json === undefined ? {} : { json });
    expect([status, body]).toEqual([400, { error: expect.any(String) }]);
    expect(await count("agents")).toBe(countBefore);
  });

  test.each<[string, BodyInit, number]>([
    ["broken JSON", "{", 400],
    ["a member named twice", '{"agent_name":"a","agent_name":"b","client_info":""}', 400],
    ["__proto__", '{"agent_name":"a","client_info":"","__proto__":{"email":"x"}}', 400],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ["a nest of lists", `{"agent_name":${"[".repeat(64)}${"]".repeat(64)}}`, 400],
    ["100 KB", JSON.stringify({ ...good, pad: "x".repeat(100_000) }), 413],
  ])("rejects %s", async (_, raw, status) => {
    const countBefore = await count("agents");
    const response = await call("POST", "/register", { raw });
    expect([response.status, response.body]).toEqual([status, { error: expect.any(String) }]);
    expect(await count("agents")).toBe(countBefore);
  });

  test("rejects another media type with 415", async () => {
    const response = await call("POST", "/register", {
      raw: "agent_name=a",
      headers: { "content-type": "text/plain" },
    });
    expect(response.status).toBe(415);
  });
});

describe("POST /refresh", () => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await newAgent();
  });

  test("returns a new login JWT for the permanent token each time", async () => {
    for (const _ of [1, 2]) {
      const { status, body } = await call("POST", "/refresh", {
        json: { agent_id: agent.agentId, token: agent.token },
      });
      expect([status, Object.keys(body as object)]).toEqual([200, ["jwt"]]);
      expect(await identity.authenticate(testSystem.system, (body as { jwt: string }).jwt)).toEqual({
        type: "agent",
        agentId: agent.agentId,
        ownerId: null,
        paymentScan: "off",
      });
    }
  });

  test("keeps the email in the JWT", async () => {
    const registered = await call("POST", "/register", {
      json: { agent_name: "e", client_info: "", email: "e@e.test" },
    });
    const { agent_id, token } = registered.body as { agent_id: string; token: string };
    const { body } = await call("POST", "/refresh", { json: { agent_id, token } });
    expect(decodeJwt((body as { jwt: string }).jwt).email).toBe("e@e.test");
  });

  test.each<[string, (a: TestAgent) => unknown, number, string]>([
    ["another token", (a) => ({ agent_id: a.agentId, token: `tok_${"A".repeat(24)}` }), 401, "invalid_token"],
    ["a shortened token", (a) => ({ agent_id: a.agentId, token: a.token.slice(0, -1) }), 401, "invalid_token"],
    ["the login JWT as token", (a) => ({ agent_id: a.agentId, token: a.jwt }), 401, "invalid_token"],
    ["an unknown agent", (a) => ({ agent_id: crypto.randomUUID(), token: a.token }), 404, "agent_not_found"],
    ["an invalid id", (a) => ({ agent_id: "ag_1", token: a.token }), 404, "agent_not_found"],
    ["the id in upper case", (a) => ({ agent_id: a.agentId.toUpperCase(), token: a.token }), 404, "agent_not_found"],
  ])("refuses %s", async (_, json, status, error) => {
    const response = await call("POST", "/refresh", { json: json(agent) });
    expect([response.status, response.body]).toEqual([status, { error }]);
  });

  test.each<[string, (a: TestAgent) => unknown]>([
    ["no agent_id", (a) => ({ token: a.token })],
    ["no token", (a) => ({ agent_id: a.agentId })],
    ["an empty token", (a) => ({ agent_id: a.agentId, token: "" })],
    ["a token that is a number", (a) => ({ agent_id: a.agentId, token: 1 })],
    ["an endless agent_id", (a) => ({ agent_id: "x".repeat(300), token: a.token })],
    ["an agent_id that is a list", (a) => ({ agent_id: [a.agentId], token: a.token })],
    ["nothing", () => ({})],
  ])("rejects %s with 400", async (_, json) => {
    const response = await call("POST", "/refresh", { json: json(agent) });
    expect([response.status, response.body]).toEqual([400, { error: expect.any(String) }]);
  });

  test("rejects a deleted agent", async () => {
    const formerAgent = await newAgent();
    await testSystem.sql`update agents set deleted_at = now() where id = ${formerAgent.agentId}`;
    const response = await call("POST", "/refresh", {
      json: { agent_id: formerAgent.agentId, token: formerAgent.token },
    });
    expect([response.status, response.body]).toEqual([404, { error: "agent_not_found" }]);
  });
});

describe("the service's public keys", () => {
  test("are published as a JWKS with public members only, cached for five minutes", async () => {
    await newAgent();
    await identity.keepKeys(testSystem.system);
    const response = await getJwks();
    const { keys }: { keys: object[] } = await response.json();
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(keys.length).toBeGreaterThanOrEqual(1);
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
  });

  test("are published as PEM: the current signing key", async () => {
    const { jwt } = await newAgent();
    const { status, text } = await call("GET", "/public-key.pem");
    expect(status).toBe(200);
    await expect(compactVerify(jwt, await importSPKI(text, "RS256"))).resolves.toBeDefined();
  });

  test("have private keys that are stored encrypted", async () => {
    const rows = await testSystem.sql`select sealed_key from signing_keys`;
    for (const { sealed_key } of rows) expect(sealed_key).toMatch(/^v1\.[0-9a-f]{16}\./);
  });
});

describe("GET /agent/{agentId}", () => {
  test("returns public data", async () => {
    const { agentId } = await newAgent("Public name");
    const { status, body } = await call("GET", `/agent/${agentId}`);
    expect([status, body]).toEqual([
      200,
      {
        agent_id: agentId,
        agent_name: "Public name",
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        wallet_linked: false,
      },
    ]);
  });

  test.each([crypto.randomUUID(), "ag_1", "..%2f"])("responds with 404 for %s", async (id) => {
    const { status, body } = await call("GET", `/agent/${id}`);
    expect([status, body]).toEqual([404, { error: "agent_not_found" }]);
  });

  test("responds with 404 for a deleted agent", async () => {
    const { agentId } = await newAgent();
    await testSystem.sql`update agents set deleted_at = now() where id = ${agentId}`;
    expect((await call("GET", `/agent/${agentId}`)).status).toBe(404);
  });
});

describe("a login JWT", () => {
  let mine: TokenParts;
  let hostile: HostileToken[];

  beforeAll(async () => {
    const [one, another] = [await newAgent(), await newAgent()];
    const dropped = { kid: "dropped", key: stranger.privateKey };
    mine = await partsOf(testSystem, one.jwt, another.jwt, dropped);
    hostile = hostileLogins(mine);
  });

  test("assembled by the test in the valid form is accepted, so each forged one fails for its one difference", async () => {
    const agentId = mine.claims.sub;
    expect(await identity.authenticate(testSystem.system, withHeader({})(mine))).toMatchObject({ agentId });
    expect((await call("GET", "/api/mandates", { bearer: withHeader({})(mine) })).status).not.toBe(401);
  });

  const INVALID = "invalid_or_expired_jwt";

  test("with any fault is rejected", async () => {
    for (const { name, token, isCredential } of hostile) {
      const code = await identity.authenticate(testSystem.system, token).catch((error: { code: string }) => error.code);
      expect.soft([name, code]).toEqual([name, isCredential ? "wrong_token_type" : INVALID]);
    }
  });

  test("of a megabyte is rejected", async () => {
    const [header, , signature] = mine.token.split(".");
    const token = `${header}.${"A".repeat(1_000_000)}.${signature}`;
    await expect(identity.authenticate(testSystem.system, token)).rejects.toMatchObject({ code: INVALID });
  });

  test.each<[string, (m: TokenParts) => string, string, number]>([
    ["a fault", withHeader({ typ: "jwt" }), INVALID, 401],
    ["the type of a credential", withHeader({ typ: "agent-vc" }), "wrong_token_type", 401],
    ["an unknown agent", (m) => withClaims(ofNobody())(m), "agent_not_found", 404],
  ])("with %s is rejected with the next step", async (_, forge, code, status) => {
    const response = await call("GET", "/api/mandates", { bearer: forge(mine) });
    expect([response.status, response.body]).toEqual([
      status,
      {
        ...(status === 401 && { payment_model_context: expect.any(Object) }),
        status: "error",
        code,
        error: expect.any(String),
        message: expect.stringMatching(/POST \/re/),
        requestId: expect.any(String),
        ...remedy(code),
      },
    ]);
  });

  const ofNobody = () => {
    const id = crypto.randomUUID();
    return { agent_id: id, sub: id };
  };

  test.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["a scheme without a token", { authorization: "Bearer" }],
    ["two tokens", { authorization: "Bearer a, Bearer b" }],
    ["an empty header", { authorization: "" }],
  ])("is required when the request has %s, before the body is read", async (_, headers) => {
    const response = await call("POST", "/api/mandates/create-intent", { headers, raw: "{" });
    expect([response.status, response.body]).toMatchObject([401, { status: "error", code: "missing_bearer" }]);
  });

  test("of a deleted agent is agent_not_found immediately, however often it logged in before", async () => {
    const { agentId, jwt } = await newAgent();
    for (const _ of [1, 2]) await identity.authenticate(testSystem.system, jwt);
    await testSystem.sql`update agents set deleted_at = now() where id = ${agentId}`;
    await expect(identity.authenticate(testSystem.system, jwt)).rejects.toMatchObject({ code: "agent_not_found" });
  });

  test("that is cached is still rejected from the second of its expiry", async () => {
    const { jwt } = await newAgent();
    const { exp = 0 } = decodeJwt(jwt);
    const systemAt = (ms: number): System => ({ ...testSystem.system, now: () => new Date(ms) });
    await identity.authenticate(systemAt(exp * 1000 - 1), jwt);
    await expect(identity.authenticate(systemAt(exp * 1000), jwt)).rejects.toMatchObject({ code: INVALID });
  });

  test("costs one query, then none while its key is cached; a flood of unknown key ids costs almost none", async () => {
    const queries: string[] = [];
    const counting = openSystem();
    const system = { ...counting.system, db: counted(counting.system.db, queries) };
    const { jwt } = await newAgent();
    await identity.authenticate(system, jwt);
    queries.length = 0;
    await identity.authenticate(system, jwt);
    expect(queries).toEqual(["select"]);

    queries.length = 0;
    const flood = Array.from({ length: 500 }, (_, index) => withHeader({ kid: `unknown ${index}` })(mine));
    const outcomes = await Promise.allSettled(flood.map((token) => identity.authenticate(system, token)));
    expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
    expect(queries.length).toBeLessThanOrEqual(20);
    await counting.close();
  });
});

describe("key rotation", () => {
  const MINUTE = 60_000;
  const DAY = 86_400_000;

  /** A new key ring, read by several replicas whose clock the test sets. */
  async function replicas(n: number) {
    await testSystem.sql`delete from signing_keys`;
    let clock = Date.now();
    const systems = Array.from({ length: n }, () => openSystem({ now: () => new Date(clock) }));
    return {
      systems: systems.map(({ system }) => system),
      pass: (ms: number) => {
        clock += ms;
      },
      close: () => Promise.all(systems.map(({ close }) => close())),
    };
  }

  const login = async (system: System) =>
    (await identity.register(system, { agentName: "r", clientInfo: "", email: null })).jwt;
  const published = async (system: System) => (await identity.jwks(system)).keys.map((key) => key.kid);

  test("replicas that start at once agree on one first key and one next key", async () => {
    const { systems, close } = await replicas(5);
    const jwts = await Promise.all(systems.map(login));
    expect(new Set(jwts.map(kidOf)).size).toBe(1);
    await Promise.all(systems.map((system) => identity.keepKeys(system)));
    await Promise.all(systems.map((system) => identity.keepKeys(system)));
    expect(await count("signing_keys")).toBe(2);
    await close();
  });

  test("a new key is published longer than the JWKS is cached before it signs, and takes over by time alone", async () => {
    const { systems, pass, close } = await replicas(2);
    const [a, b] = systems as [System, System];
    const loginBefore = await login(a);
    await identity.keepKeys(a);
    const { kid, activeFrom } = await identity.rotateKeys(a);
    expect(activeFrom.getTime() - a.now().getTime()).toBeGreaterThan(300_000);
    expect(await published(a)).toContain(kid);
    expect(kidOf(await login(a))).toBe(kidOf(loginBefore));

    pass(activeFrom.getTime() - a.now().getTime());
    expect(kidOf(await login(a))).toBe(kid);
    expect(kidOf(await login(b))).toBe(kid);
    await close();
  });

  test("a forced rotation signs with the new key immediately; tokens of the old key work on every replica until they expire", async () => {
    const { systems, close } = await replicas(2);
    const [a, b] = systems as [System, System];
    const loginBefore = await login(a);
    const { kid } = await identity.rotateKeys(a, { force: true });
    const loginAfter = await login(a);
    expect(kidOf(loginAfter)).toBe(kid);
    expect(kidOf(loginBefore)).not.toBe(kid);
    expect(await published(a)).toEqual(expect.arrayContaining([kid, kidOf(loginBefore)]));
    for (const system of [a, b]) {
      for (const jwt of [loginBefore, loginAfter])
        await expect(identity.authenticate(system, jwt)).resolves.toBeDefined();
    }
    await close();
  });

  test("a retired key leaves the JWKS once its last token has expired, and not before", async () => {
    const { systems, pass, close } = await replicas(1);
    const [a] = systems as [System];
    const old = kidOf(await login(a));
    await identity.rotateKeys(a, { force: true });
    pass(DAY - MINUTE);
    await identity.keepKeys(a);
    expect(await published(a)).toContain(old);
    pass(3 * MINUTE);
    await identity.keepKeys(a);
    expect(await published(a)).not.toContain(old);
    await close();
  });

  test("keys rotate by themselves: one always signs, and the next is published in time", async () => {
    const { systems, pass, close } = await replicas(1);
    const [a] = systems as [System];
    const kids = new Set<string>();
    for (let day = 0; day < 100; day += 5) {
      await identity.keepKeys(a);
      kids.add(kidOf(await login(a)));
      expect((await published(a)).length).toBeLessThanOrEqual(3);
      pass(5 * DAY);
    }
    expect(kids.size).toBe(4);
    await close();
  });

  test("a revoked key's tokens are rejected immediately, also cached ones, and another key signs", async () => {
    const { systems, close } = await replicas(1);
    const [a] = systems as [System];
    const leaked = await login(a);
    await identity.authenticate(a, leaked);
    await identity.revokeKey(a, kidOf(leaked));
    await expect(identity.authenticate(a, leaked)).rejects.toMatchObject({ code: "invalid_or_expired_jwt" });
    expect(await published(a)).not.toContain(kidOf(leaked));
    await expect(identity.authenticate(a, await login(a))).resolves.toBeDefined();
    await close();
  });

  test("simultaneous forced rotations leave one signing key, and all their tokens stay valid", async () => {
    const { systems, close } = await replicas(4);
    await Promise.all(systems.map((system) => identity.rotateKeys(system, { force: true })));
    const jwts = await Promise.all(systems.map(login));
    expect(new Set(jwts.map(kidOf)).size).toBe(1);
    for (const system of systems) {
      for (const jwt of jwts) await expect(identity.authenticate(system, jwt)).resolves.toBeDefined();
    }
    await close();
  });
});
