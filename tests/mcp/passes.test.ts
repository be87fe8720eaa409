import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addSeconds } from "@/lib/core/time";
import { forgetOldAnswers } from "@/lib/purchases/service";
import { confirmedCall } from "../support/confirmations";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { openUpstream, type UpstreamServer } from "../support/upstream";
import * as wiring from "../support/wiring";

/** `pay_url` with `preferPass`. */
const service = runService();
const PRICE = 10_000n;
const DAY = 86_400;
let upstream: UpstreamServer;
/** What the seller's API was asked, and under which names. */
let asked: { request: string; name: unknown }[];
let respond: (req: IncomingMessage, res: ServerResponse) => void;
let seller: Parties;
let buyer: Parties;
let mandateId: string;
let client: McpClient;
let n = 0;

beforeAll(async () => {
  upstream = await openUpstream((req, res) => {
    asked.push({ request: `${req.method} ${req.url}`, name: req.headers["idempotency-key"] });
    req.resume().once("end", () => respond(req, res));
  });
  [seller, buyer] = [await linkedPair(), await linkedPair()];
  await service.world.mint(await walletOf(buyer.owner), 10_000_000n);
  ({ mandateId } = await signedMandate({ limitAmount: "5000000", maxAmountPerPayment: "500000" }, buyer));
  client = await connectV1(buyer.agent.token);
});
const quote = (req: IncomingMessage, res: ServerResponse) => {
  const status = req.url === "/missing" ? 404 : 200;
  res.writeHead(status, { "content-type": "text/plain" }).end(status === 200 ? "quote" : "no quote");
};
beforeEach(() => {
  [asked, respond] = [[], quote];
});
afterAll(async () => {
  await client?.close();
  upstream?.close();
});

