import { beforeAll, expect, test } from "vitest";
import { type IdKind, newId } from "@/lib/core/ids";
import { NETWORKS } from "@/lib/x402/networks";
import { endpoints, named } from "../support/endpoints";
import { type Answer, type CallOptions, call } from "../support/http";
import { freshAddress, intentOf, type Json, linkedPair, type Parties, RESOURCE, v3 } from "../support/mandates";
import { runService } from "../support/service";

const service = runService();
const forCallers = endpoints.filter((e) => e.method === "POST" && e.auth !== "none" && e.auth !== "seller");

const authorization = () => ({
  from: freshAddress(),
  to: freshAddress(),
  value: "1",
  validAfter: "0",
  validBefore: "1",
  nonce: `0x${"1".repeat(64)}`,
});

/** A valid body for each endpoint, which may still be refused. An endpoint that is missing here fails the test. */
const BODIES: Record<string, () => object | undefined> = {
  "/agent/vc/issue": () => ({ challenge: "c", audience: "https://a.example", ttl_seconds: 60 }),
  "/api/agents/{agentId}/credentials": () => ({ challenge: "c", audience: "https://a.example", ttl_seconds: 60 }),
  "/api/agents/{agentId}/token": () => ({}),
  "/api/agent/self/unlink": () => undefined,
  "/api/mandates/create-intent": () => ({ intent: intentOf() }),
  "/api/mandates/{mandateId}/claim": () => ({}),
  "/api/mandates/{mandateId}/signature": () => ({ signature: `0x${"1".repeat(130)}` }),
  "/api/mandates/{mandateId}/reject": () => ({}),
  "/api/mandates/{mandateId}/revoke": () => undefined,
  "/api/mandates/{mandateId}/enabled": () => ({ isEnabled: false }),
  "/api/payment/x402V3Payment": () => v3(newId("mandate")),
  "/api/payment/x402V1Payment": () => ({ amount: "10000", payTo: freshAddress(), resource: RESOURCE }),
  "/api/v2/payment/x402-payment": () => ({
    mandateId: newId("mandate"),
    paymentRequest: { x402Version: 2, resource: { url: RESOURCE }, accepts: [{}] },
  }),
  "/api/approvals/{approvalId}/claim": () => ({}),
  "/api/approvals/{approvalId}/approve": () => undefined,
  "/api/approvals/{approvalId}/deny": () => ({}),
  "/api/approvals/{approvalId}/mandate": () => ({ limitAmount: "1000000", validForSeconds: 3600 }),
  "/api/payees/{payeeId}/confirm": () => ({}),
  "/api/payees/{payeeId}/refuse": () => ({}),
  "/api/payment-links": () => ({ amount: "10000" }),
  "/api/agents/{agentId}/payment-links": () => ({ amount: "10000" }),
  "/api/payment-links/refunds/initiate": () => ({ paymentId: 1 }),
  "/api/payment-links/refunds/{refundId}/cancel": () => undefined,
  "/api/refunds": () => ({ paymentId: 1 }),
  "/api/refunds/{refundId}/approve": () => undefined,
  "/api/refunds/{refundId}/reject": () => undefined,
  "/api/facilitator/keys": () => ({ name: "Shop" }),
  "/api/credits/purchases": () => ({ amount: "250000" }),
  "/api/wallet/deposits": () => ({
    network: "base",
    authorization: authorization(),
    signature: `0x${"1".repeat(130)}`,
  }),
  "/api/wallet/withdrawals": () => ({ network: "base", amount: "1" }),
  "/api/payouts": () => ({ toAddress: freshAddress(), amount: "10000" }),
  "/api/payouts/{payoutId}/cancel": () => undefined,
  "/api/wallet/payouts": () => ({ toAddress: freshAddress(), amount: "10000", approve: false }),
  "/api/wallet/payouts/batch": () => ({
    rows: [{ payoutId: freshAddress(), toAddress: freshAddress(), amount: "10000" }],
    approve: false,
  }),
  "/api/wallet/payouts/{payoutRecordId}/claim": () => ({}),
  "/api/wallet/payouts/{payoutRecordId}/approve": () => undefined,
  "/api/wallet/payouts/{payoutRecordId}/deny": () => ({}),
  "/api/wallet/payouts/{payoutRecordId}/cancel": () => undefined,
  "/api/wallet/addresses/weigh": () => ({ addresses: [freshAddress()] }),
  // A payable address would require a signature first.
  "/api/wallet/addresses": () => ({ address: NETWORKS.base.usdc, name: "Somebody" }),
  "/api/wallet/approval-limit": () => ({ limit: "1" }),
  "/api/webhooks": () => ({ url: "https://hooks.example.com/" }),
  "/api/webhooks/{webhookId}/rotate": () => undefined,
  "/api/webhooks/{webhookId}/test": () => undefined,
  "/api/webhooks/{webhookId}/verify": () => undefined,
  "/api/webhooks/deliveries/{deliveryId}/replay": () => undefined,
};

