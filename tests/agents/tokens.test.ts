import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "@/lib/core/endpoint";
import type { System } from "@/lib/platform/context";
import { newAgent } from "../support/actors";
import { counted } from "../support/counted";
import { endpoints, named, unknownPath } from "../support/endpoints";
import { b64, partsOf, signerOf, type TokenParts, withClaims, withHeader } from "../support/forged-tokens/parts";
import { type HostileToken, hostileCredentials, hostileLogins, hostileReceipts } from "../support/forged-tokens/tokens";
import { linkedPair, proposed } from "../support/mandates";
import { type Served, serve } from "../support/serve";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

type Issued = { vc: string };

const NOW_SECONDS = Math.floor(Date.now() / 1000);

let world: World;
let served: Served;
let testSystem: ReturnType<typeof openSystem>;
let identity: typeof import("@/lib/identity/service");
let paidAgent: string;
let mandateId: string;
let login: TokenParts;
let credential: TokenParts;
let hostile: HostileToken[];

beforeAll(async () => {
  world = await createWorld();
  const { closeSystem } = await import("../support/wiring");
  const { agent } = await linkedPair();
  paidAgent = agent.agentId;
  ({ mandateId } = await proposed(agent));
  await closeSystem();
  served = await serve();
  testSystem = openSystem();
  identity = await import("@/lib/identity/service");

  const leaked = await signerOf(testSystem, agent.jwt);
  await identity.revokeKey(testSystem.system, leaked.kid);
  const [one, another] = [await newAgent(), await newAgent()];
  login = await partsOf(testSystem, one.jwt, another.jwt, leaked);
  credential = await partsOf(testSystem, await credentialOf(one.jwt), await credentialOf(one.jwt), leaked);
  const receiptOf = (sub: unknown) =>
    identity.signReceipt(testSystem.system, { iss: served.url, sub, iat: NOW_SECONDS });
  // Hostile values in the place of a settlement's id.
  const sub = login.claims.sub;
  const receipt = await partsOf(testSystem, await receiptOf(sub), await receiptOf("stl_other"), leaked);
  hostile = [...hostileLogins(login), ...hostileCredentials(credential), ...hostileReceipts(receipt)];
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await served?.stop();
  await testSystem?.close();
  await world?.stop();
});

type Reply = { status: number; body: unknown };

