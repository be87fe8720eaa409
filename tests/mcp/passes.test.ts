import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type PaymentError, Tessera } from "@tessera/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";

/** `pay_url` and the client with `preferPass`. */
const service = runService();
const PRICE = 10_000n;
let upstream: Server;
let asked: string[];
/** Answers the request for /slow. */
let endSlow: (() => void) | null = null;
let seller: Parties;
let buyer: Parties;
let client: McpClient;
let n = 0;

beforeAll(async () => {
  upstream = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    req.resume();
    const respond = () => res.writeHead(200, { "content-type": "text/plain" }).end("quote");
    if (req.url === "/slow") endSlow = respond;
    else req.once("end", respond);
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  [seller, buyer] = [await linkedPair(), await linkedPair()];
  await service.world.mint(await walletOf(buyer.owner), 10_000_000n);
  await signedMandate({ limitAmount: "5000000", maxAmountPerPayment: "500000" }, buyer);
  client = await connectV1(buyer.agent.token);
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await client?.close();
  upstream?.closeAllConnections();
  upstream?.close();
});

async function sells(pass: object): Promise<Json> {
  const url = `http://localhost:${(upstream.address() as AddressInfo).port}`;
  const fields = { amount: `${PRICE}`, description: "Quotes", upstream: { url, methods: ["GET", "POST"], pass } };
  const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: fields });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

const pay = async ({ linkId }: Json, change: object = {}): Promise<Json> => {
  const order = { url: `${BASE_URL}/paid/${linkId}/q`, maxAmount: `${PRICE}`, preferPass: "1000000" };
  return (await client.call("pay_url", { ...order, idempotencyKey: `pass-${++n}`, ...change })).value;
};
const answer = { status: 200, body: "quote" };
const paid = (amount: bigint) => ({ outcome: "delivered", payment: { amount: `${amount}` }, answer });
const onPass = { outcome: "not_required", message: expect.stringContaining("Nothing was paid"), payment: null, answer };

test("a pass is bought for the first call, used by the next ones, and bought again once it is used up", async () => {
  const link = await sells({ calls: 2, amount: "20000" });
  expect(await pay(link)).toMatchObject(paid(20_000n));
  const order = { method: "POST", body: "{}", idempotencyKey: "posted" };
  expect(await pay(link, order)).toMatchObject(onPass);
  expect(await pay(link, order)).toMatchObject({ outcome: "not_required", answer });
  expect(await pay(link)).toMatchObject(paid(20_000n));
  expect(asked).toEqual(["GET /q", "POST /q", "GET /q"]);
});

test.each([
  ["costs more than preferPass", { calls: 1000, amount: "1000001" }],
  ["costs more than its calls", { calls: 2, amount: "20001" }],
  ["is not covered by the mandate", { calls: 1000, amount: "500001" }],
])("a call is paid if the pass %s", async (_, pass) => {
  expect(await pay(await sells(pass))).toMatchObject(paid(PRICE));
});

test("a call is paid once a refund of the pass is approved, and with an Authorization of the caller's own", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  await pay(link);
  expect(await pay(link, { headers: { authorization: "Bearer mine" } })).toMatchObject(paid(PRICE));
  const asSeller = (method: string, path: string, json?: object) =>
    call(method, path, { bearer: seller.agent.jwt, ...(json && { json }) });
  const listed = await asSeller("GET", `/api/payment-links/${link.linkId}/passes`);
  const [{ paymentId }] = (listed.body as Json).passes;
  const refund = await asSeller("POST", "/api/payment-links/refunds/initiate", { paymentId });
  const { refundId } = refund.body as Json;
  expect(await pay(link)).toMatchObject(onPass);
  await asSeller("POST", `/api/payment-links/refunds/${refundId}/cancel`);
  const left = await asSeller("POST", "/api/payment-links/refunds/initiate", { paymentId });
  const approve = `/api/refunds/${(left.body as Json).refundId}/approve`;
  expect((await call("POST", approve, { session: seller.owner.session })).status).toBe(200);
  expect(await pay(link)).toMatchObject(paid(PRICE));
});

test("a call is paid while the last call of the pass is under way, because it may come back", async () => {
  const link = await sells({ calls: 2, amount: "20000" });
  await pay(link);
  const slow = pay(link, { url: `${BASE_URL}/paid/${link.linkId}/slow` });
  await until(async () => endSlow !== null, "the slow call");
  expect(await pay(link)).toMatchObject(paid(PRICE));
  endSlow?.();
  expect(await slow).toMatchObject(onPass);
  expect(await pay(link)).toMatchObject(paid(20_000n));
});

test("calls at once buy one pass", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const views = await Promise.all([pay(link), pay(link), pay(link)]);
  expect(views.map(({ answer: given }) => given)).toMatchObject([answer, answer, answer]);
  const { passes } = (await call("GET", `/api/payment-links/${link.linkId}/passes`, { bearer: seller.agent.jwt }))
    .body as Json;
  expect(passes).toHaveLength(1);
});

test("the client buys a pass once under a key, and the next one under another key", async () => {
  const { linkId } = await sells({ calls: 2, amount: "20000" });
  const { agentId, token } = buyer.agent;
  const fetch: typeof globalThis.fetch = async (target, { method = "GET", headers = {}, body } = {}) =>
    fetchPath(method, String(target).replace(BASE_URL, ""), { headers, ...(body && { body }) });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId, token, fetch });
  const order = { maxAmount: `${PRICE}`, preferPass: "1000000" };
  const payAs = async (idempotencyKey: string) => {
    const { response, receipt } = await tessera.pay(`${BASE_URL}/paid/${linkId}/q`, {}, { ...order, idempotencyKey });
    return [await response.text(), receipt?.amount];
  };
  expect([await payAs("a"), await payAs("a")]).toEqual([
    ["quote", "20000"],
    ["quote", undefined],
  ]);
  const error = await payAs("a").catch((thrown: PaymentError) => thrown);
  expect(error).toMatchObject({ outcome: "paid", message: expect.stringContaining("needs another key") });
  expect(await payAs("b")).toEqual(["quote", "20000"]);
});
