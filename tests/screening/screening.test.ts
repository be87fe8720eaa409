import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner } from "../support/actors";
import { setReceivingAddress } from "../support/confirmations";
import { newKey, requestV1, settle, verify } from "../support/facilitator";
import { call } from "../support/http";
import { linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import { body, createPayout, outcome, payout, requestPayout, walletOf } from "../support/payouts";
import { startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";

const AMOUNT = 250_000n;
const service = runService();
const dir = mkdtempSync(join(tmpdir(), "tessera-screening-"));
const file = join(dir, "sdn.csv");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const DENIED = freshAddress();
let pair: Parties;
let mandateId: string;

/** Writes the list and its signature. */
function publish(text: string, signed = text): void {
  writeFileSync(file, text);
  writeFileSync(`${file}.sig`, sign(null, Buffer.from(signed), privateKey).toString("base64"));
}
const sdn = (...addresses: string[]) =>
  addresses
    .map((address) => `1,"SOMEBODY","individual","CYBER2","Digital Currency Address - ETH ${address}"`)
    .join("\n");

/** Another process reads the list anew. */
const restart = (settings: Record<string, string> = {}) =>
  service.restart({
    ...settings,
    SCREENING_LISTS: `ofac=${file}`,
    SCREENING_KEY: Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64"),
    OPERATOR_CONTACT: "help@wallet.example",
  });

const DENIAL = {
  code: "payee_denied",
  list: "ofac",
  address: DENIED,
  message: expect.stringContaining('the operator\'s list "ofac"'),
  appealUrl: expect.stringMatching(/^mailto:help@wallet\.example\?subject=.*ofac.*mistake&body=/),
};

beforeAll(async () => {
  publish(sdn(DENIED));
  await restart();
  pair = await linkedPair();
  await service.world.mint(await walletOf(pair.owner), 100_000_000n);
  ({ mandateId } = await signedMandate({}, pair));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const requestV1Payment = (change: object) =>
  call("POST", "/api/payment/x402V1Payment", {
    bearer: pair.agent.jwt,
    json: { amount: "10000", resource: "https://api.example.com/a", ...change },
  });
/** An entry of `accepts` in x402 v2. */
const offerTo = (payTo: string) => ({
  scheme: "exact",
  network: NETWORKS.base.caip2,
  amount: "10000",
  asset: NETWORKS.base.usdc,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: NETWORKS.base.tokenName, version: NETWORKS.base.tokenVersion },
});
const newLink = async (amount = AMOUNT) => {
  const { jwt: bearer } = pair.agent;
  const created = await call("POST", "/api/payment-links", { bearer, json: { amount: amount.toString() } });
  return body(created).paymentLink as { linkId: string; payTo: string };
};

describe("an address on the operator's list is not paid", () => {
  test("under a mandate, and another one is", async () => {
    const denied = await pay(pair.agent, mandateId, { payTo: DENIED });
    expect([denied.status, denied.body]).toMatchObject([403, DENIAL]);
    expect((await pay(pair.agent, mandateId, { payTo: DENIED.toLowerCase() })).status).toBe(403);
    expect((await pay(pair.agent, mandateId, { payTo: freshAddress() })).status).toBe(200);
    const paymentRequest = {
      x402Version: 2,
      resource: { url: "https://api.example.com/a" },
      accepts: [offerTo(DENIED)],
    };
    const v2 = await call("POST", "/api/v2/payment/x402-payment", {
      bearer: pair.agent.jwt,
      json: { mandateId, paymentRequest },
    });
    expect([v2.status, v2.body]).toMatchObject([403, DENIAL]);
    const rows = await service.opened.sql`select 1 from reservations where payee = ${DENIED}`;
    expect(rows).toHaveLength(0);
  });

  test("under an approval: the owner is not even asked", async () => {
    const denied = await requestV1Payment({ payTo: DENIED });
    expect([denied.status, denied.body]).toMatchObject([403, DENIAL]);
    expect((await requestV1Payment({ payTo: freshAddress() })).status).toBe(202);
  });

  test("by a payout or one share of it, of an agent or of the owner", async () => {
    const recipients = [freshAddress(), DENIED].map((address) => ({ toAddress: address, amount: "10000" }));
    const requests = [payout({ toAddress: DENIED }), payout({ toAddress: undefined, amount: undefined, recipients })];
    for (const request of requests) {
      const ofAgent = await requestPayout(pair.agent, request);
      expect([ofAgent.status, ofAgent.body]).toMatchObject([403, DENIAL]);
      const ofOwner = await createPayout(pair.owner, { ...request, network: "base", currency: "USDC" });
      expect(outcome(ofOwner)).toEqual([403, "payee_denied"]);
    }
  });

  test("by a purchase of the tool pay_url", async () => {
    const shop = await startReceiver();
    const client = await connectV1(pair.agent.token);
    const offer = {
      scheme: "exact",
      network: "base",
      maxAmountRequired: "10000",
      resource: shop.url,
      payTo: DENIED,
      asset: NETWORKS.base.usdc,
      description: "data",
      mimeType: "text/plain",
      maxTimeoutSeconds: 60,
    };
    shop.answer((_, res) => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [offer] })));
    await signedMandate({ hostAllowlist: ["localhost"] }, pair);
    const order = { url: shop.url, maxAmount: "10000", idempotencyKey: "one-purchase" };
    const { isError, value } = await client.call("pay_url", order);
    expect([isError, value]).toMatchObject([true, { error: { code: "payee_denied", list: "ofac", address: DENIED } }]);
    expect(await service.opened.sql`select 1 from reservations where payee = ${DENIED}`).toHaveLength(0);
    await client.close();
    await shop.close();
  });

  test("through the facilitator, which shows the proof to no node", async () => {
    const key = await newKey((await newOwner()).session);
    const request = requestV1(claimFrom(service.payer(), DENIED, AMOUNT));
    for (const each of [await verify(key, request), await settle(key, request)])
      expect([each.status, each.body]).toMatchObject([403, { code: "payee_denied", list: "ofac" }]);
    expect(await service.opened.sql`select 1 from settlements where payee = ${DENIED}`).toHaveLength(0);
  });

  test("at a link whose seller is on it", async () => {
    await setReceivingAddress(pair, DENIED);
    const { linkId } = await newLink();
    const headers = paying(claimFrom(service.payer(), DENIED, AMOUNT));
    const response = await call("GET", `/paymentlink/${linkId}`, { headers });
    expect([response.status, response.body]).toMatchObject([403, { ...DENIAL, code: "PAYEE_DENIED" }]);
    const upl = `/unifypaymentlink/agentid/${pair.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
    const atUpl = await call("GET", upl, { headers: paying(claimFrom(service.payer(), DENIED, AMOUNT)) });
    expect([atUpl.status, atUpl.body]).toMatchObject([403, { ...DENIAL, code: "PAYEE_DENIED" }]);
    await setReceivingAddress(pair, freshAddress());
  });
});

test("a payer who is listed is refused; a payment that was under way before settles", async () => {
  const { linkId, payTo } = await newLink();
  const proof = paying(claimFrom(service.payer(), toAddress(payTo), AMOUNT));
  const buy = (headers: Record<string, string>) => call("GET", `/paymentlink/${linkId}`, { headers });
  await service.workers.stop();
  await restart({ SETTLE_WAIT_SECONDS: "0" });
  expect((await buy(proof)).status).toBe(202);
  publish(sdn(DENIED, service.payer().address, payTo));
  await restart();
  service.workers.start();
  const isSettled = async () =>
    (await service.opened.sql`select 1 from settlements where payee = ${payTo} and state = 'settled'`).length === 1;
  await until(isSettled, "the payment that was under way");
  expect((await buy(proof)).status).not.toBe(403);
  publish(sdn(DENIED, service.payer().address));
  await restart();
  const later = await buy(paying(claimFrom(service.payer(), toAddress(payTo), AMOUNT)));
  const denial = { code: "PAYER_DENIED", list: "ofac" };
  expect([later.status, later.body]).toMatchObject([403, denial]);
  const upl = `/unifypaymentlink/agentid/${pair.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
  const claim = () => claimFrom(service.payer(), toAddress(payTo), AMOUNT);
  const atUpl = await call("GET", upl, { headers: paying(claim()) });
  expect([atUpl.status, atUpl.body]).toMatchObject([403, denial]);
  const key = await newKey((await newOwner()).session);
  for (const each of [await verify(key, requestV1(claim())), await settle(key, requestV1(claim()))])
    expect([each.status, each.body]).toMatchObject([403, { code: "payer_denied", list: "ofac" }]);
  publish(sdn(DENIED));
  await restart();
});

test("without a list that was ever read, nothing is signed; a signature of other bytes is not accepted", async () => {
  publish(sdn(DENIED), "something else");
  await restart();
  const response = await pay(pair.agent, mandateId, { payTo: freshAddress() });
  expect([response.status, response.body]).toMatchObject([503, { code: "unavailable" }]);
  publish(sdn(DENIED));
  await until(async () => (await pay(pair.agent, mandateId, { payTo: freshAddress() })).status === 200, "the list");
});