async function send(method: string, path: string, headers: Record<string, string>, json?: unknown): Promise<Reply> {
  const isRead = method === "GET";
  const res = await fetch(`${served.url}${path}`, {
    method,
    headers: { ...headers, ...(!isRead && { "content-type": "application/json" }) },
    ...(!isRead && { body: JSON.stringify(json ?? {}) }),
    redirect: "manual",
  });
  return { status: res.status, body: await res.json() };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const verify = (vc: string) => send("POST", "/verify-vc", {}, { vc });

async function credentialOf(jwt: string): Promise<string> {
  const request = { challenge: "c-1", audience: "https://verifier.test", ttl_seconds: 3600 };
  const { status, body } = await send("POST", "/agent/vc/issue", bearer(jwt), request);
  expect(status).toBe(200);
  return (body as Issued).vc;
}

/** HTTP trims header values and allows neither control characters nor 16-bit characters. */
const canTravel = ({ token }: HostileToken) => /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(token);

const LANES = 8;

/** The findings of `check` for each token; null means correct. */
async function findings<T extends { name: string }>(
  tokens: readonly T[],
  check: (each: T) => Promise<unknown>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  const queue = [...tokens];
  const lane = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const wrong = await check(each);
      if (wrong !== null) found.push([each.name, wrong]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found;
}

/** The server accepts at most 16 KB of headers, not counting a credential on routes that take one. Node adds headers. */
const HEADER_CHARACTERS_MAX = 16_000;
const isTooLarge = (e: Endpoint, headers: Record<string, string>): boolean => {
  const counted = Object.entries(headers).filter(([name]) => e.path !== "/agent/vc/issue" || name !== "authorization");
  return counted.reduce((sum, [, value]) => sum + value.length, 0) > HEADER_CHARACTERS_MAX;
};
const codeOf = ({ code, error }: { code?: unknown; error?: unknown }) => String(code ?? error).toLowerCase();
const refusedByEntry = ({ status, body }: Reply) => same([status, codeOf(body as object)], [431, "headers_too_large"]);

const same = (got: unknown, wanted: unknown) => (JSON.stringify(got) === JSON.stringify(wanted) ? null : got);

const codeFor = ({ token, isCredential }: HostileToken): string => {
  // RFC 6750 allows neither a space nor a comma in a token, so this counts as no token.
  if (/[\s,]/.test(token)) return "missing_bearer";
  return isCredential ? "wrong_token_type" : "invalid_or_expired_jwt";
};

/** The code in the spelling of the endpoint's surface. */
const spelt = ({ surface }: Endpoint, code: string) => (surface === "resource" ? code.toUpperCase() : code);

const forAgents = endpoints.filter((e) => e.auth === "agent").map((e) => [named(e), e] as const);

const SHARES = 5;

/** A fifth of the tokens, rotated by endpoint: each token is tried at every fifth endpoint of a kind. */
const shareOf = <T>(tokens: readonly T[], e: Endpoint): T[] =>
  tokens.filter((_, index) => index % SHARES === endpoints.indexOf(e) % SHARES);

test("the table of hostile tokens has many of each kind, and nearly all of them fit into a header", () => {
  const names = hostile.map(({ name }) => name);
  const distinct = new Set(hostile.map(({ token }) => token));
  expect(new Set(names).size).toBe(names.length);
  for (const kind of ["login", "credential"]) {
    expect(names.filter((name) => name.startsWith(kind)).length).toBeGreaterThanOrEqual(180);
  }
  // Tokens without parts of either kind are the same for both.
  expect(distinct.size).toBeGreaterThanOrEqual(hostile.length - 10);
  expect(hostile.filter((each) => !canTravel(each)).map(({ name }) => name.split(": ")[1])).toEqual(
    [UNFIT, UNFIT].flat(),
  );
});

const UNFIT = [
  "a blank before",
  "a blank behind",
  "a line end behind",
  "CR LF behind",
  "NUL behind",
  "a line end inside",
  "a line end in the signature",
  "dots that are none",
  "a byte order mark before",
  "nothing",
];

describe("a hand-built token without a fault", () => {
  test.each(forAgents)("is accepted as a login by %s", async (_, e) => {
    for (const token of [login.token, withHeader({})(login), withClaims({})(login)]) {
      const { status, body } = await send(e.method, unknownPath(e), bearer(token));
      expect([status, body]).not.toEqual([401, expect.anything()]);
    }
  });

  test("is a valid credential for /verify-vc", async () => {
    for (const token of [credential.token, withHeader({})(credential), withClaims({ jti: "vc_other" })(credential)]) {
      expect(await verify(token)).toEqual({ status: 200, body: { valid: true, payload: decodeJwt(token) } });
    }
  });

  test("is accepted with the optional claims of a credential", async () => {
    const vc = withClaims({ email: "a@b.test", wallet_address: "0x1" })(credential);
    expect(await verify(vc)).toEqual({ status: 200, body: { valid: true, payload: decodeJwt(vc) } });
  });
});

describe("no endpoint for agents accepts a hostile token as a login:", () => {
  test.each(forAgents)("%s", async (_, e) => {
    const found = await findings(shareOf(hostile.filter(canTravel), e), async (each) => {
      const { status, body } = await send(e.method, unknownPath(e), bearer(each.token));
      if (isTooLarge(e, bearer(each.token))) return refusedByEntry({ status, body });
      const code = codeFor(each);
      if (e.surface === "identity") return same([status, body], [401, { error: code }]);
      const fields = body as Record<string, unknown>;
      const isWhole =
        typeof fields.error === "string" && fields.error === fields.message && typeof fields.requestId === "string";
      return isWhole ? same([status, fields.status, fields.code], [401, "error", spelt(e, code)]) : fields;
    });
    expect(found).toEqual([]);
  });

  test.each(forAgents)("%s, and /verify-vc does not accept it as a credential", async (_, e) => {
    const { status, body } = await send(e.method, unknownPath(e), bearer(credential.token));
    const code = spelt(e, "wrong_token_type");
    const identity = { error: code };
    expect([status, body]).toEqual([401, e.surface === "identity" ? identity : expect.objectContaining({ code })]);
  });
});

test("a login JWT of an agent that never existed is rejected with agent_not_found", async () => {
  const unknownId = crypto.randomUUID();
  const token = withClaims({ agent_id: unknownId, sub: unknownId })(login);
  expect(await send("POST", "/agent/vc/issue", bearer(token))).toEqual({
    status: 404,
    body: { error: "agent_not_found" },
  });
});

test("/verify-vc accepts neither hostile tokens nor a login JWT as a credential", async () => {
  const all = [...hostile, { name: "a good login JWT", token: login.token }].filter(({ token }) => token !== "");
  const found = await findings(all, async ({ token }) => {
    const { status, body } = await verify(token);
    return same([status, body], [401, { error: "invalid_or_expired_vc" }]);
  });
  expect(found).toEqual([]);
  expect(all.length).toBe(hostile.length - 1);
  expect(await verify("")).toEqual({ status: 400, body: { error: "vc required" } });
});

test("/refresh accepts none of the service's JWTs in place of the permanent token", async () => {
  const all = [...hostile, ...good()].filter(({ token }) => token !== "");
  const found = await findings(all, async ({ token }) => {
    const { status, body } = await send("POST", "/refresh", {}, { agent_id: login.claims.sub, token });
    if (token.length > 65_000) return same([status, body], [413, { error: "body_too_large" }]);
    return same([status, body], [401, { error: "invalid_token" }]);
  });
  expect(found).toEqual([]);
});

const good = () => [
  { name: "a good login JWT", token: login.token, isCredential: false },
  { name: "a good credential", token: credential.token, isCredential: true },
];

/** The token in each place of a browser's credentials; a token that fills the header limit is in one place at a time. */
function placings(token: string): Record<string, string>[] {
  const cookie = { cookie: `next-auth.session-token=${token}`, origin: served.url };
  return token.length > 40_000 ? [bearer(token), cookie] : [{ ...bearer(token), ...cookie }];
}

/** The first finding of `check`. */
async function anywhere(e: Endpoint, path: string, token: string, check: (reply: Reply) => unknown): Promise<unknown> {
  for (const headers of placings(token)) {
    const reply = await send(e.method, path, headers);
    const wrong = isTooLarge(e, headers) ? refusedByEntry(reply) : check(reply);
    if (wrong !== null) return wrong;
  }
  return null;
}

const forOwners = endpoints.filter((e) => e.auth === "owner").map((e) => [named(e), e] as const);

describe("endpoints for owners accept neither valid nor hostile tokens:", () => {
  test.each(forOwners)("%s", async (_, e) => {
    const tokens = [...good(), ...shareOf(hostile.filter(canTravel), e)];
    const found = await findings(tokens, ({ token }) =>
      anywhere(e, unknownPath(e), token, ({ status, body }) =>
        same([status, (body as { code?: unknown }).code], [401, "session_required"]),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe("endpoints without a login respond the same with any token:", () => {
  const forVisitors = endpoints.filter((e) => e.auth === "visitor").map((e) => [named(e), e] as const);
  const pathOf = (e: Endpoint) => e.path.replace("{mandateId}", mandateId);
  const stable = ({ status, body }: Reply) => [status, { ...(body as object), requestId: "" }];

  test.each(forVisitors)("%s", async (_, e) => {
    const anonymous = stable(await send(e.method, pathOf(e), {}));
    expect(anonymous[0]).toBe(404);
    const tokens = [...good(), ...shareOf(hostile.filter(canTravel), e)];
    const found = await findings(tokens, async ({ token }) => {
      const finding = await anywhere(e, pathOf(e), token, (reply) => same(stable(reply), anonymous));
      const { status } = await send(e.method, `${pathOf(e)}?token=${encodeURIComponent(token)}`, {});
      const isTooLong = encodeURIComponent(token).length > 8_000;
      return finding ?? (status === 404 || status === (isTooLong ? 414 : token.length > 200 && 400) ? null : status);
    });
    expect(found).toEqual([]);
  });
});

test("no token is accepted as a payment", async () => {
  const path = `/unifypaymentlink/agentid/${paidAgent}?amount=1000&asset=usdc`;
  expect((await send("GET", path, {})).status).toBe(402);
  const found = await findings([...good(), ...hostile].filter(canTravel), async ({ token }) => {
    const { status, body } = await send("GET", path, { "x-payment": token });
    return same([status, (body as { code?: unknown }).code], [400, "INVALID_PAYMENT_HEADER"]);
  });
  expect(found).toEqual([]);
});

test("the hostile tokens signed with the service's key are those of a credential's type, as the table says", async () => {
  const keys = createLocalJWKSet((await (await fetch(`${served.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet);
  const found = await findings(
    hostile.filter(({ isCredential }) => isCredential),
    async ({ token }) => {
      const { protectedHeader } = await compactVerify(token, keys, { algorithms: ["RS256"] });
      return same(protectedHeader.typ, "agent-vc");
    },
  );
  expect(found).toEqual([]);
});

describe("a flood of tokens at /verify-vc", () => {
  const [WAVES, AT_ONCE] = [100, 20];

  /** The number of refused tokens of a flood, and of its queries beyond four a second. */
  async function flood(token: (at: number) => string) {
    const queries: string[] = [];
    const { system, close } = openSystem();
    const counting: System = { ...system, db: counted(system.db, queries) };
    await identity.verifyCredential(counting, credential.token, {});
    queries.length = 0;
    let refusal = 0;
    const began = performance.now();
    for (let wave = 0; wave < WAVES; wave++) {
      const tokens = Array.from({ length: AT_ONCE }, (_, index) => token(wave * AT_ONCE + index));
      const outcomes = await Promise.allSettled(tokens.map((each) => identity.verifyCredential(counting, each, {})));
      refusal += outcomes.filter((outcome) => outcome.status === "rejected").length;
    }
    const allowed = (performance.now() - began) / 250;
    await close();
    return { refused: refusal, excess: Math.max(0, queries.length - allowed) };
  }

  test("with unknown key ids refreshes the keys only occasionally", async () => {
    const header = (index: number) => b64({ ...credential.header, kid: `unknown ${index}` });
    const [, claims, signature] = credential.token.split(".");
    const { refused, excess } = await flood((index) => `${header(index)}.${claims}.${signature}`);
    expect(refused).toBe(WAVES * AT_ONCE);
    expect(excess).toBeLessThanOrEqual(2);
  });

  test("with invalid signatures under a known key id causes no database query", async () => {
    const [header, , signature] = credential.token.split(".");
    const { refused, excess } = await flood((index) => `${header}.${b64(`x${index}`)}.${signature}`);
    expect(refused).toBe(WAVES * AT_ONCE);
    expect(excess).toBeLessThanOrEqual(2);
  });
});
