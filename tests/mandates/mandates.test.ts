import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { BASE_URL, call } from "../support/http";
import {
  intentOf,
  type Json,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  signatureOver,
  signedMandate,
} from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;

beforeAll(async () => {
  pair = await linkedPair();
});

const create = (agent: TestAgent, body: unknown) =>
  call("POST", "/api/mandates/create-intent", { bearer: agent.jwt, json: body });
const get = async (agent: TestAgent, id: string) =>
  call("GET", `/api/mandates/agent/${id}`, { bearer: agent.jwt }) as Promise<{ status: number; body: Json }>;
const rowCount = async () => {
  const [row] = await service.opened
    .sql`select count(*)::int as n from mandates where agent_id = ${pair.agent.agentId}`;
  return row?.n;
};

describe("POST /api/mandates/create-intent", () => {
  test("creates a mandate that waits for its owner's signature, for an agent with an owner", async () => {
    const startTime = Date.now();
    const res = await create(pair.agent, {
      intent: {
        ...intentOf(),
        category: "data",
        hostAllowlist: ["API.Example.com", "api.example.com:443", "api.example.com"],
      },
    });
    const body = res.body as Json;
    expect({ ...body, status: res.status }).toEqual({
      status: 200,
      mandateId: expect.stringMatching(/^mand_[0-9A-Za-z]{24}$/),
      authorizationUrl: expect.stringMatching(
        new RegExp(`^${BASE_URL}/authorize/mandate/${body.mandateId}\\?token=[\\w-]{43}$`),
      ),
      expiresAt: expect.any(String),
      agentStatus: "ready",
      ownerAddress: pair.owner.address,
    });
    expect(body.status).toBe("ok");
    expect(Math.abs(Date.parse(body.expiresAt) - (startTime + 3_600_000))).toBeLessThan(5_000);

    const stored = (await get(pair.agent, body.mandateId)).body;
    expect(stored.mandate).toEqual({
      mandateId: body.mandateId,
      agentId: pair.agent.agentId,
      mode: "wallet",
      vault: null,
      status: "pending_signature",
      isEnabled: false,
      requestedBy: "agent",
      naturalLanguage: "Pay for weather data",
      category: "data",
      currency: "USDC",
      network: "base",
      limitAmount: "1000000",
      limitAmountFormatted: "1.00",
      maxAmountPerPayment: null,
      maxAmountPerDay: null,
      maxAmountPerMonth: null,
      today: null,
      thisMonth: null,
      spentAmount: "0",
      spentAmountFormatted: "0.00",
      pendingSpentAmount: "0",
      pendingSpentAmountFormatted: "0.00",
      remainingAmount: "1000000",
      remainingAmountFormatted: "1.00",
      validFrom: expect.stringMatching(/:\d\d\.000Z$/),
      validUntil: body.expiresAt,
      hostAllowlist: ["api.example.com", "api.example.com:443"],
      asked: null,
      confirmPayees: false,
      mandateHash: null,
      replaces: null,
      replacedBy: null,
      signedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      detailsUrl: `${BASE_URL}/mandates/${body.mandateId}`,
      signUrl: body.authorizationUrl,
    });
  });

  test("creates a draft for an agent without an owner, and says that its user must link it", async () => {
    const agent = await newAgent();
    const { mandateId, agentStatus } = await proposed(agent);
    expect(agentStatus).toBe("needs_wallet_authorization");
    expect((await get(agent, mandateId)).body.mandate).toMatchObject({ status: "draft", isEnabled: false });
  });

  test("creates a draft that the agent cannot list: the list is 403 with the URL at which a person links the agent", async () => {
    const agent = await newAgent();
    await proposed(agent);
    const { status, body } = await call("GET", "/api/mandates", { bearer: agent.jwt });
    expect([status, body]).toMatchObject([
      403,
      {
        status: "error",
        code: "agent_not_authorized",
        message: expect.stringContaining("No person has linked this agent"),
        payment_model_context: { instructions: expect.stringContaining("/api/mandates/create-intent") },
      },
    ]);
    const url = new URL((body as Json).authorizationUrl);
    expect([url.origin, url.pathname, url.searchParams.get("agentId")]).toEqual([
      BASE_URL,
      "/add-agent",
      agent.agentId,
    ]);
    expect(url.searchParams.get("name")).toMatch(/./);
  });

  test("returns a draft's token again to its own agent until the user decides, and to nobody else", async () => {
    const agent = await newAgent();
    const { mandateId, token } = await proposed(agent);
    const plain = `${BASE_URL}/authorize/mandate/${mandateId}`;
    const readSignUrl = async () => (await get(agent, mandateId)).body.mandate.signUrl;
    expect(await readSignUrl()).toBe(`${plain}?token=${token}`);
    const { body: self } = await call("GET", "/api/agent/self/status", { bearer: agent.jwt });
    expect((self as Json).mandates.items[0].signUrl).toBe(`${plain}?token=${token}`);
    const claimed = await owned(pair.owner, mandateId, "claim", { token });
    expect(claimed.signUrl).toBe(plain);
    expect(await readSignUrl()).toBe(`${plain}?token=${token}`);
    await owned(pair.owner, mandateId, "reject");
    expect(await readSignUrl()).toBe(plain);
  });

  test("stores the token only as a hash, and records the event", async () => {
    const { mandateId, token } = await proposed(pair.agent);
    const text = JSON.stringify(await service.opened.sql`select * from mandates where id = ${mandateId}`);
    expect(text).not.toContain(token);
    const events = await service.opened.sql`select type from events where subject = ${mandateId}`;
    expect([...events]).toEqual([{ type: "mandate.created" }]);
  });

  test.each([
    ["omitted", {}],
    ["null", { hostAllowlist: null }],
    ["empty", { hostAllowlist: [] }],
  ])("treats hostAllowlist %s as any host", async (_name, terms) => {
    const { body } = await create(pair.agent, { intent: { ...intentOf(), ...terms } });
    const [row] = await service.opened.sql`select host_allowlist from mandates where id = ${(body as Json).mandateId}`;
    expect(row).toEqual({ host_allowlist: null });
  });

  test.each([
    ["the longest purpose, counted in characters", { naturalLanguage: "🌤".repeat(2000) }],
    ["line ends and tabs in the purpose", { naturalLanguage: "one\ntwo\tthree" }],
    ["the shortest and longest time", { validForSeconds: 31_536_000 }],
    ["a second", { validForSeconds: 1 }],
    ["the largest limit", { limitAmount: (2n ** 96n - 1n).toString() }],
    ["a cap equal to the limit", { maxAmountPerPayment: "1000000" }],
    ["a hundred hosts", { hostAllowlist: Array.from({ length: 100 }, (_, i) => `h${i}.example`) }],
    ["the test network", { network: "eip155:84532" }],
    ["an empty category", { category: "" }],
  ])("accepts %s", async (_name, terms) => {
    expect((await create(pair.agent, { intent: { ...intentOf(), ...terms } })).status).toBe(200);
  });

  const without = (name: string) => Object.fromEntries(Object.entries(intentOf()).filter(([key]) => key !== name));
  const refusal: [string, unknown, number, string][] = [
    ["no intent", {}, 400, "invalid_request"],
    ["an intent that is a list", { intent: [] }, 400, "invalid_request"],
    ["an intent that is null", { intent: null }, 400, "invalid_request"],
    ["an unknown member", { intent: intentOf(), maxAmount: "1" }, 400, "invalid_request"],
    ["an unknown member of the intent", { intent: { ...intentOf(), maxAmountPerTx: "1" } }, 400, "invalid_request"],
    ["no limit", { intent: without("limitAmount") }, 400, "invalid_request"],
    ["no purpose", { intent: without("naturalLanguage") }, 400, "invalid_request"],
    ["no time", { intent: without("validForSeconds") }, 400, "invalid_request"],
    ...["0", "-1", "+1", "01", "1e6", "1.0", "", " 1", "0x10", "１００", (2n ** 96n).toString(), "9".repeat(500)].map(
      (limitAmount): [string, unknown, number, string] => [
        `limitAmount ${JSON.stringify(limitAmount).slice(0, 20)}`,
        { intent: { ...intentOf(), limitAmount } },
        400,
        "invalid_request",
      ],
    ),
    ...[1_000_000, null, ["1"], {}, true].map((limitAmount): [string, unknown, number, string] => [
      `limitAmount ${JSON.stringify(limitAmount)}`,
      { intent: { ...intentOf(), limitAmount } },
      400,
      "invalid_request",
    ]),
    ...[0, -1, 1.5, 31_536_001, "3600", null, 1e30].map((validForSeconds): [string, unknown, number, string] => [
      `validForSeconds ${JSON.stringify(validForSeconds)}`,
      { intent: { ...intentOf(), validForSeconds } },
      400,
      "invalid_request",
    ]),
    ...["", "   ", "a".repeat(2001), "a\u0000b", "a\u001bb", "a\rb", "a\u202eb", "\ud800", 5, null].map(
      (naturalLanguage): [string, unknown, number, string] => [
        `naturalLanguage ${JSON.stringify(naturalLanguage).slice(0, 20)}`,
        { intent: { ...intentOf(), naturalLanguage } },
        400,
        "invalid_request",
      ],
    ),
    ...["c".repeat(65), "c\u0007", 5].map((category): [string, unknown, number, string] => [
      `category ${JSON.stringify(category).slice(0, 20)}`,
      { intent: { ...intentOf(), category } },
      400,
      "invalid_request",
    ]),
    ...[
      "api.example.com",
      ["https://api.example.com"],
      ["*.example.com"],
      ["a b"],
      [""],
      [5],
      ["user@host"],
      ["host/path"],
      ["host:99999"],
      Array.from({ length: 101 }, (_, i) => `h${i}.example`),
    ].map((hostAllowlist): [string, unknown, number, string] => [
      `hostAllowlist ${JSON.stringify(hostAllowlist).slice(0, 30)}`,
      { intent: { ...intentOf(), hostAllowlist } },
      400,
      "invalid_request",
    ]),
    ["another currency", { intent: { ...intentOf(), currency: "EUR" } }, 422, "currency_mismatch"],
    ["a currency that is not a string", { intent: { ...intentOf(), currency: 1 } }, 400, "invalid_request"],
    ["another network", { intent: { ...intentOf(), network: "polygon" } }, 422, "unsupported_network"],
    ["a cap over the limit", { intent: { ...intentOf(), maxAmountPerPayment: "1000001" } }, 422, "cap_exceeds_limit"],
    ["a cap of zero", { intent: { ...intentOf(), maxAmountPerPayment: "0" } }, 400, "invalid_request"],
  ];

  describe("rejects and stores nothing for", () => {
    let before: unknown;
    beforeEach(async () => {
      before = await rowCount();
    });

    test.each(refusal)("%s", async (_name, body, status, code) => {
      const res = await create(pair.agent, body);
      expect({ status: res.status, body: res.body }).toMatchObject({ status, body: { status: "error", code } });
      expect((res.body as Json).message).toEqual(expect.any(String));
      expect(await rowCount()).toBe(before);
    });

    test.each([
      ["a member named twice", '{"intent":{"limitAmount":"1","limitAmount":"9"}}', 400, "invalid_json"],
      ["a prototype", '{"intent":{"__proto__":{"limitAmount":"1"}}}', 400, "invalid_json"],
      ["no JSON", "intent", 400, "invalid_json"],
      ["nothing", "", 400, "invalid_request"],
      ["too much", `{"intent":"${"a".repeat(70_000)}"}`, 413, "body_too_large"],
    ])("a body of %s", async (_name, raw, status, code) => {
      const res = await call("POST", "/api/mandates/create-intent", { bearer: pair.agent.jwt, raw });
      expect({ status: res.status, body: res.body }).toMatchObject({ status, body: { status: "error", code } });
      expect(await rowCount()).toBe(before);
    });

    test("a missing login JWT, with an error in JSON, before the body is read", async () => {
      const res = await call("POST", "/api/mandates/create-intent", { raw: "not json" });
      expect({ status: res.status, body: res.body }).toMatchObject({
        status: 401,
        body: { status: "error", code: expect.any(String), message: expect.any(String) },
      });
      expect(await rowCount()).toBe(before);
    });
  });
});