const IDS: Record<string, IdKind> = {
  mandateId: "mandate",
  approvalId: "approval",
  payeeId: "payee",
  refundId: "refund",
  payoutId: "payout",
  payoutRecordId: "payout",
  webhookId: "webhook",
  deliveryId: "delivery",
};
const pathOf = (path: string, { agent }: Parties) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === "agentId" ? agent.agentId : newId(IDS[name] ?? "event")));

let pair: Parties;
beforeAll(async () => {
  pair = await linkedPair();
});

/** Sends the request with the endpoint's kind of authentication. */
const as = (auth: string): CallOptions =>
  auth === "agent" ? { bearer: pair.agent.jwt } : { session: pair.owner.session };
const body = (answer: Answer) => answer.body as Json;
const replayed = (answer: Answer) => answer.headers.get("idempotency-replayed");

test.each(forCallers.map((e) => [named(e), e] as const))("%s runs once per key", async (_, e) => {
  const bodyOf = BODIES[e.path];
  if (!bodyOf) throw new Error("Add a valid body for this endpoint to BODIES");
  const [path, json] = [pathOf(e.path, pair), bodyOf()];
  const send = (query = "") =>
    call("POST", path + query, { ...as(e.auth), json, headers: { "idempotency-key": named(e).replace(" ", ":") } });
  const first = await send();
  expect([first.text, replayed(first)]).toEqual([expect.not.stringContaining("invalid_request"), null]);
  const again = await send();
  expect([again.status, again.body, replayed(again)]).toEqual([first.status, first.body, "true"]);
  const other = await send("?other=1");
  expect([other.status, replayed(other)]).toEqual([409, null]);
});

test("a webhook's secret, shown once, is returned again only to the same request, and stored sealed", async () => {
  const add = (key: string, url: string) =>
    call("POST", "/api/webhooks", { ...as("owner"), json: { url }, headers: { "idempotency-key": key } });
  const [first, again] = [await add("s", "https://a.example.com/"), await add("s", "https://a.example.com/")];
  const { secret, webhook } = body(first);
  expect([first.status, again.status, body(again).secret]).toEqual([201, 201, secret]);
  const { webhookId } = webhook;
  const rotate = () =>
    call("POST", `/api/webhooks/${webhookId}/rotate`, { ...as("owner"), headers: { "idempotency-key": "r" } });
  const [turned, turnedAgain] = [await rotate(), await rotate()];
  expect(body(turnedAgain).secret).toBe(body(turned).secret);
  expect(body(turned).secret).not.toBe(secret);
  const kept = JSON.stringify(await service.opened.sql`select * from idempotent_requests`);
  for (const shown of [secret, body(turned).secret]) {
    expect(shown).toMatch(/^whsec_.{40,}/);
    expect(kept).not.toContain(shown.slice("whsec_".length));
  }
});
