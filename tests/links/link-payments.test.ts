import { createHash, randomBytes } from "node:crypto";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import * as sales from "@/lib/links/sales/service";
import type { Claim } from "@/lib/settlements/service";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { expectInvariants } from "../support/invariants";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { refusal, remedy } from "../support/refused";
import { until } from "../support/replica";
import { empty } from "../support/reverting-transfers";
import { claimFrom, freshAddress, openSystem, paying, xPaymentOf } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;
const CONTENT = '{"report":"<b>42</b>"}';
const SHOP = "https://shop.example";
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let seller: Parties;
/** A new receiving address for each test, so that its balance is the sum of the test's payments. */
let payTo: Address;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { POLL_MILLISECONDS: "400", REDIRECT_ORIGINS: SHOP });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  seller = await linkedPair();
  workers = wiring.startWorkers();
  for (const { address } of world.accounts.slice(0, 4)) {
    await world.mint(toAddress(address), 1_000_000_000n);
    await world.mint(toAddress(address), 1_000_000_000n, "base-sepolia");
  }
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

expectInvariants(() => testSystem.system);

/** Another process of the service with another configuration. */
async function restart(env: Record<string, string>): Promise<void> {
  await workers.stop();
  await wiring.closeSystem();
  Object.assign(process.env, env);
}

const payer = (index = 0): HDAccount => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};
const body = (response: Answer) => response.body as Json;
const decoded = (header: string | null): Json => JSON.parse(Buffer.from(header ?? "", "base64").toString("utf8"));

async function createLink(json: object = {}, { agent }: Parties = seller): Promise<string> {
  const fields = { amount: AMOUNT.toString(), description: "A report", resourceContent: CONTENT, ...json };
  const response = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: fields });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return body(response).paymentLink.linkId;
}
const edit = (linkId: string, json: object) =>
  call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt, json });
const linkNow = async (linkId: string): Promise<Json> =>
  body(await call("GET", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt })).paymentLink;

const get = (linkId: string, headers: Record<string, string> = {}) =>
  call("GET", `/paymentlink/${linkId}`, { headers });
const pay = (linkId: string, claim: Claim) => get(linkId, paying(claim));
/** Presents a proof and spends its payer's money elsewhere between the claim and the transfer. */
async function payAndSpend(linkId: string, proof: Claim): Promise<Answer> {
  const { from } = proof.authorization;
  await world.mint(from, AMOUNT);
  await workers.stop();
  const pendingResponse = pay(linkId, proof);
  await until(async () => {
    const rows = await testSystem.sql`select 1 from settlements where payer = ${from} and state = 'claimed'`;
    return rows.length > 0;
  }, "the claim");
  await empty(world, from);
  workers = wiring.startWorkers();
  return pendingResponse;
}
const claim = (change: Parameters<typeof claimFrom>[3] = {}, from = payer()) => claimFrom(from, payTo, AMOUNT, change);
const settlement = (id: string, query = "") => call("GET", `/api/settlements/${id}${query}`);

const acceptsV1 = (linkId: string, network: NetworkName = "base") => ({
  scheme: "exact",
  network,
  maxAmountRequired: AMOUNT.toString(),
  resource: `${BASE_URL}/pay/${linkId}`,
  description: "A report",
  mimeType: "application/json",
  payTo,
  maxTimeoutSeconds: 60,
  asset: NETWORKS[network].usdc,
  extra: { name: NETWORKS[network].tokenName, version: "2", primaryType: "TransferWithAuthorization" },
  outputSchema: expect.any(Object),
});

const requiredV2 = (linkId: string, error: string, on: NetworkName = "base") => {
  const { resource, description, mimeType, maxAmountRequired: amount, ...rest } = acceptsV1(linkId, on);
  const { scheme, asset, extra, maxTimeoutSeconds } = rest;
  return {
    x402Version: 2,
    error,
    resource: { url: resource, description, mimeType },
    accepts: [{ scheme, network: NETWORKS[on].caip2, amount, asset, payTo, maxTimeoutSeconds, extra }],
    extensions: expect.objectContaining({ "payment-identifier": expect.any(Object) }),
  };
};

const errorBody = (response: Answer, code: string, more: object = {}) => ({ ...refusal(response, code), ...more });

