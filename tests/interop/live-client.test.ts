import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Address, toAddress } from "@/lib/core/address";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { expectInvariants } from "../support/invariants";
import { GaveUp, type LiveOffer, liveClient } from "../support/live-client";
import { freshAddress, signatureOver } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { type Served, serve } from "../support/serve";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

type Client = ReturnType<typeof liveClient>;
type Linked = { owner: TestOwner; client: Client; wallet: Address };

let world: World;
let opened: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let server: Served;
let people: TestOwner[];
let buyer: Linked;
let seller: Linked;
let mandateId: string;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  process.env.POLL_MILLISECONDS = "400";
  opened = openSystem();
  wiring = await import("../support/wiring");
  // Owners sign in under the usual address; the client uses the server's own address.
  people = [await newOwner(), await newOwner()];
  await wiring.closeSystem();
  server = await serve();
  workers = wiring.startWorkers();
  [buyer, seller] = [await linked("Buying agent"), await linked("Selling agent")];
  mandateId = await signed(buyer, "20000000");
});

afterAll(async () => {
  await server?.stop();
  await workers?.stop();
  await wiring?.closeSystem();
  await opened?.close();
  await world?.stop();
});

expectInvariants(() => opened.system);

/** A person's action, as their browser sends it. */
async function act(owner: TestOwner, path: string, json: object = {}): Promise<void> {
  const answer = await confirmedCall(owner, path, json, { origin: server.url });
  expect([path, answer.status, answer.text]).toMatchObject([path, 200, expect.any(String)]);
}

const tokenIn = (url: string) => new URL(url).searchParams.get("token") ?? "";

/** A new agent, and a person with 100 USDC who opens the link of its first mandate. */
async function linked(name: string): Promise<Linked> {
  const owner = people.pop();
  if (!owner) throw new Error("no owner is left");
  const client = liveClient(server.url);
  await client.register(name);
  const linking = accepted(await client.createMandate("1"));
  await act(owner, `/api/mandates/${linking.mandateId}/claim`, { token: tokenIn(linking.authorizationUrl) });
  await act(owner, `/api/mandates/${linking.mandateId}/reject`);
  const wallet = await walletOf(owner);
  await world.mint(wallet, 100_000_000n);
  return { owner, client, wallet };
}

/** A mandate that the owner claimed and signed. */
async function signed({ owner, client }: Linked, limitAmount: string, change: object = {}): Promise<string> {
  const { mandateId } = accepted(await client.createMandate(limitAmount, change));
  await act(owner, `/api/mandates/${mandateId}/signature`, { signature: await signatureOver(mandateId, owner) });
  return mandateId;
}

/** The result; fails if the request was refused. */
function accepted<T extends { status: string }>(answer: T): Extract<T, { status: "ok" }> {
  expect(answer).toMatchObject({ status: "ok" });
  // Checked above: only this shape has the status.
  return answer as Extract<T, { status: "ok" }>;
}

const askedOf = (path: string) => fetch(new URL(path, server.url));

/** The body of a 402 as a program gets it, for x402 v1 and v2. */
async function requirementOf(path: string) {
  const answer = await askedOf(path);
  expect(answer.status).toBe(402);
  const body: { accepts: [LiveOffer & { resource: string }] } = await answer.json();
  return { body, offer: body.accepts[0], b64: answer.headers.get("payment-required") ?? "" };
}

async function present(path: string, headers: Record<string, string>) {
  const answer = await fetch(new URL(path, server.url), { headers });
  return { status: answer.status, body: await answer.json() };
}

const upl = (amount: string) => `/unifypaymentlink/agentid/${seller.client.agentId()}?amount=${amount}&asset=usdc`;

/** The client's error message. */
async function gaveUp(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => new Error("it went through"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GaveUp)) throw error;
  return { answered: error.status, ...JSON.parse(error.text) };
}

