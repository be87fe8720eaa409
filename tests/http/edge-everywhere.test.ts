import { beforeAll, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { countsStorage, type Endpoint } from "@/lib/core/endpoint";
import { newId } from "@/lib/core/ids";
import { LIMIT_NAMES, type LimitName } from "@/lib/core/limits";
import { UPSTREAM_REQUEST_BYTES_MAX } from "@/lib/links/upstream/limits";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { bodyOf, codesOf, isPaid, takesIdempotencyKey } from "@/lib/openapi/failures";
import { IS_IN_PROCESS } from "../support/base-url";
import { named } from "../support/endpoints";
import { newKey } from "../support/facilitator";
import { type Answer, type CallOptions, call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { payout } from "../support/payouts";
import { BODIES, PAID_BODIES, pathOf } from "../support/requests";
import { runService } from "../support/service";

/** Refusals of the edge, at every endpoint that declares them. */
const service = runService();
const all = ENDPOINTS.map(({ endpoint }) => [named(endpoint), endpoint] as const);
const declaring = (code: string) =>
  all.filter(([, e]) => [...codesOf(e).values()].some((codes) => codes.has(inCaseOf(e, code))));
const inCaseOf = (e: Endpoint, code: string) => (e.surface === "resource" ? code.toUpperCase() : code.toLowerCase());

let pair: Parties;
let sellerKey: string;
let toolsLinkId: string;
beforeAll(async () => {
  pair = await linkedPair();
  const json = { amount: "1", upstream: { kind: "mcp", url: "http://localhost:9/mcp" } };
  const { body } = await call("POST", "/api/payment-links", { bearer: pair.agent.jwt, json });
  toolsLinkId = (body as Json).paymentLink.linkId;
  sellerKey = (await newKey(pair.owner.session)).secret;
});

const JSON_TYPE = { "content-type": "application/json" };
/** A payment that cannot be read, for endpoints that read their body only with one. */
const payingFor = (e: Endpoint): Record<string, string> => (isPaid(e) ? { "x-payment": "nonsense" } : {});

/** The credentials that the endpoint takes. */
function loginFor({ auth, path }: Endpoint): CallOptions {
  if (auth === "agent" || path === "/mcp/oauth") return { bearer: pair.agent.jwt };
  if (auth === "seller") return { bearer: sellerKey };
  return auth === "owner" || auth === "visitor" ? { session: pair.owner.session } : {};
}

const send = (e: Endpoint, { headers, ...options }: CallOptions = {}, query = "") =>
  call(e.method, pathOf(e.path.replace("/mcp/{linkId}", `/mcp/${toolsLinkId}`), pair) + query, {
    ...loginFor(e),
    ...options,
    headers: { ...payingFor(e), ...headers },
  });

function expectCode(e: Endpoint, response: Answer, status: number, code: string): void {
  const { body } = response;
  const member = e.surface === "identity" ? "error" : "code";
  // A 400 of an identity endpoint has words.
  const isInWords = e.surface === "identity" && status === 400;
  expect([response.status, body]).toMatchObject([
    status,
    { [member]: isInWords ? expect.any(String) : inCaseOf(e, code) },
  ]);
}

describe.skipIf(IS_IN_PROCESS)("a query string that is too long", () => {
  test.each(all)("is refused by %s", async (_, e) => {
    expectCode(e, await send(e, {}, `?${"x".repeat(8193)}`), 414, "uri_too_long");
  });
});

/** Scans take members of any name: they report those that they should have understood. */
const OPEN_BODIES = new Set(["scan", "x402-scan"].map((name) => `/api/transaction-firewall/{firewallId}/api/${name}`));

/** Ids whose form is refused before the body is read. */
const withValidIds = (path: string) =>
  path
    .replace("{address}", freshAddress())
    .replace("{keyId}", newId("facilitatorKey"))
    .replace("{paymentRecordId}", newId("payment"))
    .replace("{settlementId}", newId("settlement")) as Endpoint["path"];

describe("a request body", () => {
  test.each(declaring("body_too_large"))("that is too large is refused by %s", async (_, e) => {
    const raw = "x".repeat((e.bodyBytesMax ?? e.rawBody?.bytesMax ?? BYTES_MAX[e.path] ?? 65_536) + 1);
    expectCode(e, await send(e, { raw, headers: JSON_TYPE }), 413, "body_too_large");
  });

  test.each(declaring("unsupported_media_type"))("that is not declared as JSON is refused by %s", async (_, e) => {
    expectCode(
      e,
      await send(e, { raw: "{}", headers: { "content-type": "text/plain" } }),
      415,
      "unsupported_media_type",
    );
  });

  // Paid calls of tools have a body of JSON; tests/links/sold-tools sends them others.
  const ofJson = declaring("invalid_json").filter(([, { path }]) => path !== "/paid/{linkId}/{path}");
  test.each(ofJson)("that is invalid JSON is refused by %s", async (_, e) => {
    expectCode(e, await send(e, { raw: "{", headers: JSON_TYPE }), 400, "invalid_json");
  });

  const takesBody = all.filter(([, e]) => bodyOf(e) && !OPEN_BODIES.has(e.path));
  test.each(takesBody)("with a member that no schema lists is refused by its name, or ignored, by %s", async (_, e) => {
    const listed = BODIES[e.path]?.() ?? PAID_BODIES[e.path]?.(pair) ?? Object(e.example?.request);
    const response = await send({ ...e, path: withValidIds(e.path) }, { json: { ...listed, nobodysMember: 1 } });
    const { error, message = error }: Json = response.body;
    const isNamed = String(message).includes("nobodysMember: is not a field of this request");
    expect([message, isNamed]).toEqual([message, e.ignoresUnknown === undefined]);
  });

  const BYTES_MAX: Record<string, number> = {
    "/mcp": 262_144,
    "/mcp/oauth": 262_144,
    "/mcp/{linkId}": 262_144,
    "/paid/{linkId}/{path}": UPSTREAM_REQUEST_BYTES_MAX,
  };
});

test.each(all.filter(([, e]) => takesIdempotencyKey(e)))(
  "an invalid Idempotency-Key is refused by %s",
  async (_, e) => {
    const headers = { "idempotency-key": "x".repeat(300) };
    expectCode(e, await send(e, { json: BODIES[e.path]?.(), headers }), 400, "invalid_request");
  },
);

/** Its answer has no end; tests/live has its parameter. */
const isStream = ({ path }: Endpoint) => path === "/api/events";

test.each(all.filter(([, e]) => (e.params || e.query) && !isStream(e)))(
  "invalid path and query parameters get a declared refusal from %s",
  async (_, e) => {
    const path = e.path.replace(/\{\w+\}/g, "%20");
    for (const query of ["", "?limit=x&limit=y&amount=x&amount=y"]) {
      const { status } = await call(e.method, path + query, {
        ...loginFor(e),
        ...(e.method !== "GET" && { json: {} }),
      });
      expect(status).toBeLessThan(500);
    }
  },
);

describe("an agent's login", () => {
  let deleted: string;
  let credential: string;

  beforeAll(async () => {
    const { agent, owner } = await signedMandate();
    const removed = await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    expect(removed.status).toBe(200);
    deleted = agent.jwt;
    const json = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
    credential = ((await call("POST", "/agent/vc/issue", { bearer: pair.agent.jwt, json })).body as Json).vc;
  });

  const withBearer = (e: Endpoint, bearer: string) =>
    send(e, { bearer, ...(e.path.startsWith("/mcp") && { json: { jsonrpc: "2.0", id: 1, method: "tools/list" } }) });
  const cases: [string, number, () => string][] = [
    ["invalid_or_expired_jwt", 401, () => "a.b.c"],
    ["invalid_token", 401, () => "tok_000000000000000000000000"],
    ["wrong_token_type", 401, () => credential],
    ["agent_not_found", 404, () => deleted],
  ];
  const forAgents = ({ auth, path }: Endpoint) => auth === "agent" || auth === "guest" || path.startsWith("/mcp");

  describe.each(cases)("that is refused with %s", (code, status, bearerOf) => {
    test.each(declaring(code).filter(([, e]) => forAgents(e)))("is refused by %s", async (_, e) => {
      expectCode(e, await withBearer(e, bearerOf()), status, code);
    });
  });
});

/** The limit of all endpoints together. */
const SHARED: LimitName = "work_per_address";

describe("above its rate limit", () => {
  const limited = declaring("rate_limited");
  const ofAddress = limited.filter(([, e]) => e.limitPerAddress !== undefined || isPaid(e));
  /** Counted only for what exists already, or for an address that a payment names: their own tests have it. */
  const COUNTED_LATER =
    /^\/api\/(?:agents\/\{agentId\}\/payment-links\/|payment\/x402V3Payment|v2\/payment|approvals\/|mandates\/|payees\/|credits\/|webhooks|refunds$|payment-links\/refunds\/|wallet\/(?:addresses|approval-limit|spending-caps|payee-lists|recoveries|payouts\/))/;
  const ofCaller = limited.filter(
    ([, e]) =>
      Object.keys(e.errors).some((code) => code.toLowerCase() === "rate_limited") &&
      !ofAddress.some(([, otherEndpoint]) => otherEndpoint === e) &&
      e.path in BODIES &&
      !COUNTED_LATER.test(e.path),
  );
  const isOfStorage = (name: string) => name.startsWith("stored_kb_");

  beforeAll(async () => {
    // With a mandate, its owner can issue tokens and credentials for the agent.
    pair = await signedMandate();
    sellerKey = (await newKey(pair.owner.session)).secret;
    const names = LIMIT_NAMES.filter((name) => name !== SHARED && !isOfStorage(name));
    await service.restart({ RATE_LIMITS: [`${SHARED}=1000000/1m`, ...names.map((name) => `${name}=1/1h`)].join(",") });
    await service.opened.sql`truncate rate_limits`;
  });

  test.each(ofAddress)("%s refuses the client's address", async (_, e) => {
    const json = PAID_BODIES[e.path]?.(pair);
    await send(e, { json });
    expectCode(e, await send(e, { json }), 429, "rate_limited");
  });

  test.each(ofCaller)("%s refuses the caller", async (_, e) => {
    const options = () => ({ json: BODIES[e.path]?.() });
    await send(e, options());
    expectCode(e, await send(e, options()), 429, "rate_limited");
  });

  test.each<[string, string, () => object]>([
    ["POST", "/api/wallet/approval-limit", () => ({ limit: "9000000000" })],
    ["POST", "/api/wallet/addresses", () => ({ address: freshAddress(), name: "Somebody" })],
    ["POST", "/api/wallet/payouts", () => ({ ...payout(), approve: true })],
    ["POST", "/api/wallet/payouts/batch", () => ({ rows: [payout({ payoutId: "a" })], approve: true })],
    ["PATCH", "/api/agents/{agentId}", () => ({ receivingAddress: freshAddress() })],
  ])("%s %s does not give the owner a further message to sign", async (method, path, json) => {
    const { session } = pair.owner;
    const send = () => call(method, pathOf(path, pair), { session, json: json() });
    await send();
    expect(await send()).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  });
});

describe("above the limits of stored bytes", () => {
  beforeAll(async () => {
    // Without the limits of the tests before, which let nobody sign in.
    await service.restart(LOOSE_LIMITS);
    await service.opened.sql`truncate rate_limits`;
    pair = await signedMandate();
    sellerKey = (await newKey(pair.owner.session)).secret;
    await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},stored_kb_per_address=1/1h` });
    await service.opened.sql`truncate rate_limits`;
  });

  test.each(all.filter(([, e]) => countsStorage(e)))("%s stores nothing", async (_, e) => {
    const options = e.rawBody ? { raw: "x" } : e.body ? { json: BODIES[e.path]?.() ?? {} } : {};
    expectCode(e, await send(e, options), 429, "rate_limited");
  });
});

describe("above the limit of all endpoints together", () => {
  beforeAll(async () => {
    await service.restart({ RATE_LIMITS: `${SHARED}=1/1h,login_work_per_address=1/1h` });
    await service.opened.sql`truncate rate_limits`;
    await call("GET", "/api/agents", { session: pair.owner.session });
    await call("POST", "/oauth/token");
  });

  test.each(all)("%s refuses the client's address before it reads anything else", async (_, e) => {
    expectCode(e, await call(e.method, pathOf(e.path, pair)), 429, "rate_limited");
  });
});
