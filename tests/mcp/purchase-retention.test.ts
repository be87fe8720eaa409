import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addSeconds } from "@/lib/core/time";
import { forgetOldAnswers } from "@/lib/purchases/service";
import { freshAddress, type Json, linkedPair, signedMandate } from "../support/mandates";
import { connectV1, type McpClient, requiredV1, sellFrom } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";

const service = runService();
const PRICE = "20000";
const DAY = 86_400;
let shop: Receiver;
let client: McpClient;
let n = 0;
/** The key of each test's purchase. */
let idempotencyKey: string;

beforeAll(async () => {
  shop = await startReceiver();
  const buyer = await linkedPair();
  await service.world.mint(await walletOf(buyer.owner), 100_000_000n);
  await signedMandate({ limitAmount: "50000000" }, buyer);
  client = await connectV1(buyer.agent.token);
});
beforeEach(() => {
  idempotencyKey = `key-${++n}`;
});
afterAll(async () => {
  await client?.close();
  await shop?.close();
});

const pay = async (): Promise<Json> =>
  (await client.call("pay_url", { url: shop.url, maxAmount: PRICE, idempotencyKey })).value;
const forgetAfter = (days: number) =>
  forgetOldAnswers({ ...service.opened.system, now: () => addSeconds(new Date(), days * DAY) });
const stored = async () => {
  const [row] = await service.opened.sql`select sealed_answer is not null as has_answer, answer_deleted_at is not null
    as is_deleted, sealed_proof is not null as has_proof from purchases order by created_at desc limit 1`;
  return [row?.has_answer, row?.is_deleted, row?.has_proof];
};

test("the stored response of a settled purchase is deleted after 30 days, and its key still never pays again", async () => {
  const seller = await linkedPair();
  sellFrom(shop, `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${PRICE}&asset=usdc`);
  const first = await pay();
  expect(first).toMatchObject({ outcome: "delivered", answer: { status: 200 } });
  await until(async () => (await pay()).payment.status === "settled", "the payment to settle");
  expect(await forgetAfter(29)).toBe(0);
  expect(await stored()).toEqual([true, false, true]);

  expect(await forgetAfter(31)).toBe(1);
  expect(await stored()).toEqual([false, true, true]);
  expect(await forgetAfter(31)).toBe(0);
  const requestCount = shop.got.length;
  expect(await pay()).toMatchObject({
    outcome: "delivered",
    message: expect.stringContaining("kept for 30 days"),
    payment: { paymentRecordId: first.payment.paymentRecordId, status: "settled" },
    answer: null,
  });
  expect(shop.got).toHaveLength(requestCount);
});

test("the stored response to a payment with an unknown outcome is kept", async () => {
  shop.answer((request, res) =>
    request.headers["x-payment"]
      ? void res.writeHead(200).end("goods")
      : void res.writeHead(402).end(requiredV1(shop.url, freshAddress(), PRICE)),
  );
  expect(await pay()).toMatchObject({ outcome: "delivered", payment: { status: "signed" } });
  expect(await forgetAfter(400)).toBe(0);
  expect(await stored()).toEqual([true, false, true]);
  expect(await pay()).toMatchObject({ outcome: "delivered", answer: { body: "goods" } });
});

test("a purchase without a stored response is kept unchanged", async () => {
  shop.answer((request, res) =>
    request.headers["x-payment"]
      ? void res.writeHead(500).end()
      : void res.writeHead(402).end(requiredV1(shop.url, freshAddress(), PRICE)),
  );
  expect(await pay()).toMatchObject({ outcome: "unknown" });
  expect(await forgetAfter(400)).toBe(0);
  expect(await stored()).toEqual([false, false, true]);
});

test("a stored response that cost nothing is deleted, and the URL is not requested again", async () => {
  shop.answerStatus(200);
  expect(await pay()).toMatchObject({ outcome: "not_required", answer: { status: 200 } });
  expect(await forgetAfter(31)).toBe(1);
  const requestCount = shop.got.length;
  expect(await pay()).toMatchObject({ outcome: "not_required", payment: null, answer: null });
  expect(shop.got).toHaveLength(requestCount);
  const otherResponse = await client.call("pay_url", { url: `${shop.url}/x`, maxAmount: PRICE, idempotencyKey });
  expect(otherResponse.value.error.code).toBe("purchase_key_reused");
});