async function expectPaid(linkId: string, response: Answer, proof: Claim, change: object = {}) {
  const { receipt, settlementId, contentUrl } = body(response);
  const { network } = proof;
  const { from } = proof.authorization;
  expect([response.status, response.body]).toEqual([
    200,
    {
      success: true,
      status: "success",
      resource: CONTENT,
      receipt: {
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        payer: from,
        payee: payTo,
        amount: AMOUNT.toString(),
        currency: "USDC",
        network,
      },
      settlementId: expect.stringMatching(/^stl_[0-9A-Za-z]{24}$/),
      receiptUrl: `${BASE_URL}/receipt/${settlementId}`,
      contentUrl: expect.stringMatching(/\?key=[\w-]{43}$/),
      ...change,
    },
  ]);
  expect(contentUrl.split("?")[0]).toBe(`${BASE_URL}/receipt/${settlementId}`);
  const paid = { success: true, transaction: receipt.txHash, payer: from };
  expect(decoded(response.headers.get("x-payment-response"))).toEqual({ ...paid, network });
  const extensions = { "offer-receipt": { info: { receipt: expect.anything() }, schema: expect.anything() } };
  const { caip2 } = NETWORKS[network];
  expect(decoded(response.headers.get("payment-response"))).toEqual({ ...paid, network: caip2, extensions });
  expect(response.headers.get("payment-required")).toBeNull();
  expect(await world.balanceOf(payTo, network)).toBe(AMOUNT);
  expect(await linkNow(linkId)).toMatchObject({ useCount: 1 });
  return {
    settlementId: settlementId as string,
    txHash: receipt.txHash as string,
    query: new URL(contentUrl).search,
  };
}

function expectUsed(response: Answer, used: object): void {
  expect([response.status, response.body]).toEqual([409, errorBody(response, "PAYMENT_ALREADY_USED", used)]);
  expect(response.headers.get("payment-required")).toBeNull();
}

/** Every row about money that a request could write. */
async function books(): Promise<unknown> {
  const { sql } = testSystem;
  return {
    settlements: [...(await sql`select * from settlements order by id`)],
    received: [...(await sql`select * from received_payments order by id`)],
    links: [...(await sql`select * from payment_links order by id`)],
    events: [...(await sql`select * from events where type not like 'identity.key%' order by id`)],
  };
}

async function withoutTrace(send: () => Promise<Answer>): Promise<Answer> {
  const booksBefore = await books();
  const response = await send();
  expect(await books()).toEqual(booksBefore);
  return response;
}

test("HEAD never takes a payment, because its response has no content", async () => {
  const linkId = await createLink();
  const proof = claim();
  const head = (claim: Claim) => call("HEAD", `/paymentlink/${linkId}`, { headers: paying(claim) });
  const unpaid = await head(proof);
  expect(unpaid.status).toBe(402);
  expect(decoded(unpaid.headers.get("payment-required")).accepts[0].payTo).toBe(payTo);
  expect(await pay(linkId, proof)).toMatchObject({ status: 200, body: { resource: CONTENT } });
  expect((await head(proof)).status).toBe(409);
  expect(await world.balanceOf(payTo)).toBe(AMOUNT);
});