describe("an agent that uses the client of the live service", () => {
  test("registers, and refreshes its login while its token is valid", async () => {
    const client = liveClient(server.url);
    await client.register("Third agent");
    // The client refreshes 300 seconds before the expiry, so the lifetime must be longer than that.
    expect((await client.refresh()) - Date.now() / 1000).toBeGreaterThan(300);
    expect(await client.createMandate("5")).toMatchObject({ status: "ok" });
    const refused = await client.refresh("tok_wrong").catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 401, text: '{"error":"invalid_token"}' });
  });

  test("without an owner reads that it has no wallet, and requests a mandate whose page links it to an owner", async () => {
    const client = liveClient(server.url);
    await client.register("Lonely agent");
    expect(await client.self()).toMatchObject({
      agent: { externalAgentId: client.agentId(), name: "Lonely agent", isAuthorized: false, walletAddress: null },
      balances: { usdc: { available: "0", availableFormatted: "0.00" } },
      mandates: { total: 0, items: [] },
    });
    expect(await client.isLinked()).toBe(false);
    const { agentStatus, ...made } = accepted(await client.createMandate("5"));
    expect(agentStatus).toBe("needs_wallet_authorization");
    expect(await client.mandate(made.mandateId)).toMatchObject({ mandate: { status: "draft" } });
    expect(await gaveUp(client.createLink({ amount: "5" }))).toMatchObject({
      answered: 409,
      code: "WALLET_NOT_LINKED",
      authorizationUrl: `${server.url}/add-agent?agentId=${client.agentId()}`,
    });
    expect(await client.received()).toEqual([]);
  });

  test("reads that it is linked as soon as a person has linked it", async () => {
    expect(await buyer.client.isLinked()).toBe(true);
  });

  test("gets a JSON error that says a login is required", async () => {
    const refusal = await buyer.client.createMandate("5", {}, {});
    expect(refusal).toMatchObject({ status: "error", code: "missing_bearer", message: expect.any(String) });
    expect(await gaveUp(liveClient(server.url).isLinked())).toMatchObject({ status: "error" });
  });

  test("gets credentials that verify, for an hour by default", async () => {
    const audience = "https://third.example";
    const credential = await buyer.client.issueCredential(audience, "user-42");
    expect(credential.expires_at - credential.issued_at).toBe(3600);
    const short = await buyer.client.issueCredential(audience, "nonce", 600);
    expect(short.expires_at - short.issued_at).toBe(600);
    const json = { vc: credential.vc, expected_audience: audience, expected_challenge: "user-42" };
    expect((await call("POST", "/verify-vc", { json })).body).toMatchObject({
      valid: true,
      payload: { sub: buyer.client.agentId(), jti: credential.jti },
    });
  });

  test("reads its owner's wallet and balance and its own latest payments", async () => {
    const { client, wallet } = seller;
    const own = await signed(seller, "1000000");
    accepted(
      await client.payV3(own, { scheme: "exact", maxAmountRequired: "70000", payTo: freshAddress(), resource: HTTPS }),
    );
    expect(await client.self()).toMatchObject({
      agent: { isAuthorized: true, walletAddress: wallet },
      balances: { usdc: { available: (await world.balanceOf(wallet)).toString() } },
      mandates: {
        open: 1,
        total: 2,
        items: [{ mandateId: own, pendingSpentAmount: "70000" }, {}],
        itemsTruncated: false,
      },
      recentTransactions: { items: [{ amount: "70000", amountFormatted: "0.07", status: "signed" }], hasMore: false },
    });
    for (const network of ["base-sepolia", "eip155:84532"]) {
      const there = await client.self(`?network=${network}&txLimit=1`);
      expect(there).toMatchObject({ balances: { usdc: { available: "0" } }, recentTransactions: { limit: 1 } });
      expect(there.agent.walletAddress).not.toBe(wallet);
    }
  });
});

const HTTPS = "https://data.example.com/report?day=1";

describe("a mandate", () => {
  test("created by the client with an empty host list covers any host, and the client polls it until it is signed", async () => {
    const { client, owner } = buyer;
    const created = accepted(await client.createMandate("5000000"));
    expect(created.agentStatus).toBe("ready");
    expect(accepted(await client.mandate(created.mandateId)).mandate).toMatchObject({
      status: "pending_signature",
      limitAmount: "5000000",
      validUntil: created.expiresAt,
    });
    const page = `/api/mandates/${created.mandateId}/signature`;
    await act(owner, page, { signature: await signatureOver(created.mandateId, owner) });
    expect(await client.mandate(created.mandateId)).toMatchObject({
      mandate: { status: "signed", remainingAmount: "5000000" },
    });
    for (const host of ["any.example", "localhost:3000"])
      expect((await client.eligible(host, "5000000")).map((m) => m.mandateId)).toContain(created.mandateId);
  });

  test.each<[string, string, object, string]>([
    ["in another currency", "500", { currency: "FLUXA_MONETIZE_CREDITS" }, "currency_mismatch"],
    ["of zero", "0", {}, "invalid_request"],
  ])("with %s is rejected with a JSON error", async (_, limit, change, code) => {
    expect(await buyer.client.createMandate(limit, change)).toMatchObject({ status: "error", code });
  });

  test("that does not exist is reported with a JSON error", async () => {
    expect(await buyer.client.mandate("mand_nothing")).toMatchObject({ status: "error", code: "mandate_not_found" });
  });
});

