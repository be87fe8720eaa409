import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner } from "../support/actors";
import { confirmedCall, setReceivingAddress } from "../support/confirmations";
import { newKey, requestV1, settle, verify } from "../support/facilitator";
import { BASE_URL, call } from "../support/http";
import { linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import {
  body,
  createPayout,
  decide,
  outcome,
  payout,
  requestedPayout,
  requestPayout,
  walletOf,
} from "../support/payouts";
import { startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";
import { vaultMandate } from "../support/vault-mandates";

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
  });

const DENIAL = {
  code: "payee_denied",
  list: "ofac",
  address: DENIED,
  message: expect.stringContaining('the operator\'s list "ofac"'),
  appealUrl: `${BASE_URL}/report?address=${DENIED}`,
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

test("a vault pays nobody on the list, and others", async () => {
  const { agent, mandateId, vault } = await vaultMandate(service.world, {}, {}, pair);
  const payOther = async () => (await pay(agent, mandateId, { payTo: freshAddress() })).status;
  await until(async () => (await payOther()) === 200, "the vault");
  const denied = await pay(agent, mandateId, { payTo: DENIED });
  expect([denied.status, denied.body]).toMatchObject([403, DENIAL]);
  expect(await payOther()).toBe(200);
  expect(await service.opened.sql`select 1 from reservations where payer = ${vault} and payee = ${DENIED}`).toEqual([]);
});

describe("an address that is listed after a person decided", () => {
  const later = freshAddress();
  const listLater = async () => {
    publish(sdn(DENIED, later));
    await restart();
  };
  const unlist = async () => {
    publish(sdn(DENIED));
    await restart();
  };
  const denial = { code: "payee_denied", list: "ofac", address: later };

  test("is not paid by the approval of a single payment", async () => {
    const { approvalId } = body(await requestV1Payment({ payTo: later }));
    const approved = await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {});
    expect(approved.status).toBe(200);
    await listLater();
    const redeemed = await requestV1Payment({ payTo: later, approvalId });
    expect([redeemed.status, redeemed.body]).toMatchObject([403, denial]);
    expect(await service.opened.sql`select 1 from reservations where payee = ${later}`).toHaveLength(0);
    await unlist();
    expect((await requestV1Payment({ payTo: later, approvalId })).status).toBe(200);
  });

  test("is not paid by a payout that waits", async () => {
    const { id } = await requestedPayout(pair.agent, { toAddress: later });
    await listLater();
    const approved = await decide(pair.owner, id, "approve");
    expect([approved.status, approved.body]).toMatchObject([403, denial]);
    await unlist();
  });

  test("is not refunded", async () => {
    const { linkId, payTo } = await newLink();
    const { jwt: bearer } = pair.agent;
    const buyer = service.payer(1);
    await service.world.mint(toAddress(buyer.address), AMOUNT);
    const proof = paying(claimFrom(buyer, toAddress(payTo), AMOUNT));
    expect((await call("GET", `/paymentlink/${linkId}`, { headers: proof })).status).toBe(200);
    const [{ id: paymentId }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
    const json = { paymentId };
    const { refundId } = body(await call("POST", "/api/payment-links/refunds/initiate", { bearer, json }));
    const approve = () => call("POST", `/api/refunds/${refundId}/approve`, { session: pair.owner.session });
    publish(sdn(DENIED, buyer.address));
    await restart();
    await until(async () => outcome(await approve())[1] !== "PAYMENT_NOT_FINAL", "the payment to be final");
    const refused = await approve();
    expect([refused.status, refused.body]).toMatchObject([403, { code: "payee_denied", address: buyer.address }]);
    await unlist();
    const lists = (json: object) => confirmedCall(pair.owner, "/api/wallet/payee-lists", json);
    await lists({ list: "deny", add: [buyer.address] });
    expect((await approve()).body).toMatchObject({ code: "payee_denied", list: "yours", rule: "deny" });
    // Money that goes back to a buyer needs no entry in the allow list.
    await lists({ list: "deny", remove: [buyer.address], isAllowListOn: true });
    expect((await approve()).status).toBeLessThan(300);
    await lists({ list: "allow", isAllowListOn: false });
  });
});

test("credits are not sold to a listed payer, nor while the service's own address is listed", async () => {
  const json = { amount: "1000000", agentId: pair.agent.agentId };
  const treasury = service.opened.system.config.treasury;
  const buy = () =>
    call("POST", "/api/credits/top-up", { json, headers: paying(claimFrom(service.payer(), treasury, 1_000_000n)) });
  publish(sdn(DENIED, service.payer().address));
  await restart();
  expect(outcome(await buy())).toEqual([403, "PAYER_DENIED"]);
  publish(sdn(DENIED, treasury));
  await restart();
  expect(outcome(await buy())).toEqual([403, "PAYEE_DENIED"]);
  publish(sdn(DENIED));
  await restart();
  expect((await buy()).status).toBe(200);
});

describe("a mistake", () => {
  const report = (address: string, reason?: string) =>
    call("POST", "/api/payee-reports", { json: { address, ...(reason !== undefined && { reason }) } });
  const rows = () => service.opened.sql`select address, list, reason from payee_reports order by id`;

  test("is reported to the operator by anybody, for addresses on a list only", async () => {
    expect(outcome(await report(DENIED.toLowerCase(), "It is <b>mine</b>"))).toEqual([200, "ok"]);
    expect(await rows()).toEqual([{ address: DENIED, list: "ofac", reason: "It is <b>mine</b>" }]);
    expect(outcome(await report(freshAddress()))).toEqual([404, "payee_not_denied"]);
    expect(outcome(await report(DENIED, "a\u202eb"))).toEqual([400, "invalid_request"]);
    expect(outcome(await report(DENIED, "x".repeat(1001)))).toEqual([400, "invalid_request"]);
    expect(await rows()).toHaveLength(1);
  });

  test("is kept 20 times for one address", async () => {
    await service.opened
      .sql`insert into payee_reports (address, list, reason, created_at) select ${DENIED}, 'ofac', '', now() from generate_series(1, 19)`;
    expect(outcome(await report(DENIED))).toEqual([200, "ok"]);
    expect(await rows()).toHaveLength(20);
    await service.opened.sql`delete from payee_reports`;
  });
});

test("the owner of a payment that was signed before its payee was listed is told once", async () => {
  const payTo = freshAddress();
  const body = { payTo, validityWindowSeconds: 600 };
  expect((await pay(pair.agent, mandateId, body)).status).toBe(200);
  publish(sdn(DENIED, payTo));
  await restart();
  const events = () =>
    service.opened
      .sql`select e.type, o.address, e.meta from events e join owners o on o.id = e.owner_id where e.type = 'payee.denied_under_way' and subject = ${payTo}`;
  await until(async () => (await events()).length > 0, "the event");
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const meta = { list: "ofac", network: "base", amount: "10000" };
  expect(await events()).toEqual([{ type: "payee.denied_under_way", address: pair.owner.account.address, meta }]);
  publish(sdn(DENIED));
  await restart();
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
  const report = await call("POST", "/api/payee-reports", { json: { address: DENIED } });
  expect(outcome(report)).toEqual([503, "unavailable"]);
  publish(sdn(DENIED));
  await until(async () => (await pay(pair.agent, mandateId, { payTo: freshAddress() })).status === 200, "the list");
});