describe("a payment link without a payment", () => {
  test.each(["base", "base-sepolia"] as const)("%s responds with this 402, in both versions of x402", async (on) => {
    const linkId = await createLink({ network: on });
    const response = await withoutTrace(() => get(linkId));
    expect(response.status).toBe(402);
    expect(response.body).toEqual({
      x402Version: 1,
      error: "X-PAYMENT header is required",
      accepts: [acceptsV1(linkId, on)],
    });
    const required = requiredV2(linkId, "X-PAYMENT header is required", on);
    expect(decoded(response.headers.get("payment-required"))).toEqual(required);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("accepts the request and its preflight from pages of any origin", async () => {
    const linkId = await createLink();
    for (const response of [await get(linkId), await call("OPTIONS", `/paymentlink/${linkId}`)]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
    }
  });

  test("treats an empty payment header as none, requires no login, and ignores the Host header", async () => {
    const linkId = await createLink();
    const response = await get(linkId, { "x-payment": " ", authorization: "Bearer x", host: "evil.example" });
    expect([response.status, body(response).accepts]).toEqual([402, [acceptsV1(linkId)]]);
  });

  test("reads the payee for each request", async () => {
    const linkId = await createLink();
    payTo = freshAddress();
    await setReceivingAddress(seller, payTo);
    expect(body(await get(linkId)).accepts).toEqual([acceptsV1(linkId)]);
  });

  test("returns a hostile description unchanged, also in the header", async () => {
    const description = '<script>"\\\n👩‍👩‍👧‍👦';
    const response = await get(await createLink({ description }));
    expect(body(response).accepts[0].description).toBe(description);
    expect(decoded(response.headers.get("payment-required")).resource.description).toBe(description);
  });

  test("is 404 once its agent is deleted", async () => {
    const formerParties = await linkedPair();
    const linkId = await createLink({}, formerParties);
    expect((await get(linkId)).status).toBe(402);
    await testSystem.sql`update agents set bound_at = now() where id = ${formerParties.agent.agentId}`;
    await call("DELETE", `/api/agents/${formerParties.agent.agentId}`, { session: formerParties.owner.session });
    for (const headers of [{}, paying(claim())]) {
      const response = await withoutTrace(() => get(linkId, headers));
      expect([response.status, response.body]).toEqual([404, errorBody(response, "LINK_NOT_FOUND")]);
    }
  });
});

describe("a valid proof", () => {
  test("moves exactly the amount, and the response has the content and the receipt", async () => {
    const linkId = await createLink({ redirectUrl: `${SHOP}/thanks`, maxUses: 2 });
    const proof = claim();
    const balanceBefore = await world.balanceOf(proof.authorization.from);
    const response = await pay(linkId, proof);
    const { settlementId, txHash } = await expectPaid(linkId, response, proof, { redirectUrl: `${SHOP}/thanks` });
    expect(await world.balanceOf(proof.authorization.from)).toBe(balanceBefore - AMOUNT);
    const [row] =
      await testSystem.sql`select purpose, subject, agent_id, resource, description from settlements where id = ${settlementId}`;
    expect(row).toEqual({
      purpose: "link",
      subject: linkId,
      agent_id: seller.agent.agentId,
      resource: `${BASE_URL}/pay/${linkId}`,
      description: "A report",
    });
    const paid =
      await testSystem.sql`select agent_id, meta from events where type = 'payment_link.paid' and subject = ${linkId}`;
    const { from: payer } = proof.authorization;
    const meta = { settlementId, amount: AMOUNT.toString(), payer, network: "base", reference: null };
    expect([...paid]).toEqual([{ agent_id: seller.agent.agentId, meta }]);
    const receipt = await world.client().getTransactionReceipt({ hash: txHash as `0x${string}` });
    expect(receipt.status).toBe("success");
  });

  test("puts the seller's reference into the event, and into nothing that the payer can read", async () => {
    const reference = "Order-1042";
    const linkId = await createLink({ reference });
    const proof = claim();
    const [unpaid, paidResponse] = [await get(linkId), await pay(linkId, proof)];
    expect(unpaid.status).toBe(402);
    const { settlementId, query } = await expectPaid(linkId, paidResponse, proof);
    for (const { text, headers } of [unpaid, paidResponse, await settlement(settlementId, query)]) {
      expect(text).not.toContain(reference);
      for (const name of ["payment-required", "payment-response", "x-payment-response"]) {
        expect(JSON.stringify(headers.get(name) && decoded(headers.get(name)))).not.toContain(reference);
      }
    }
    const [event] =
      await testSystem.sql`select meta from events where type = 'payment_link.paid' and subject = ${linkId}`;
    expect(event?.meta).toMatchObject({ settlementId, reference });
  });

  test("puts the reference into the event also if the link is deleted during the payment", async () => {
    const linkId = await createLink({ reference: "Order-1043" });
    await workers.stop();
    const pendingResponse = pay(linkId, claim());
    await until(async () => {
      const rows = await testSystem.sql`select 1 from settlements where subject = ${linkId} and state = 'claimed'`;
      return rows.length > 0;
    }, "the claim");
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
    workers = wiring.startWorkers();
    expect((await pendingResponse).status).toBe(200);
    const [event] =
      await testSystem.sql`select meta from events where type = 'payment_link.paid' and subject = ${linkId}`;
    expect(event?.meta).toMatchObject({ reference: "Order-1043" });
  });

  test("pays on base-sepolia at a link for that network", async () => {
    const linkId = await createLink({ network: "base-sepolia" });
    const proof = claim({ network: "base-sepolia" });
    const { settlementId } = await expectPaid(linkId, await pay(linkId, proof), proof);
    expect(await world.balanceOf(payTo, "base")).toBe(0n);
    const [event] =
      await testSystem.sql`select meta from events where type = 'settlement.settled' and subject = ${settlementId}`;
    expect(event?.meta).toMatchObject({ network: "base-sepolia", purpose: "link" });
  });

  test("can be sent as x402 v2 in PAYMENT-SIGNATURE", async () => {
    const linkId = await createLink();
    const proof = claim();
    const v2 = { x402Version: 2, accepted: requiredV2(linkId, "").accepts[0], payload: xPaymentOf(proof).payload };
    await expectPaid(linkId, await get(linkId, { "payment-signature": encodeHeader(v2) }), proof);
  });

  test.each([null, "", "plain text", "<script>alert(1)</script>", "\u202e👩‍👩‍👧‍👦\n"])(
    "returns the content %j unchanged",
    async (resourceContent) => {
      const linkId = await createLink({ resourceContent });
      const proof = claim();
      await expectPaid(linkId, await pay(linkId, proof), proof, { resource: resourceContent });
    },
  );

  test("is not redirected to a URL that is no longer allowed", async () => {
    const linkId = await createLink({ redirectUrl: `${SHOP}/thanks` });
    await restart({ REDIRECT_ORIGINS: "https://other.example" });
    workers = wiring.startWorkers();
    const proof = claim();
    await expectPaid(linkId, await pay(linkId, proof), proof);
    await restart({ REDIRECT_ORIGINS: SHOP });
    workers = wiring.startWorkers();
  });
});

describe("a proof that was submitted before", () => {
  test.each<[string, object, (linkId: string) => Promise<unknown>]>([
    ["active", {}, async () => {}],
    ["sold out", { maxUses: 1 }, async () => {}],
    ["disabled", {}, (linkId) => edit(linkId, { status: "disabled" })],
    [
      "expired",
      {},
      (linkId) =>
        testSystem.sql`update payment_links set expires_at = '2020-01-01T00:00:00Z' where link_id = ${linkId}`,
    ],
    ["changed", {}, (linkId) => edit(linkId, { description: "Other", resourceContent: "other" })],
  ])("is rejected with 409 and its settlement while the link is %s, and buys nothing again", async (_, json, then) => {
    const linkId = await createLink(json);
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(linkId, await pay(linkId, proof), proof);
    await then(linkId);
    for (let again = 0; again < 2; again++) {
      const response = await withoutTrace(() => pay(linkId, proof));
      expectUsed(response, { settlementId, settlementStatus: "settled", txHash });
      expect(response.text).not.toContain("report");
    }
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("still reads the content that the link had when the proof was claimed", async () => {
    const linkId = await createLink();
    const proof = claim();
    const { settlementId, query } = await expectPaid(linkId, await pay(linkId, proof), proof);
    for (const resourceContent of ["something else", null]) {
      await edit(linkId, { resourceContent });
      expect(body(await settlement(settlementId, query))).toMatchObject({ content: CONTENT });
    }
  });

  test("is also rejected with 409 at another link and at the UPL", async () => {
    const [linkId, other] = [await createLink(), await createLink()];
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(linkId, await pay(linkId, proof), proof);
    const upl = `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
    for (const response of [await pay(other, proof), await call("GET", upl, { headers: paying(proof) })]) {
      expectUsed(response, { settlementId, settlementStatus: "settled", txHash });
    }
    expect(await linkNow(other)).toMatchObject({ useCount: 0 });
  });

  test("gives no content to a stranger who copied it from the chain", async () => {
    const linkId = await createLink();
    const proof = claim();
    const { txHash, query } = await expectPaid(linkId, await pay(linkId, proof), proof);
    const { input } = await world.client().getTransaction({ hash: txHash as `0x${string}` });
    // The whole proof is public from here on.
    expect(input).toContain(proof.authorization.nonce.slice(2));
    expect(input).toContain(proof.signature.slice(2, 66));
    const { settlementId } = body(await pay(linkId, proof));
    const guesses = ["", "?key=", `?key=${settlementId}`, `?key=${proof.authorization.nonce}`, `?key=${txHash}`];
    for (const guess of guesses) {
      const response = await settlement(settlementId, guess);
      expect(response.status).toBe(200);
      expect(body(response)).not.toHaveProperty("content");
    }
    const mine = await settlement(settlementId, query);
    expect(mine.body).toEqual({ ...body(await settlement(settlementId)), content: CONTENT });
    const [another] = [await createLink()];
    const second = claim();
    const bought = body(await pay(another, second));
    expect(body(await settlement(bought.settlementId, query))).not.toHaveProperty("content");
  });
});

describe("a payment link that cannot be paid", () => {
  test.each<[string, object, (linkId: string) => Promise<unknown>]>([
    ["LINK_DISABLED", {}, (linkId) => edit(linkId, { status: "disabled" })],
    [
      "LINK_EXPIRED",
      {},
      (linkId) =>
        testSystem.sql`update payment_links set expires_at = '2020-01-01T00:00:00Z' where link_id = ${linkId}`,
    ],
    ["LINK_SOLD_OUT", { maxUses: 1 }, (linkId) => pay(linkId, claim({}, payer(1)))],
  ])("responds with 410 %s, with or without a valid proof, and charges no payer", async (code, json, then) => {
    const linkId = await createLink(json);
    await then(linkId);
    const proof = claim();
    const balanceBefore = await world.balanceOf(proof.authorization.from);
    for (const headers of [{}, paying(proof)]) {
      const response = await withoutTrace(() => get(linkId, headers));
      // Earlier buyers can still sign in to read again.
      const signIn = "x-payment" in headers ? {} : { extensions: { "sign-in-with-x": expect.anything() } };
      expect([response.status, response.body]).toEqual([410, { ...errorBody(response, code), ...signIn }]);
      expect(response.headers.get("payment-required")).toBeNull();
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect(await linkNow(linkId)).toMatchObject({ isPayable: false, unavailableReason: code });
    expect(await world.balanceOf(proof.authorization.from)).toBe(balanceBefore);
    const rows = await testSystem.sql`select 1 from settlements where nonce = ${proof.authorization.nonce}`;
    expect(rows).toHaveLength(0);
  });

  test("still distinguishes a malformed proof from a valid one", async () => {
    const linkId = await createLink();
    await edit(linkId, { status: "disabled" });
    const response = await get(linkId, { "x-payment": "pay me" });
    expect([response.status, response.body]).toEqual([400, errorBody(response, "INVALID_PAYMENT_HEADER")]);
  });

  test("accepts a proof that it rejected before, once it can be paid again", async () => {
    const linkId = await createLink();
    const proof = claim();
    await edit(linkId, { status: "disabled" });
    expect((await pay(linkId, proof)).status).toBe(410);
    await edit(linkId, { status: "active" });
    await expectPaid(linkId, await pay(linkId, proof), proof);
  });
});

describe("a proof that does not match the requirement", () => {
  test.each<[string, string, () => Claim]>([
    ["another network", "PAYMENT_NETWORK_MISMATCH", () => claim({ network: "base-sepolia" })],
    ["another recipient", "PAYMENT_RECIPIENT_MISMATCH", () => claimFrom(payer(), freshAddress(), AMOUNT)],
    ["one unit too little", "PAYMENT_INSUFFICIENT", () => claimFrom(payer(), payTo, AMOUNT - 1n)],
    ["one unit too much", "PAYMENT_INSUFFICIENT", () => claimFrom(payer(), payTo, AMOUNT + 1n)],
    ["an end in the past", "PAYMENT_EXPIRED", () => claim({ windowSeconds: -1 })],
    ["somebody else as payer", "PAYMENT_SIGNATURE_INVALID", () => claim({ from: toAddress(payer(1).address) })],
  ])("(%s) is rejected with 402 %s and the offer, and nothing is written", async (_, code, make) => {
    const linkId = await createLink({ maxUses: 1 });
    const proof = make();
    const response = await withoutTrace(() => pay(linkId, proof));
    const refusal = { x402Version: 1, error: expect.any(String), accepts: [acceptsV1(linkId)], code, ...remedy(code) };
    expect([response.status, response.body]).toEqual([402, refusal]);
    const { error } = body(response);
    expect(decoded(response.headers.get("payment-required"))).toEqual(requiredV2(linkId, error));
    expect(await linkNow(linkId)).toMatchObject({ useCount: 0, isPayable: true });
  });
});

describe("a proof that the token refuses", () => {
  test("gets no content and takes up no use of the link, so that the next payer can buy", async () => {
    const linkId = await createLink({ maxUses: 1 });
    const poor = claimFrom(payer(7), payTo, AMOUNT);
    const response = await pay(linkId, poor);
    const failure = { failureCode: "INSUFFICIENT_FUNDS", stillValidUntil: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect([response.status, response.body]).toEqual([500, errorBody(response, "SETTLEMENT_FAILED", failure)]);
    expect(await linkNow(linkId)).toMatchObject({ useCount: 0, isPayable: true, unavailableReason: null });
    const proof = claim();
    await expectPaid(linkId, await pay(linkId, proof), proof);
    expect(await linkNow(linkId)).toMatchObject({ useCount: 1, unavailableReason: "LINK_SOLD_OUT" });
    const events = await testSystem.sql`select 1 from events where type = 'payment_link.paid' and subject = ${linkId}`;
    expect(events).toHaveLength(1);
  });
});

describe("a payment whose outcome is not known in time", () => {
  test("holds its use of the link, and only its buyer gets the content once the payment has settled", async () => {
    const linkId = await createLink({ maxUses: 1, redirectUrl: `${SHOP}/thanks` });
    await restart({ SETTLE_WAIT_SECONDS: "0.2" });
    const secret = randomBytes(32).toString("hex");
    const nonce = `0x${createHash("sha256").update(secret).digest("hex")}` as const;
    const proof = claim({ nonce });
    const response = await pay(linkId, proof);
    const { settlementId, contentUrl } = body(response);
    expect([response.status, response.body]).toEqual([
      202,
      {
        status: "pending",
        message: expect.any(String),
        settlementId: expect.stringMatching(/^stl_/),
        txHash: null,
        contentUrl: expect.stringMatching(`^${BASE_URL}/receipt/${settlementId}\\?key=[\\w-]{43}$`),
      },
    ]);
    const { search: query } = new URL(contentUrl);
    expect(response.headers.get("location")).toBe(`/api/settlements/${settlementId}`);
    expect(response.text).not.toContain("report");
    const waiting = await settlement(settlementId, query);
    expect(body(waiting)).toMatchObject({ settlementStatus: "pending", purpose: "link" });
    expect(body(waiting)).not.toHaveProperty("content");
    expectUsed(await pay(linkId, proof), { settlementId, settlementStatus: "pending", txHash: null });
    expect(await linkNow(linkId)).toMatchObject({ useCount: 0, isPayable: false, unavailableReason: "LINK_SOLD_OUT" });
    const otherResponse = await pay(linkId, claim({}, payer(1)));
    expect([otherResponse.status, body(otherResponse).code]).toEqual([410, "LINK_SOLD_OUT"]);

    workers = wiring.startWorkers();
    await until(async () => body(await settlement(settlementId)).settlementStatus !== "pending", "the settlement");
    expect(body(await settlement(settlementId))).not.toHaveProperty("content");
    // With the key from the response, or with the nonce's secret for a payer who did not get the response.
    for (const mine of [query, `?key=${secret}`]) {
      const boughtResponse = await settlement(settlementId, mine);
      expect(body(boughtResponse)).toMatchObject({ settlementStatus: "settled", content: CONTENT });
      expect(boughtResponse.headers.get("cache-control")).toBe("no-store");
    }
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
    await restart({ SETTLE_WAIT_SECONDS: "25" });
    workers = wiring.startWorkers();
  });

  test.each(["?key=1&key=2", `?key=${"x".repeat(201)}`])(
    "is rejected with 400 when it is read with an invalid key (%s)",
    async (query) => {
      const response = await settlement("stl_000000000000000000000000", query);
      expect([response.status, body(response).code]).toEqual([400, "INVALID_REQUEST"]);
    },
  );
});

describe("an agent's received payments", () => {
  const received = ({ agent }: Parties, query = "") =>
    call("GET", `/api/received-payments${query}`, { bearer: agent.jwt });
  const one = ({ agent }: Parties, id: unknown) => call("GET", `/api/received-payments/${id}`, { bearer: agent.jwt });
  const paymentsOf = ({ agent }: Parties, linkId: string, query = "") =>
    call("GET", `/api/payment-links/${linkId}/payments${query}`, { bearer: agent.jwt });
  const ids = (response: Answer): number[] => body(response).payments.map((payment: Json) => payment.id);

  async function sellerOfItsOwn(): Promise<Parties> {
    const pair = await linkedPair();
    await setReceivingAddress(pair, payTo);
    return pair;
  }

  test("are listed for the link and for all sources together, with every member, in every state", async () => {
    const pair = await sellerOfItsOwn();
    const linkId = await createLink({}, pair);
    const upl = `/unifypaymentlink/agentid/${pair.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
    const [good, poor, direct] = [claim(), claimFrom(payer(7), payTo, AMOUNT), claim({}, payer(1))];
    const bought = body(await pay(linkId, good));
    const failed = body(await payAndSpend(linkId, poor));
    const given = body(await call("GET", upl, { headers: paying(direct) }));
    const viewOf = (proof: Claim, settlementId: string, change: object) => ({
      id: expect.any(Number),
      payerAddress: proof.authorization.from,
      amount: AMOUNT.toString(),
      currency: "USDC",
      network: "base",
      settlementStatus: "settled",
      failureCode: null,
      stillValidUntil: null,
      refundedAmount: "0",
      sourceType: "payment_link",
      description: "A report",
      paymentLinkId: linkId,
      payerEmail: null,
      payTo,
      settlementId,
      receiptUrl: `${BASE_URL}/receipt/${settlementId}`,
      createdAt: expect.stringMatching(ISO),
      ...change,
    });
    const ofLink = [
      viewOf(poor, failed.settlementId, {
        settlementStatus: "pending",
        settlementTxHash: null,
        failureCode: "INSUFFICIENT_FUNDS",
        stillValidUntil: expect.stringMatching(/^2.*Z$/),
      }),
      viewOf(good, bought.settlementId, { settlementTxHash: bought.receipt.txHash }),
    ];
    const ofUpl = viewOf(direct, given.settlementId, {
      sourceType: "upl",
      paymentLinkId: null,
      description: "Payment to Test agent",
      settlementTxHash: given.txHash,
    });
    const atLink = await paymentsOf(pair, linkId);
    expect([atLink.status, atLink.body]).toEqual([200, { success: true, payments: ofLink, nextCursor: null }]);
    const all = await received(pair);
    expect([all.status, all.body]).toEqual([200, { success: true, payments: [ofUpl, ...ofLink], nextCursor: null }]);
    for (const payment of body(all).payments) {
      const response = await one(pair, payment.id);
      expect([response.status, response.body]).toEqual([200, { success: true, payment }]);
    }
    expect(all.text).not.toContain("<b>");
  });

  test("are hidden from other agents: their lists are empty, and reading one payment is 404", async () => {
    const pair = await sellerOfItsOwn();
    const linkId = await createLink({}, pair);
    await pay(linkId, claim());
    const [id] = ids(await received(pair));
    const stranger = await linkedPair();
    expect((await received(stranger)).body).toEqual({ success: true, payments: [], nextCursor: null });
    for (const unknown of [id, 0, 999_999_999, "x", "1.5", "-1", "9".repeat(40), "1e1", ""]) {
      if (unknown === "") continue;
      const response = await one(stranger, unknown);
      expect([response.status, response.body]).toEqual([404, errorBody(response, "PAYMENT_NOT_FOUND")]);
    }
  });

  test("stay listed when the link is deleted, and the buyer keeps the content", async () => {
    const linkId = await createLink();
    const proof = claim();
    const { settlementId, query } = await expectPaid(linkId, await pay(linkId, proof), proof);
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
    for (const headers of [{}, paying(claim())]) {
      const response = await withoutTrace(() => get(linkId, headers));
      expect([response.status, response.body]).toEqual([404, errorBody(response, "LINK_NOT_FOUND")]);
    }
    // A payer who lost the response and repeats the request must not read this as "nothing was paid".
    const repeatedResponse = await pay(linkId, proof);
    expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([
      409,
      { code: "PAYMENT_ALREADY_USED", settlementId, settlementStatus: "settled" },
    ]);
    expect((await paymentsOf(seller, linkId)).status).toBe(404);
    const [latest] = body(await received(seller)).payments;
    expect(latest).toMatchObject({ settlementId, paymentLinkId: linkId, settlementStatus: "settled" });
    expect(body(await settlement(settlementId, query))).toMatchObject({ content: CONTENT });
  });

  test("are paged without repetition while more arrive", async () => {
    const pair = await sellerOfItsOwn();
    const linkId = await createLink({}, pair);
    for (let index = 0; index < 5; index++) await pay(linkId, claim({}, payer(index % 3)));
    const [whole, atLink] = [ids(await received(pair)), ids(await paymentsOf(pair, linkId))];
    expect(whole).toHaveLength(5);
    expect(atLink).toEqual(whole);
    expect(whole).toEqual([...whole].sort((a, b) => b - a));
    for (const read of [(query: string) => received(pair, query), (query: string) => paymentsOf(pair, linkId, query)]) {
      const seen: number[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await read(`?limit=2${cursor && `&cursor=${cursor}`}`);
        seen.push(...ids(page).filter((id) => whole.includes(id)));
        cursor = body(page).nextCursor;
        if (seen.length === 2) await pay(linkId, claim());
      }
      expect(seen).toEqual(whole);
    }
    const now = ids(await received(pair));
    expect(ids(await received(pair, "?offset=3"))).toEqual(now.slice(3));
    expect(ids(await received(pair, "?offset=1&limit=2"))).toEqual(now.slice(1, 3));
    expect(ids(await received(pair, "?offset=999"))).toEqual([]);
  });

  test.each([
    ...["0", "101", "-1", "1.5", "", "x"].map((bad) => ["limit", bad]),
    ...["x", "-1", "", "1&cursor=2"].map((bad) => ["cursor", bad]),
    ...["x", "-1", "", "1.5"].map((bad) => ["offset", bad]),
  ])("are rejected for the invalid filter %s=%s", async (name, bad) => {
    const response = await received(seller, `?${name}=${bad}`);
    expect([response.status, body(response)]).toMatchObject([400, { code: "INVALID_REQUEST", field: name }]);
  });

  test("appear in the owner's dashboard, from links and the UPL", async () => {
    const pair = await sellerOfItsOwn();
    const linkId = await createLink({}, pair);
    const upl = `/unifypaymentlink/agentid/${pair.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
    const bought = body(await pay(linkId, claim()));
    const given = body(await call("GET", upl, { headers: paying(claim({}, payer(1))) }));
    const [row] = await testSystem.sql`select id from owners where address = ${pair.owner.address}`;
    const actor = { type: "owner" as const, ownerId: row?.id as OwnerId, address: pair.owner.address };
    const ctx = { ...testSystem.system, requestId: "test", actor };
    const { rows } = await sales.list(ctx, { filter: {}, limit: 10 });
    expect(rows.map(({ settlement, agentName }) => [settlement.id, settlement.purpose, agentName])).toEqual([
      [given.settlementId, "upl", "Test agent"],
      [bought.settlementId, "link", "Test agent"],
    ]);
  });

  test("are in the owner's activity as events of the link", async () => {
    const pair = await sellerOfItsOwn();
    const linkId = await createLink({}, pair);
    const { settlementId } = body(await pay(linkId, claim()));
    const csv = (query: string) => call("GET", `/api/activity.csv${query}`, { session: pair.owner.session });
    const lines = (await csv("?kind=link")).text.trim().split("\r\n").slice(1);
    expect(lines.map((line) => line.split(",")[1])).toEqual(["payment_link.paid", "payment_link.created"]);
    expect(lines[0]).toContain(linkId);
    expect(lines[0]).toContain(settlementId);
    expect((await csv("?kind=money")).text).toContain("settlement.settled");
    expect((await csv("?kind=links")).status).toBe(400);
  });

  test("are the lower bound for a new payment limit of the link", async () => {
    const linkId = await createLink({ maxUses: 3 });
    for (const index of [0, 1]) expect((await pay(linkId, claim({}, payer(index)))).status).toBe(200);
    const response = await edit(linkId, { maxUses: 1 });
    const uses = { useCount: 2, open: 0 };
    expect([response.status, response.body]).toEqual([400, errorBody(response, "MAX_USES_TOO_LOW", uses)]);
    expect(body(await edit(linkId, { maxUses: 2 }))).toMatchObject({
      paymentLink: { maxUses: 2, useCount: 2, unavailableReason: "LINK_SOLD_OUT" },
    });
    expect(body(await edit(linkId, { maxUses: null }))).toMatchObject({
      paymentLink: { isPayable: true, useCount: 2 },
    });
  });
});