describe("a payment under a mandate", () => {
  const paid = { status: 200, body: { success: true } };

  test.each<[string, (offer: LiveOffer) => LiveOffer]>([
    ["as the 402 says it", (offer) => offer],
    [
      "by its CAIP-2 name and without a word more than it must",
      ({ description: _, extra: __, ...offer }) => ({ ...offer, network: "eip155:8453" }),
    ],
    ["with a window of zero seconds", (offer) => ({ ...offer, maxTimeoutSeconds: 0 })],
    ["with a window of a month", (offer) => ({ ...offer, maxTimeoutSeconds: 2_592_000 })],
  ])("at one of the service's own addresses, %s, succeeds", async (_, as) => {
    const { offer } = await requirementOf(upl("250000"));
    const { xPaymentB64 } = accepted(await buyer.client.payV3(mandateId, as(offer)));
    expect(await present(offer.resource, { "X-Payment": xPaymentB64 })).toMatchObject(paid);
  });

  test("at a payment link without a description succeeds", async () => {
    const { linkId, description } = await seller.client.createLink({ amount: "300000", resourceContent: "bought" });
    expect(description).toBe("");
    const { offer } = await requirementOf(`/paymentlink/${linkId}`);
    expect(offer.description).toBe("");
    expect(await payLink(linkId)).toMatchObject({
      status: 200,
      body: {
        success: true,
        status: "success",
        resource: "bought",
        receipt: { payer: buyer.wallet, amount: "300000" },
      },
    });
  });

  test("for an x402 v2 requirement succeeds, sent as the header or decoded, whichever offer it prefers", async () => {
    const { b64 } = await requirementOf(upl("200000"));
    const decoded = JSON.parse(Buffer.from(b64, "base64").toString());
    const preferredAssets = [{ network: "eip155:8453", asset: decoded.accepts[0].asset }];
    for (const request of [{ paymentRequestB64: b64 }, { paymentRequest: decoded, preferredAssets }]) {
      const { paymentPayloadB64 } = accepted(await buyer.client.payV2(mandateId, request));
      expect(await present(decoded.resource.url, { "PAYMENT-SIGNATURE": paymentPayloadB64 })).toMatchObject(paid);
    }
  });

  test("for a scan is in USDC, even if the owner has service credits, which the client would take for USDC", async () => {
    const post = (path: string, json: object, headers: object = {}) =>
      fetch(new URL(path, server.url), {
        method: "POST",
        body: JSON.stringify(json),
        headers: { "Content-Type": "application/json", "X-Agent-ID": buyer.client.agentId(), ...headers },
      });
    const bought = async (path: string, json: object) => {
      const { accepts } = await (await post(path, json)).json();
      const { xPaymentB64 } = accepted(await buyer.client.payV3(mandateId, accepts[0]));
      return { accepts, answer: await (await post(path, json, { "X-Payment": xPaymentB64 })).json() };
    };
    expect(await bought("/api/credits/top-up", { amount: "1000000" })).toMatchObject({ answer: { success: true } });
    const scan = await bought(SCAN, { text: "What is the weather in Bern?" });
    expect(scan).toMatchObject({ accepts: [{ network: "base" }, { network: "service-credits" }] });
    expect(scan.answer).toMatchObject({ verdict: "pass" });
  });

  test.each<[string, (offer: LiveOffer) => LiveOffer, string]>([
    ["an offer without an amount", ({ maxAmountRequired: _, ...offer }) => offer, "invalid_request"],
    ["a relative resource", (offer) => ({ ...offer, resource: "/paymentlink/lnk_x" }), "invalid_resource"],
    ["no resource", ({ resource: _, ...offer }) => offer, "invalid_resource"],
    [
      "another token, which the client takes for USDC",
      (offer) => ({ ...offer, asset: freshAddress() }),
      "unsupported_asset",
    ],
    ["more than is left", (offer) => ({ ...offer, maxAmountRequired: "20000001" }), "mandate_insufficient_budget"],
  ])("is rejected with a JSON error for %s", async (_, as, code) => {
    const { offer } = await requirementOf(upl("250000"));
    expect(await buyer.client.payV3(mandateId, as(offer))).toMatchObject({ status: "error", code });
  });

  test("is rejected with a JSON error that says where to sign, before the mandate is signed", async () => {
    const { offer, b64 } = await requirementOf(upl("250000"));
    const { mandateId: unsigned } = accepted(await buyer.client.createMandate("250000"));
    const refusal = {
      status: "error",
      code: "mandate_not_signed",
      authorizationUrl: expect.stringContaining(unsigned),
    };
    expect(await buyer.client.payV3(unsigned, offer)).toMatchObject(refusal);
    expect(await buyer.client.payV2(unsigned, { paymentRequestB64: b64 })).toMatchObject(refusal);
  });
});

