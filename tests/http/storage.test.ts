import { beforeAll, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import type { Endpoint } from "@/lib/core/endpoint";
import { DEFAULT_LIMITS, STORED_UNIT_BYTES } from "@/lib/core/limits";
import { newAgent, type TestAgent } from "../support/actors";
import { IS_IN_PROCESS } from "../support/base-url";
import { endpoints, named } from "../support/endpoints";
import { newKey } from "../support/facilitator";
import { BASE_URL, call } from "../support/http";
import { linkedPair, owned, type Parties, proposed, signedMandate } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import { startReceiver } from "../support/receiver";
import { BODIES, INVOICE, pathOf } from "../support/requests";
import { runService } from "../support/service";

/** What strangers can have the service store: each call is small, and all together are bounded in bytes. */
const service = runService();

/** Continues with these limits, and with nothing counted. */
async function limited(limits: string): Promise<void> {
  await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},${limits}` });
  await service.opened.sql`truncate rate_limits`;
}

const issue = (agent: TestAgent, bytes = 2_000, headers: Record<string, string> = {}) =>
  call("POST", "/agent/vc/issue", {
    bearer: agent.jwt,
    headers,
    json: { challenge: "c", audience: "a".repeat(bytes), ttl_seconds: 60 },
  });
const from = (address: string) => ({ "x-forwarded-for": address });
const sizeOf = async () =>
  (await service.opened.sql`select coalesce(sum(pg_column_size(e.*)), 0)::int as bytes from events e`)[0]?.bytes;

/** Endpoints that are not counted, with the reason. */
const NOT_COUNTED: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...["/api/agents/{agentId}/invoices/{invoiceId}/cancel", "/api/invoices/{invoiceId}/cancel"],
      ...["/api/approvals/{approvalId}/deny", "/api/mandates/{mandateId}/enabled", "/api/mandates/{mandateId}/reject"],
      ...["/api/mandates/{mandateId}/revoke", "/api/payouts/{payoutId}/cancel"],
      ...["/api/payment-links/refunds/{refundId}/cancel", "/api/refunds/{refundId}/reject"],
      ...["/api/wallet/payouts/{payoutRecordId}/cancel", "/api/wallet/payouts/{payoutRecordId}/deny"],
      ...["/api/settlements/{settlementId}/cancellation", "/api/payees/{payeeId}/refuse", "/api/agent/self/unlink"],
      ...["/api/agents/{agentId}/token", "/api/webhooks/{webhookId}/rotate"],
    ].map((path) => [`POST ${path}`, "stops something: nobody may use up the room for that"]),
  ),
  "POST /refresh": "signs a JWT, which is not stored",
  "POST /verify-vc": "reads only",
  "POST /mcp": "each tool counts as its endpoint, and pay_url by itself",
  "POST /mcp/oauth": "as /mcp",
  "POST /mcp/{linkId}": "each call counts as its paid request",
  "POST /oauth/token": "counts a refresh by itself, for the owner of its connection",
  "POST /oauth/revoke": "stops something: nobody may use up the room for that",
  "POST /facilitator/verify": "reads only",
  "POST /facilitator/settle": "stores what is paid",
  "POST /api/credits/top-up": "stores what is paid",
  "POST /paid/{linkId}/{path}": "stores what is paid",
  "PUT /paid/{linkId}/{path}": "stores what is paid",
  "PATCH /paid/{linkId}/{path}": "stores what is paid",
  "POST /api/agents/{agentId}/payment-links/{linkId}/test-call": "stores nothing",
  "POST /api/upstream-document": "stores nothing",
  "POST /api/transaction-firewall/{firewallId}/api/scan": "stores what is paid",
  "POST /api/transaction-firewall/{firewallId}/api/x402-scan": "stores what is paid",
  "POST /api/transaction-firewall/{firewallId}/api/prompt-scan": "stores what is paid",
};

test("every endpoint that can store something counts the stored bytes, or is listed with the reason why not", () => {
  const free = endpoints.filter((e) => e.method !== "GET" && e.method !== "DELETE" && e.stores !== undefined);
  expect([...new Set(free.map(named))].sort()).toEqual(Object.keys(NOT_COUNTED).sort());
});

test("a client address, an agent and an owner can each have at most 100 MB stored in a day", () => {
  for (const name of ["stored_kb_per_address", "stored_kb_per_agent", "stored_kb_per_owner"] as const) {
    const { requests, seconds } = DEFAULT_LIMITS[name];
    expect(requests * STORED_UNIT_BYTES * (86_400 / seconds)).toBeLessThanOrEqual(105_000_000);
  }
});

describe("the limit of stored bytes", () => {
  let agents: TestAgent[];
  beforeAll(async () => {
    agents = await Promise.all([1, 2, 3].map(() => newAgent()));
  });
  const [one, two, three] = [0, 1, 2].map((index) => () => agents[index] as TestAgent) as [
    () => TestAgent,
    () => TestAgent,
    () => TestAgent,
  ];

  test("of a client address is shared by all agents there, and above it nothing is stored", async () => {
    await limited("stored_kb_per_address=11/1h");
    // Each costs 4 KB: two of rows, and two of its text.
    expect([(await issue(one())).status, (await issue(two())).status]).toEqual([200, 200]);
    const sizeBefore = await sizeOf();
    expect(await issue(three())).toMatchObject({ status: 429, body: { error: "rate_limited" } });
    expect(await sizeOf()).toBe(sizeBefore);
    // What stores nothing goes on.
    expect((await call("POST", "/refresh", { json: { agent_id: one().agentId, token: one().token } })).status).toBe(
      200,
    );
  });

  test("of an agent applies from any client address", async () => {
    await limited("stored_kb_per_agent=6/1h");
    expect((await issue(one(), 2_000, from("203.0.113.1"))).status).toBe(200);
    expect((await issue(one(), 2_000, from("203.0.113.2"))).status).toBe(429);
    expect((await issue(two(), 2_000, from("203.0.113.2"))).status).toBe(200);
  });

  test("of an owner is shared by their agents, and does not apply once their money has moved", async () => {
    await service.restart(LOOSE_LIMITS);
    const { agent, owner, mandateId } = await signedMandate();
    await limited("stored_kb_per_owner=6/1h");
    const name = async (n: number) =>
      (await call("POST", "/api/wallet/addresses", { session: owner.session, json: address(n) })).status;
    expect((await issue(agent)).status).toBe(200);
    expect(await name(1)).toBe(429);
    await service.opened.sql`update mandates set spent_amount = 1000000 where id = ${mandateId}`;
    // Read again after a minute by other processes, at once by a new one.
    await limited("stored_kb_per_owner=6/1h");
    for (let n = 0; n < 4; n++) expect((await issue(agent)).status).toBe(200);
    await service.opened.sql`update mandates set spent_amount = 0 where id = ${mandateId}`;
  });
  const address = (n: number) => ({ address: `0x${String(n).repeat(40)}`, name: "Somebody" });

  test("counts a stored idempotent response too", async () => {
    await limited("stored_kb_per_address=7/1h");
    expect((await issue(one())).status).toBe(200);
    await limited("stored_kb_per_address=7/1h");
    expect((await issue(one(), 2_000, { "idempotency-key": "k" })).status).toBe(429);
  });
});

test("the limit of work does not apply to an owner whose money has moved or to their agents, only to others", async () => {
  await service.restart(LOOSE_LIMITS);
  const [paying, stranger] = [await signedMandate(), await newAgent()];
  await service.opened.sql`update mandates set spent_amount = 1000000 where id = ${paying.mandateId}`;
  await limited("work_per_address=8/1h");
  const status = async (bearer: string) => (await call("GET", "/api/payments", { bearer })).status;
  expect([await status(stranger.jwt), await status(stranger.jwt)]).toEqual([200, 429]);
  for (let n = 0; n < 3; n++) expect(await status(paying.agent.jwt)).toBe(200);
  await service.opened.sql`update mandates set spent_amount = 0 where id = ${paying.mandateId}`;
});

test.skipIf(IS_IN_PROCESS)(
  "the limit of page views does not apply to an owner whose money has moved, only to others",
  async () => {
    await service.restart(LOOSE_LIMITS);
    const [paying, other] = [await signedMandate(), await signedMandate()];
    await service.opened.sql`update mandates set spent_amount = 1000000 where id = ${paying.mandateId}`;
    await limited("page_work_per_address=30/1h");
    // The server starts at the first call.
    await call("GET", "/healthz");
    const open = async ({ session }: { session: string }) => {
      const headers = { cookie: `next-auth.session-token=${session}` };
      return (await fetch(`${BASE_URL}/terms`, { headers })).status;
    };
    expect([await open(other.owner), await open(other.owner)]).toEqual([200, 429]);
    for (let n = 0; n < 2; n++) expect(await open(paying.owner)).toBe(200);
    await service.opened.sql`update mandates set spent_amount = 0 where id = ${paying.mandateId}`;
  },
);

describe("an endpoint that stops something, such as a revocation", () => {
  const USED_UP = "stored_kb_per_address=1/1h,stored_kb_per_agent=1/1h,stored_kb_per_owner=1/1h";
  const isStopping = (e: Endpoint) => e.method === "DELETE" || NOT_COUNTED[named(e)]?.startsWith("stops something");

  test("works for an owner and an agent who have used up their limits of stored bytes", async () => {
    await service.restart(LOOSE_LIMITS);
    const pair = await linkedPair();
    const { agent, owner } = pair;
    const [{ mandateId }, waiting] = [await signedMandate({}, pair), await proposed(agent)];
    await owned(owner, waiting.mandateId, "claim", { token: waiting.token });
    const { keyId } = await newKey(owner.session);
    const link = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: { amount: "10000" } });
    const { linkId } = (link.body as { paymentLink: { linkId: string } }).paymentLink;
    const invoice = await call("POST", "/api/invoices", { bearer: agent.jwt, json: INVOICE });
    const { invoiceId } = (invoice.body as { invoice: { invoiceId: string } }).invoice;
    await limited(USED_UP);
    const byOwner = (method: string, path: string, json?: object) =>
      call(method, path, { session: owner.session, ...(json && { json }) });
    const byAgent = (method: string, path: string) => call(method, path, { bearer: agent.jwt });
    expect((await issue(agent, 1)).status).toBe(429);
    expect((await byOwner("POST", "/api/facilitator/keys", { name: "Shop" })).status).toBe(429);
    const stopped = {
      paused: await byOwner("POST", `/api/mandates/${mandateId}/enabled`, { isEnabled: false }),
      revoked: await byOwner("POST", `/api/mandates/${mandateId}/revoke`, {}),
      rejected: await byOwner("POST", `/api/mandates/${waiting.mandateId}/reject`, {}),
      key: await byOwner("DELETE", `/api/facilitator/keys/${keyId}`),
      invoice: await byAgent("POST", `/api/invoices/${invoiceId}/cancel`),
      link: await byAgent("DELETE", `/api/payment-links/${linkId}`),
      agent: await byOwner("DELETE", `/api/agents/${agent.agentId}`),
      sessions: await byOwner("DELETE", "/api/sessions"),
    };
    expect(
      Object.fromEntries(Object.entries(stopped).map(([description, { status }]) => [description, status])),
    ).toEqual(Object.fromEntries(Object.keys(stopped).map((description) => [description, 200])));
  });

  test("is never refused for exceeded storage", async () => {
    await service.restart(LOOSE_LIMITS);
    const pair = await linkedPair();
    await limited(USED_UP);
    // The last one ends the session.
    const stopping = endpoints
      .filter(isStopping)
      .sort((a, b) => (a.path === "/api/sessions" ? 1 : 0) - (b.path === "/api/sessions" ? 1 : 0));
    for (const e of stopping) {
      const json = e.body && (BODIES[e.path]?.() ?? {});
      const caller = e.auth === "owner" ? { session: pair.owner.session } : { bearer: pair.agent.jwt };
      const { status } = await call(e.method, pathOf(e.path, pair), { ...caller, ...(json && { json }) });
      expect([named(e), status]).not.toEqual([named(e), 429]);
      expect([named(e), status]).not.toEqual([named(e), 401]);
    }
  });
});

describe("pay_url", () => {
  test("stores free responses within the limit of stored bytes, and larger ones without their body", async () => {
    const shop = await startReceiver();
    shop.answer((_, res) => void res.writeHead(200).end("x".repeat(60_000)));
    await service.restart(LOOSE_LIMITS);
    const { agent }: Parties = await signedMandate();
    await limited("stored_kb_per_agent=150/1h");
    const client = await connectV1(agent.token);
    const pay = async (idempotencyKey: string) =>
      (await client.call("pay_url", { url: shop.url, maxAmount: "1", idempotencyKey })).value;
    expect(await pay("one")).toMatchObject({ outcome: "not_required", answer: { bytes: 60_000 } });
    expect(await pay("two")).toMatchObject({ outcome: "not_required", answer: { bytes: 60_000 } });
    const requestCount = shop.got.length;
    expect((await pay("one")).answer).toMatchObject({ isCut: false, body: "x".repeat(60_000) });
    expect((await pay("two")).answer).toMatchObject({ status: 200, isCut: true, body: null });
    expect(shop.got).toHaveLength(requestCount);
    await client.close();
    await shop.close();
  });
});