describe("reading mandates", () => {
  test("returns a mandate's fields in the object and also beside it, except the status", async () => {
    const { mandateId } = await proposed(pair.agent);
    const { body } = await get(pair.agent, mandateId);
    expect(body).toEqual({ ...body.mandate, status: "ok", mandate: body.mandate });
  });

  test("of another agent is 404, as if they did not exist, for any form of id", async () => {
    const stranger = await newAgent();
    const { mandateId } = await proposed(pair.agent);
    const responses = await Promise.all(
      [mandateId, "mand_000000000000000000000000", "nothing"].map((id) => get(stranger, id)),
    );
    const bodies = responses.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }));
    expect(bodies[0]).toMatchObject({ status: 404, body: { status: "error", code: "mandate_not_found" } });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test("returns a list of only the agent's own mandates, newest first", async () => {
    const { agent } = await linkedPair();
    const responseBefore = (await call("GET", "/api/mandates", { bearer: agent.jwt })).body as Json;
    const known = responseBefore.mandates.map((m: Json) => m.mandateId);
    const first = await proposed(agent);
    const second = await proposed(agent);
    const { body } = await call("GET", "/api/mandates", { bearer: agent.jwt });
    expect((body as Json).mandates.map((m: Json) => m.mandateId)).toEqual([
      second.mandateId,
      first.mandateId,
      ...known,
    ]);
  });
});