const SCAN = "/api/transaction-firewall/sentinel/api/prompt-scan";

/** The buyer pays one of the seller's links. */
async function payLink(linkId: string) {
  const path = `/paymentlink/${linkId}`;
  const { offer } = await requirementOf(path);
  const { xPaymentB64 } = accepted(await buyer.client.payV3(mandateId, offer));
  return present(path, { "X-PAYMENT": xPaymentB64 });
}

test("a payment without a mandate is approved by its owner and then paid when the agent repeats the request", async () => {
  const { offer } = await requirementOf(upl("30000"));
  const { client, owner } = buyer;
  const first = await client.payV1(offer);
  if (first.status === "ok") throw new Error("no approval was requested");
  expect(await client.payV1(offer, first.approvalId)).toMatchObject({
    status: "approval_required",
    approvalId: first.approvalId,
  });
  await act(owner, `/api/approvals/${first.approvalId}/approve`);
  const { xPaymentB64 } = accepted(await client.payV1(offer, first.approvalId));
  expect((await present(offer.resource, { "X-Payment": xPaymentB64 })).body).toMatchObject({
    payer: buyer.wallet,
    settledAmount: "30000",
  });
  expect(await gaveUp(client.payV1(offer, "apr_nothing"))).toMatchObject({ code: "approval_not_found" });
});

describe("the service's 402 responses are accepted by the live service's MCP server:", () => {
  const requirement = z.object({
    scheme: z.string(),
    network: z.string(),
    maxAmountRequired: z.string(),
    resource: z.string(),
    description: z.string(),
    mimeType: z.string(),
    outputSchema: z.record(z.string(), z.unknown()).nullish(),
    payTo: z.string(),
    maxTimeoutSeconds: z.number().nonnegative(),
    asset: z.string(),
    extra: z.object({ name: z.string().min(1), version: z.string().min(1) }),
  });
  const required = z.object({
    x402Version: z.number(),
    error: z.string().optional(),
    accepts: z.array(requirement).min(1),
  });

  test.each<[string, () => Promise<Response>]>([
    ["an address", () => askedOf(upl("5"))],
    ["a payment link", async () => askedOf(`/paymentlink/${(await seller.client.createLink({ amount: "5" })).linkId}`)],
    ["a scan", () => fetch(new URL(SCAN, server.url), { method: "POST" })],
  ])("%s", async (_, send) => {
    const answer = await send();
    expect([answer.status, required.safeParse(await answer.json())]).toMatchObject([402, { success: true }]);
  });
});