/** Creates a link with this pass, or changes the pass of one. */
async function sells(pass: object, { linkId }: Json = {}, paths: object[] = []): Promise<Json> {
  const { url } = upstream;
  const sold = { upstream: { url, methods: ["GET", "POST"], secondsMax: 120, paths, pass } };
  const [method, path, json] = linkId
    ? ["PATCH", `/api/payment-links/${linkId}`, sold]
    : ["POST", "/api/payment-links", { ...sold, amount: `${PRICE}`, description: "Quotes" }];
  const response = await call(method, path, { bearer: seller.agent.jwt, json });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

const pay = async ({ linkId }: Json, { path = "/q", ...change }: Json = {}): Promise<Json> => {
  const order = { url: `${BASE_URL}/paid/${linkId}${path}`, maxAmount: `${PRICE}`, preferPass: "1000000" };
  return (await client.call("pay_url", { ...order, idempotencyKey: `pass-${++n}`, ...change })).value;
};
const passesOf = async ({ linkId }: Json): Promise<Json[]> =>
  ((await call("GET", `/api/payment-links/${linkId}/passes`, { bearer: seller.agent.jwt })).body as Json).passes;
const paymentCount = async () => Number((await service.opened.sql`select count(*) as n from payments`)[0]?.n);

const answer = { status: 200, body: "quote" };
const paidAlone = { outcome: "delivered", payment: { amount: `${PRICE}` }, answer };
const bought = (amount: bigint, callsLeft: number) => ({
  outcome: "delivered",
  message: expect.stringContaining("was paid for the pass, which was bought for this call"),
  payment: null,
  pass: { wasBoughtForThis: true, payment: { amount: `${amount}` }, callsLeft },
});
const onPass = (paymentRecordId: string, callsLeft: number) => ({
  outcome: "delivered",
  message: expect.stringContaining("Nothing was paid for this call"),
  payment: null,
  pass: { wasBoughtForThis: false, payment: { paymentRecordId }, callsLeft },
});

test("a pass is bought for the first call and used by the next ones; answers have its payment, also those of a repeated key", async () => {
  const link = await sells({ calls: 3, amount: "30000" });
  const first = await pay(link, { idempotencyKey: "first" });
  expect(first).toMatchObject({ ...bought(30_000n, 2), answer });
  const { paymentRecordId } = first.pass.payment;
  expect(await pay(link, { idempotencyKey: "first" })).toMatchObject({ ...bought(30_000n, 2), answer });
  const order = { method: "POST", body: "{}", idempotencyKey: "posted", path: "/missing" };
  const missing = { ...onPass(paymentRecordId, 1), answer: { status: 404, body: "no quote" } };
  expect(await pay(link, order)).toMatchObject(missing);
  expect(await pay(link, order)).toMatchObject(missing);
  expect(await pay(link)).toMatchObject(onPass(paymentRecordId, 0));
  const next = await pay(link);
  expect(next).toMatchObject(bought(30_000n, 2));
  expect(next.pass.payment.paymentRecordId).not.toBe(paymentRecordId);
  expect(asked.map(({ request }) => request)).toEqual(["GET /q", "POST /missing", "GET /q", "GET /q"]);
  expect(await passesOf(link)).toHaveLength(2);
});

test("a pass of hours admits calls without a number", async () => {
  const link = await sells({ hours: 1, amount: "50000" });
  expect(await pay(link)).toMatchObject({ outcome: "delivered", answer, pass: { callsLeft: null } });
  const next = await pay(link);
  expect(next).toMatchObject({ pass: { callsLeft: null, validUntil: expect.any(String), wasBoughtForThis: false } });
  expect(await passesOf(link)).toHaveLength(1);
});

test("a pass by use pays what calls cost; a call that could cost more than is left is paid for itself", async () => {
  const link = await sells({ isByUse: true, amount: "25000" }, {}, [{ path: "/q" }, { path: "/r", amount: "20000" }]);
  respond = (_, res) => res.writeHead(200, { "content-type": "text/plain", "tessera-cost": "6000" }).end("quote");
  const first = await pay(link);
  expect(first).toMatchObject({ outcome: "delivered", answer, pass: { amountLeft: "19000", callsLeft: null } });
  expect(first.message).toContain("The pass is left with 0.019 USDC");
  const dear = { ...paidAlone, payment: { amount: "20000" } };
  expect(await pay(link, { path: "/r", maxAmount: "20000" })).toMatchObject(dear);
  expect(await pay(link)).toMatchObject({ pass: { amountLeft: "13000", wasBoughtForThis: false } });
  expect(await passesOf(link)).toHaveLength(1);
});

test("a call that can cost more than maxAmount is not made on a pass by use, and buys none", async () => {
  const link = await sells({ isByUse: true, amount: "25000" }, {}, [{ path: "/q" }, { path: "/r", amount: "20000" }]);
  const order = { path: "/r", maxAmount: "19999" };
  expect((await pay(link, order)).error.code).toBe("max_amount_exceeded");
  expect(await passesOf(link)).toEqual([]);
  expect(await pay(link)).toMatchObject({ pass: { amountLeft: "15000" } });
  await sells({ isByUse: true, amount: "25000" }, link, [{ path: "/q", amount: "1" }]);
  // The pass has the prices of its sale.
  const cheap = { ...paidAlone, payment: { amount: "1" } };
  expect(await pay(link, { maxAmount: "9999" })).toMatchObject(cheap);
  expect(await passesOf(link)).toMatchObject([{ amountLeft: "15000" }]);
});

test.each([
  ["costs more than preferPass", { calls: 1000, amount: "1000001" }],
  ["costs more than its calls", { calls: 2, amount: "20001" }],
  ["is not covered by the named mandate", { calls: 1000, amount: "500001" }],
])("a call is paid if the pass %s", async (_, pass) => {
  expect(await pay(await sells(pass), { mandateId })).toMatchObject(paidAlone);
});

test("a pass that no mandate covers waits for the user, and is bought once after they approve", async () => {
  const link = await sells({ calls: 1000, amount: "500001" });
  const paymentCountBefore = await paymentCount();
  const waiting = await pay(link, { idempotencyKey: "asks" });
  expect(waiting).toMatchObject({
    outcome: "approval_required",
    message: expect.stringMatching(/^For a pass, .*0\.500001 USDC/),
    amount: "500001",
    payment: null,
  });
  expect((await pay(link)).approvalId).toBe(waiting.approvalId);
  expect([asked, await paymentCount()]).toEqual([[], paymentCountBefore]);
  const approved = await confirmedCall(buyer.owner, `/api/approvals/${waiting.approvalId}/approve`, {});
  expect(approved.status).toBe(200);
  const first = await pay(link, { idempotencyKey: "asks" });
  expect(first).toMatchObject({ ...bought(500_001n, 999), answer });
  expect(await pay(link)).toMatchObject(onPass(first.pass.payment.paymentRecordId, 998));
  expect(await paymentCount()).toBe(paymentCountBefore + 1);
});

test("the user is asked again for a pass whose approved payment was lost before it was sent", async () => {
  const link = await sells({ calls: 1000, amount: "500001" });
  const approve = async ({ approvalId }: Json) =>
    expect((await confirmedCall(buyer.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
  await approve(await pay(link));
  await wiring.control({ do: "arm", failpoint: "purchase.signed", action: "throw" });
  expect((await pay(link)).error.code).toBe("internal_error");
  await wiring.control({ do: "disarm", failpoint: "purchase.signed" });
  await approve(await pay(link));
  expect(await pay(link)).toMatchObject(bought(500_001n, 999));
  expect(await passesOf(link)).toHaveLength(1);
});

test("a pass that the user denies is not bought and not asked for again, until the seller offers another one", async () => {
  const link = await sells({ calls: 1000, amount: "500001" });
  const denied = await pay(link);
  expect((await confirmedCall(buyer.owner, `/api/approvals/${denied.approvalId}/deny`, {})).status).toBe(200);
  expect(await pay(link)).toMatchObject(paidAlone);
  await sells({ calls: 1000, amount: "500002" }, link);
  const waiting = await pay(link);
  expect(waiting).toMatchObject({ outcome: "approval_required", amount: "500002" });
  await sells({ calls: 1000, amount: "500003" }, link);
  const next = await pay(link);
  expect(next).toMatchObject({ outcome: "approval_required", amount: "500003" });
  expect(next.approvalId).not.toBe(waiting.approvalId);
  expect(await passesOf(link)).toEqual([]);
});

test("a call is paid while a refund ends the pass, and with an Authorization of the caller's own", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  await pay(link);
  expect(await pay(link, { headers: { authorization: "Bearer mine" } })).toMatchObject(paidAlone);
  const [{ settlementId } = {}] = await passesOf(link);
  await service.opened
    .sql`update passes set refund_transfers = array[${settlementId}] where settlement_id = ${settlementId}`;
  expect(await pay(link)).toMatchObject(paidAlone);
  await service.opened.sql`update passes set refund_transfers = '{}' where settlement_id = ${settlementId}`;
  expect((await pay(link)).pass).toMatchObject({ callsLeft: 8 });
});

test("a call without an answer is unknown, with the payment of the pass; its key asks again under the same name, and answers once", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  respond = (_, res) => res.writeHead(500).end();
  const order = { method: "POST", body: "{}", idempotencyKey: "fails" };
  const unknown = await pay(link, order);
  expect(unknown).toMatchObject({ ...bought(50_000n, 10), outcome: "unknown", answer: null });
  expect(unknown.nextStep).toContain("same idempotencyKey");
  respond = (_, res) => res.writeHead(200).end("quote");
  expect(await pay(link, order)).toMatchObject({ ...bought(50_000n, 9), answer });
  expect(await pay(link, order)).toMatchObject({ ...bought(50_000n, 9), answer });
  expect(asked.map(({ request }) => request)).toEqual(["POST /q", "POST /q"]);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(1);
});

test("an API that hangs holds its call for a limited time, and no other one; the key asks again under the same name", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const late: ServerResponse[] = [];
  respond = (_, res) => void late.push(res);
  const order = { method: "POST", body: "{}", idempotencyKey: "hangs" };
  const hanging = pay(link, order);
  await until(async () => late.length === 1, "the call to arrive");
  respond = quote;
  expect((await pay(link, order)).error.code).toBe("purchase_in_progress");
  expect(await pay(link)).toMatchObject({ answer, pass: { wasBoughtForThis: false, callsLeft: 8, callsUnderWay: 1 } });
  expect(await hanging).toMatchObject({ ...bought(50_000n, 8), outcome: "unknown", answer: null });
  const next = { ...bought(50_000n, 7), answer };
  expect(await pay(link, order)).toMatchObject(next);
  late[0]?.end("late");
  expect(await pay(link, order)).toMatchObject(next);
  expect(asked.map(({ request }) => request)).toEqual(["POST /q", "GET /q", "POST /q"]);
  expect(asked[2]?.name).toBe(asked[0]?.name);
});

test("a call that may have arrived is sent on no other pass, and is not paid", async () => {
  const link = await sells({ calls: 2, amount: "20000" });
  const first = await pay(link);
  respond = (_, res) => res.writeHead(500).end();
  const order = { method: "POST", body: "{}", idempotencyKey: "doubtful" };
  expect(await pay(link, order)).toMatchObject({ outcome: "unknown" });
  respond = (_, res) => res.writeHead(200).end("quote");
  expect(await pay(link)).toMatchObject({ answer });
  const paymentCountBefore = await paymentCount();
  expect(await pay(link, order)).toMatchObject({
    ...onPass(first.pass.payment.paymentRecordId, 0),
    outcome: "unknown",
    nextStep: expect.stringContaining("only if the request may be carried out twice"),
  });
  expect(await paymentCount()).toBe(paymentCountBefore);
  expect(asked).toHaveLength(3);
});

test("while the payment of a pass has no known end, answers have it, and no other pass is paid", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  await service.world.setAutomine(false);
  const paymentCountBefore = await paymentCount();
  const order = { idempotencyKey: "pending" };
  const pending = { outcome: "unknown", payment: null, answer: null };
  await wiring.control({ do: "arm", failpoint: "settlement.claimed", action: "throw" });
  const first = await pay(link, order);
  await wiring.control({ do: "disarm", failpoint: "settlement.claimed" });
  expect(first).toMatchObject({ ...pending, pass: { wasBoughtForThis: true, payment: { amount: "50000" } } });
  const { paymentRecordId } = first.pass.payment;
  expect(await pay(link)).toMatchObject({
    ...pending,
    pass: { wasBoughtForThis: false, payment: { paymentRecordId } },
  });
  expect(asked).toEqual([]);
  await service.world.setAutomine(true);
  await until(async () => (await passesOf(link)).length === 1, "the pass to settle");
  expect(await pay(link, order)).toMatchObject({ ...bought(50_000n, 9), answer });
  expect(await paymentCount()).toBe(paymentCountBefore + 1);
});