describe("GET /api/mandates/eligible", () => {
  const eligible = (agent: TestAgent, query: Record<string, string>) =>
    call("GET", `/api/mandates/eligible?${new URLSearchParams(query)}`, { bearer: agent.jwt });

  test("returns exactly the mandates that could pay", async () => {
    const parties = await linkedPair();
    const wide = await signedMandate({}, parties);
    const narrow = await signedMandate({ hostAllowlist: ["api.example.com"] }, parties);
    await signedMandate({ hostAllowlist: ["other.example"] }, parties);
    await signedMandate({ limitAmount: "9999" }, parties);
    await signedMandate({ maxAmountPerPayment: "9999" }, parties);
    await signedMandate({ network: "base-sepolia" }, parties);
    await proposed(parties.agent);
    const paused = await signedMandate({}, parties);
    await owned(parties.owner, paused.mandateId, "enabled", { isEnabled: false });
    const revoked = await signedMandate({}, parties);
    await owned(parties.owner, revoked.mandateId, "revoke");
    const used = await signedMandate({ limitAmount: "10000" }, parties);
    expect((await pay(parties.agent, used.mandateId)).status).toBe(200);

    const { status, body } = await eligible(parties.agent, { host: "API.example.com", amount: "10000" });
    expect(status).toBe(200);
    const { eligibleMandates, criteria } = body as Json;
    expect(criteria).toEqual({ host: "api.example.com", amount: "10000", currency: "USDC", network: "base" });
    expect(eligibleMandates.map((m: Json) => m.mandateId)).toEqual([narrow.mandateId, wide.mandateId]);
    expect(eligibleMandates[0]).toMatchObject({
      detailsUrl: expect.any(String),
      signUrl: expect.any(String),
      status: "signed",
    });
  });

  test("returns the reason why no mandate covers a payment", async () => {
    const host = "api.example.com";
    const agent = await newAgent();
    const why = async (query: Record<string, string>) => ((await eligible(agent, query)).body as Json).uncovered;
    expect(await why({ host, amount: "1" })).toMatchObject({ code: "mandate_not_found", mandateId: null });
    const { mandateId, token } = await proposed(agent, { limitAmount: "10000", hostAllowlist: [host] });
    const waiting = { code: "mandate_not_signed", mandateId, authorizationUrl: expect.stringContaining(token) };
    expect(await why({ host, amount: "1" })).toMatchObject(waiting);
    await owned(pair.owner, mandateId, "claim", { token });
    await owned(pair.owner, mandateId, "signature", { signature: await signatureOver(mandateId, pair.owner) });
    expect(await why({ host, amount: "1" })).toBeNull();
    expect(await why({ host: "other.example", amount: "1" })).toMatchObject({ code: "host_not_allowed", mandateId });
    expect(await why({ host, amount: "10001" })).toMatchObject({
      code: "mandate_insufficient_budget",
      authorizationUrl: null,
      message: expect.stringMatching(/^The mandate has 0.01 USDC left/),
    });
  });

  const idsFor = async (agent: TestAgent, query: Record<string, string>) => {
    const { status, body } = await eligible(agent, query);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "ok" } });
    return (body as Json).eligibleMandates.map((m: Json) => m.mandateId);
  };

  test.each([
    ["the limit", { limitAmount: "10000" }],
    ["the cap", { maxAmountPerPayment: "10000" }],
  ])("includes an amount of exactly %s, and excludes one unit more, like a payment", async (_name, terms) => {
    const { agent, mandateId } = await signedMandate(terms);
    const host = "api.example.com";
    expect(await idsFor(agent, { host, amount: "10001" })).toEqual([]);
    expect((await pay(agent, mandateId, { amount: "10001" })).status).toBe(403);
    expect(await idsFor(agent, { host, amount: "10000" })).toEqual([mandateId]);
    expect((await pay(agent, mandateId)).status).toBe(200);
  });

  test("subtracts pending amounts", async () => {
    const { agent, mandateId } = await signedMandate({ limitAmount: "30000" });
    expect((await pay(agent, mandateId)).status).toBe(200);
    expect(await idsFor(agent, { host: "a.example", amount: "20001" })).toEqual([]);
    expect(await idsFor(agent, { host: "a.example", amount: "20000" })).toEqual([mandateId]);
  });

  test("excludes a mandate from the second of its expiry, and while it is paused", async () => {
    const { owner, agent, mandateId } = await signedMandate();
    const covers = () => idsFor(agent, { host: "a.example", amount: "1" });
    await owned(owner, mandateId, "enabled", { isEnabled: false });
    expect(await covers()).toEqual([]);
    await owned(owner, mandateId, "enabled", { isEnabled: true });
    expect(await covers()).toEqual([mandateId]);
    await service.opened.sql`update mandates set valid_until = now() where id = ${mandateId}`;
    expect(await covers()).toEqual([]);
  });

  test.each<[string[], string, boolean]>([
    [["api.example.com"], "api.example.com:8443", true],
    [["api.example.com:8443"], "api.example.com:8443", true],
    [["api.example.com:8443"], "api.example.com", false],
    [["api.example.com:8443"], "api.example.com:443", false],
    // The default port is that of https.
    [["api.example.com:443"], "api.example.com", true],
    [["api.example.com"], "api.example.com:443", true],
    [["api.example.com"], "www.api.example.com", false],
    [["api.example.com"], "api.example.com.evil.example", false],
    [["api.example.com"], "API.Example.COM.", true],
    [["bücher.example"], "xn--bcher-kva.example", true],
    [["localhost"], "localhost:3000", true],
    [["127.0.0.1:3000"], "127.0.0.1:3000", true],
    // The host that payouts use.
    [["payout"], "payout", true],
    [["api.example.com"], "payout", false],
  ])("for a mandate with the hosts %o, returns whether %s is covered: %s", async (hostAllowlist, host, isCovered) => {
    const { agent, mandateId } = await signedMandate({ hostAllowlist }, pair);
    expect((await idsFor(agent, { host, amount: "1" })).includes(mandateId)).toBe(isCovered);
    await owned(pair.owner, mandateId, "revoke");
  });

  test("returns the mandates of the requested network, by either of its names", async () => {
    const { agent, mandateId } = await signedMandate({ network: "base-sepolia" });
    const charge = { host: "a.example", amount: "1" };
    for (const network of ["base-sepolia", "eip155:84532"]) {
      const { body } = await eligible(agent, { ...charge, network });
      expect(body).toMatchObject({ criteria: { network: "base-sepolia" }, eligibleMandates: [{ mandateId }] });
    }
    for (const network of ["base", "eip155:8453"]) expect(await idsFor(agent, { ...charge, network })).toEqual([]);
  });

  test("returns no mandate of another agent of the same owner", async () => {
    const first = await signedMandate();
    const second = await newAgent();
    const { mandateId, token } = await proposed(second);
    await owned(first.owner, mandateId, "claim", { token });
    expect(await idsFor(second, { host: "a.example", amount: "1" })).toEqual([]);
  });

  test("requires a login before it reads the query", async () => {
    const res = await call("GET", "/api/mandates/eligible?host=");
    expect(res).toMatchObject({ status: 401, body: { status: "error", code: "missing_bearer" } });
  });

  test("returns an empty list when none covers the payment", async () => {
    const { body } = await eligible(await newAgent(), { host: "a.example", amount: "1", currency: "USDC" });
    expect(body).toMatchObject({ status: "ok", eligibleMandates: [] });
  });

  test.each<[Record<string, string>, number, string]>([
    [{ amount: "1" }, 400, "invalid_request"],
    [{ host: "a.example" }, 400, "invalid_request"],
    [{ host: "https://a.example", amount: "1" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "0" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "1.0" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "1", network: "polygon" }, 400, "invalid_request"],
    [{ host: "", amount: "1" }, 400, "invalid_request"],
    [{ host: "a.example/path", amount: "1" }, 400, "invalid_request"],
    [{ host: "*.example", amount: "1" }, 400, "invalid_request"],
    [{ host: "a.example:99999", amount: "1" }, 400, "invalid_request"],
    [{ host: "user@a.example", amount: "1" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "-1" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "01" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "9".repeat(100) }, 400, "invalid_request"],
    [{ host: "a.example", amount: "1", network: "" }, 400, "invalid_request"],
    [{ host: "a.example", amount: "1", network: "eip155:1" }, 400, "invalid_request"],
    ...["EUR", "CARD_USD", "usdc", ""].map((currency): [Record<string, string>, number, string] => [
      { host: "a.example", amount: "1", currency },
      422,
      "currency_mismatch",
    ]),
  ])("rejects %o", async (query, status, code) => {
    const res = await eligible(pair.agent, query);
    expect({ status: res.status, body: res.body }).toMatchObject({ status, body: { status: "error", code } });
  });

  test("rejects a duplicate parameter", async () => {
    const res = await call("GET", "/api/mandates/eligible?host=a.example&amount=1&amount=2", {
      bearer: pair.agent.jwt,
    });
    expect(res.status).toBe(400);
  });
});