describe("payment links", () => {
  test("can be created, listed, changed and deleted with the client", async () => {
    const { client } = seller;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const createdLink = await client.createLink({
      amount: "1000000",
      description: "A report",
      resourceContent: '{"a":1}',
      expiresAt,
      maxUses: 9,
    });
    expect(createdLink).toMatchObject({
      currency: "USDC",
      network: "base",
      scheme: "exact",
      status: "active",
      useCount: 0,
      payTo: seller.wallet,
    });
    expect(await client.link(createdLink.linkId)).toEqual(createdLink);
    expect(await client.links("?limit=1")).toEqual([createdLink]);
    const change = {
      description: "Another",
      resourceContent: "text",
      status: "disabled",
      expiresAt: null,
      maxUses: null,
    };
    expect(await client.updateLink(createdLink.linkId, change)).toMatchObject(change);
    expect(await client.updateLink(createdLink.linkId, {})).toMatchObject(change);
    expect(await gaveUp(buyer.client.link(createdLink.linkId))).toMatchObject({
      status: "error",
      code: "LINK_NOT_FOUND",
    });
    await client.deleteLink(createdLink.linkId);
    expect(await gaveUp(client.deleteLink(createdLink.linkId))).toMatchObject({ code: "LINK_NOT_FOUND" });
    expect(await client.createLink({ amount: "5", network: "base-sepolia" })).toMatchObject({
      network: "base-sepolia",
    });
  });

  test("list their payments, and a payment is refunded after the owner's approval", async () => {
    const { client, owner } = seller;
    const { linkId } = await client.createLink({ amount: "1000000" });
    for (let i = 0; i < 2; i++) expect(await payLink(linkId)).toMatchObject({ status: 200 });
    const [last, first] = await client.linkPayments(linkId);
    if (!last || !first) throw new Error("a payment is missing");
    expect(last).toMatchObject({ payerAddress: buyer.wallet, amount: "1000000", settlementStatus: "settled" });
    expect(await client.linkPayments(linkId, "?limit=1")).toEqual([last]);
    expect(await client.received("?limit=1&offset=1")).toMatchObject([
      { id: first.id, sourceType: "payment_link", paymentLinkId: linkId },
    ]);
    expect(await client.receivedOne(last.id)).toMatchObject({ ...last, network: "base", payTo: seller.wallet });
    expect(await gaveUp(client.receivedOne(999_999))).toMatchObject({ code: "PAYMENT_NOT_FOUND" });

    const full = await client.refund({ paymentId: last.id });
    expect(full).toMatchObject({ status: "pending", amount: "1000000", refundType: "full", reason: null });
    expect(await client.cancelRefund(full.refundId)).toMatchObject({ status: "cancelled" });
    const part = await client.refund({ paymentId: last.id, amount: "400000", reason: "returned" });
    expect(part).toMatchObject({
      refundFrom: seller.wallet,
      refundTo: buyer.wallet,
      refundType: "partial",
      agentName: "Selling agent",
    });
    expect((await client.refunds("?limit=1&offset=1")).map((r) => r.refundId)).toEqual([full.refundId]);
    await act(owner, `/api/refunds/${part.refundId}/approve`);
    await until(async () => (await client.refundOne(part.refundId)).status === "settled", "the refund to be paid");
    expect(await gaveUp(client.cancelRefund(part.refundId))).toMatchObject({ code: "REFUND_SETTLED" });
    expect(await gaveUp(client.refund({ paymentId: first.id, amount: "99999999999" }))).toMatchObject({
      code: "REFUND_EXCEEDS_PAYMENT",
    });
    expect(await gaveUp(client.refundOne("7"))).toMatchObject({ code: "REFUND_NOT_FOUND" });
  });
});

describe("a payout", () => {
  /** The final states that existing scripts wait for. */
  const ended = async (payoutId: string, headers?: Record<string, string>) => {
    const read = () => buyer.client.payoutStatus(payoutId, headers);
    await until(async () => ["succeeded", "failed"].includes((await read()).status), "the payout to end");
    return read();
  };

  test("waits for its owner, and an older client polls it to the end without a login", async () => {
    const { client, owner } = buyer;
    const to = freshAddress();
    const body = [to.toLowerCase(), "1000000", { bizId: "order_1", description: "Invoice #1" }] as const;
    const requested = await client.payout("pay_001", ...body);
    expect(requested).toMatchObject({
      status: "pending_authorization",
      txHash: null,
      mandateId: null,
      bizId: "order_1",
    });
    expect(await client.payout("pay_001", ...body)).toEqual(requested);
    for (const headers of [{}, undefined])
      expect(await client.payoutStatus("pay_001", headers)).toMatchObject({ status: "pending_authorization" });
    expect(await gaveUp(client.payout("pay_001b", ...body))).toMatchObject({ code: "duplicate_biz_id" });
    expect(await gaveUp(client.payout("pay_001", to, "2"))).toMatchObject({ code: "payout_conflict" });
    await act(owner, `/api/wallet/payouts/${new URL(requested.approvalUrl ?? "").pathname.split("/").at(-1)}/approve`);
    expect(await ended("pay_001", {})).toMatchObject({ status: "succeeded", txHash: expect.stringMatching(/^0x/) });
    expect(await world.balanceOf(to)).toBe(1_000_000n);
    expect(await gaveUp(client.payoutStatus("nothing"))).toMatchObject({ code: "payout_not_found" });
  });

  test("under a mandate is paid immediately", async () => {
    const to = toAddress(freshAddress());
    const own = await signed(buyer, "500000");
    expect(await buyer.client.payout("pay_002", to, "500000", { mandateId: own })).toMatchObject({
      status: "authorized",
      approvalUrl: null,
      mandateId: own,
    });
    expect(await ended("pay_002")).toMatchObject({ status: "succeeded" });
    expect(await world.balanceOf(to)).toBe(500_000n);
  });
});