test("after a crash, a pass whose proof is stored is bought with it, and no other", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const paymentCountBefore = await paymentCount();
  const order = { idempotencyKey: "crashed" };
  await wiring.control({ do: "arm", failpoint: "purchase.proved", action: "throw" });
  expect((await pay(link, order)).error.code).toBe("internal_error");
  await wiring.control({ do: "disarm", failpoint: "purchase.proved" });
  expect((await pay(link, { ...order, path: "/other" })).error.code).toBe("purchase_key_reused");
  expect(await pay(link, order)).toMatchObject({ ...bought(50_000n, 9), answer });
  expect(await paymentCount()).toBe(paymentCountBefore + 1);
});

test("a pass whose payment can no longer be made is given up, and only a new key buys another one", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const order = { idempotencyKey: "not-paid" };
  await wiring.control({ do: "arm", failpoint: "purchase.proved", action: "throw" });
  await pay(link, order);
  await wiring.control({ do: "disarm", failpoint: "purchase.proved" });
  const { sql } = service.opened;
  const [payment] = await sql`select id, mandate_id, reservation_id from payments order by created_at desc limit 1`;
  await sql`update reservations set state = 'released', ended_at = now(), block_number = 1 where id = ${payment?.reservation_id}`;
  await sql`update mandates set pending_amount = pending_amount - 50000 where id = ${payment?.mandate_id}`;
  const notPaid = {
    outcome: "not_paid",
    message: expect.stringContaining("A payment of 0.05 USDC for the pass was signed for this call"),
    payment: null,
    pass: { wasBoughtForThis: true, payment: { paymentRecordId: payment?.id, status: "expired" } },
  };
  expect(await pay(link, order)).toMatchObject(notPaid);
  const next = await pay(link);
  expect(next).toMatchObject({ ...bought(50_000n, 9), answer });
  expect(await pay(link, order)).toMatchObject(notPaid);
  expect(await passesOf(link)).toHaveLength(1);
});

test("calls at once buy one pass", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const views = await Promise.all([pay(link), pay(link), pay(link)]);
  expect(views.filter(({ pass }) => pass?.wasBoughtForThis)).toHaveLength(1);
  for (const { error, answer: given } of views)
    expect(given ?? error).toMatchObject(error ? { code: "purchase_in_progress", retry: "wait" } : answer);
  expect(await passesOf(link)).toHaveLength(1);
});

test("the answer of a pass that has not ended is kept with its token", async () => {
  const link = await sells({ calls: 10, amount: "50000" });
  const first = async () => (await pay(link, { idempotencyKey: "kept" })).pass.payment;
  await until(async () => (await first()).status === "settled", "the payment to settle");
  const { paymentRecordId } = await first();
  expect(await forgetOldAnswers({ ...service.opened.system, now: () => addSeconds(new Date(), 31 * DAY) })).not.toBe(0);
  expect(await pay(link)).toMatchObject(onPass(paymentRecordId, 8));
});
