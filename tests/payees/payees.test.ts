import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import {
  freshAddress,
  type Json,
  linkedPair,
  owned,
  type Parties,
  proposed,
  signedMandate,
  v3,
} from "../support/mandates";
import { connectV1, type McpClient } from "../support/mcp";
import { body, outcome, payout, requestPayout, walletOf } from "../support/payouts";
import { type Got, type Receiver, startReceiver } from "../support/receiver";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;
let mandateId: string;
let client: McpClient;
/** A new host for each test: its port is part of it. */
let shop: Receiver;
const shops: Receiver[] = [];
let payTo: string;

beforeAll(async () => {
  pair = await linkedPair();
  await service.world.mint(await walletOf(pair.owner), 100_000_000n);
  ({ mandateId } = await signedMandate({ hostAllowlist: ["localhost"], confirmPayees: true }, pair));
  client = await connectV1(pair.agent.token);
});

beforeEach(async () => {
  shop = await startReceiver();
  shops.push(shop);
  payTo = freshAddress();
});

afterAll(async () => {
  await client?.close();
  for (const each of shops) await each.close();
});

const entry = (change: object = {}) => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: "10000",
  resource: shop.url,
  payTo,
  asset: NETWORKS.base.usdc,
  description: "data",
  mimeType: "text/plain",
  maxTimeoutSeconds: 60,
  ...change,
});
const offering = (...changes: object[]) => {
  const accepts = (changes.length > 0 ? changes : [{}]).map(entry);
  shop.answer((_, res) => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts })));
};
const pay = (change: object = {}, key?: string) =>
  call("POST", "/api/payment/x402V3Payment", {
    bearer: pair.agent.jwt,
    json: v3(mandateId, { payTo, resource: shop.url, ...change }),
    ...(key && { headers: { "idempotency-key": key } }),
  });
const decide = (payeeId: string, verb: "confirm" | "refuse", owner = pair.owner) =>
  confirmedCall(owner, `/api/payees/${payeeId}/${verb}`, {});
const rowOf = async (address = payTo) =>
  (await service.opened.sql`select * from payees where payee = ${address}`)[0] as Json;
const eventsOf = async (id: string) =>
  (await service.opened
    .sql`select type, meta from events where subject = ${id} order by created_at, id`) as unknown as {
    type: string;
    meta: Json;
  }[];
const books = async () => [
  ...(await service.opened.sql`select id, pending_amount, revision from mandates where id = ${mandateId}`),
  ...(await service.opened.sql`select count(*) from payments where agent_id = ${pair.agent.agentId}`),
  ...(await service.opened.sql`select count(*) from reservations where agent_id = ${pair.agent.agentId}`),
];
const WAITS = [202, "payee_confirmation_required"];

describe("a mandate whose payees must be confirmed", () => {
  test("is signed with confirmPayees as version 2, and other mandates are signed without it", async () => {
    const { sql } = service.opened;
    const typed = async (id: string) =>
      (await call("GET", `/api/mandates/${id}/typed-data`, { session: pair.owner.session })).body as Json;
    expect(await typed(mandateId)).toMatchObject({ domain: { version: "2" }, message: { confirmPayees: true } });
    const plain = await signedMandate({ hostAllowlist: ["localhost"] }, pair);
    expect(plain.mandate.confirmPayees).toBe(false);
    expect((await typed(plain.mandateId)).message).not.toHaveProperty("confirmPayees");
    const paidResponse = await pay({ mandateId: plain.mandateId });
    expect(outcome(paidResponse)).toEqual([200, "ok"]);
    expect(shop.got).toEqual([]);
    expect(await sql`select id from payees where payee = ${payTo}`).toEqual([]);
  });

  test("is chosen by its owner until the signature; the agent can neither demand nor prevent it", async () => {
    const { mandateId: id } = await proposed(pair.agent, { hostAllowlist: ["localhost"], confirmPayees: false });
    const patch = async (confirmPayees: unknown) => {
      const response = await call("PATCH", `/api/mandates/${id}`, {
        session: pair.owner.session,
        json: { confirmPayees },
      });
      return response.status === 200 ? body(response).mandate.confirmPayees : response.status;
    };
    const [row] = await service.opened.sql`select confirm_payees from mandates where id = ${id}`;
    expect(row?.confirm_payees).toBeNull();
    expect([await patch(true), await patch(false), await patch(true), await patch("yes")]).toEqual([
      ...[true, false, true, 400],
    ]);
    await owned(pair.owner, id, "reject");
    expect(await patch(false)).toBe(409);
  });

  test("covers payouts only if its host list names them", async () => {
    const any = await signedMandate({ confirmPayees: true }, pair);
    expect(outcome(await requestPayout(pair.agent, payout({ mandateId: any.mandateId })))).toEqual([
      ...[403, "host_not_allowed"],
    ]);
    const named = await signedMandate({ confirmPayees: true, hostAllowlist: ["payout"] }, pair);
    expect((await requestPayout(pair.agent, payout({ mandateId: named.mandateId }))).status).toBe(201);
  });
});

describe("a host whose 402 asks for payment to the address", () => {
  test("confirms the payee once; later payments send no request to the host", async () => {
    offering();
    expect(outcome(await pay())).toEqual([200, "ok"]);
    expect(outcome(await pay({ amount: "9" }))).toEqual([200, "ok"]);
    expect(shop.got).toMatchObject([{ method: "GET", body: "" }]);
    const row = await rowOf();
    expect(row).toMatchObject({
      origin: new URL(shop.url).origin,
      confirmed_by: "host",
      why: null,
      previous_payee: null,
      accepted: { x402Version: 1, payTo, amount: "10000", network: "base", asset: NETWORKS.base.usdc },
    });
    expect(row.answer_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await eventsOf(row.id)).map(({ type }) => type)).toEqual(["payee.confirmed"]);
  });

  test("confirms the payee for all mandates of the owner, and for no other owner", async () => {
    offering();
    await pay();
    const again = await signedMandate({ confirmPayees: true }, pair);
    expect(outcome(await pay({ mandateId: again.mandateId }))).toEqual([200, "ok"]);
    expect(shop.got).toHaveLength(1);
    const otherParties = await linkedPair();
    const theirs = await signedMandate({ confirmPayees: true }, otherParties);
    shop.answerStatus(200);
    const json = v3(theirs.mandateId, { payTo, resource: shop.url });
    const response = await call("POST", "/api/payment/x402V3Payment", { bearer: otherParties.agent.jwt, json });
    expect(outcome(response)).toEqual(WAITS);
  });

  test("gets the request with the HTTP method of the payment's resource", async () => {
    shop.answer(
      (request: Got, res) =>
        void res
          .writeHead(request.method === "POST" ? 402 : 405)
          .end(JSON.stringify({ x402Version: 1, accepts: [entry()] })),
    );
    expect(outcome(await pay({ method: "POST" }))).toEqual([200, "ok"]);
    expect(outcome(await pay({ method: "get" }))).toEqual([400, "invalid_request"]);
    expect(shop.got).toMatchObject([{ method: "POST", body: "" }]);
  });

  test("confirms the payee also with x402 v2, and with the header alone", async () => {
    const { maxAmountRequired: amount, ...rest } = entry({
      network: "eip155:8453",
      extra: { name: "USD Coin", version: "2" },
    });
    const required = { x402Version: 2, resource: { url: shop.url }, accepts: [{ ...rest, amount }] };
    const sign = () =>
      call("POST", "/api/v2/payment/x402-payment", {
        bearer: pair.agent.jwt,
        json: { mandateId, paymentRequest: required },
      });
    shop.answerStatus(404);
    const waiting = await sign();
    expect(outcome(waiting)).toEqual(WAITS);
    shop.answer((_, res) => void res.writeHead(402, { "payment-required": encodeHeader(required) }).end());
    expect(outcome(await pay({ amount: "9999" }))).toEqual([200, "ok"]);
    expect(outcome(await sign())).toEqual([200, "ok"]);
    expect(await rowOf()).toMatchObject({ accepted: { x402Version: 2 } });
  });

  test("that changes its address confirms the new payee as well, and the owner can see it", async () => {
    offering();
    await pay();
    const first = payTo;
    payTo = freshAddress();
    expect(outcome(await pay())).toEqual(WAITS);
    expect((await rowOf()).previous_payee).toBe(first);
    offering();
    expect(outcome(await pay({ amount: "10000", description: "again" }))).toEqual(WAITS);
    // The host is not checked again at once for the same request, but is for another one.
    expect(outcome(await pay({ amount: "9999" }))).toEqual([200, "ok"]);
    const row = await rowOf();
    const events = await eventsOf(row.id);
    // Two of them happened at the same moment.
    expect(events.map(({ type }) => type).sort()).toEqual(["payee.changed", "payee.confirmed", "payee.requested"]);
    expect(events.find(({ type }) => type === "payee.changed")?.meta).toMatchObject({
      payTo,
      previousPayTo: first,
      by: "host",
      origin: new URL(shop.url).origin,
    });
  });

  test("counts as another host at another port", async () => {
    offering();
    await pay();
    const other = await startReceiver();
    shops.push(other);
    expect(outcome(await pay({ resource: other.url }))).toEqual([202, "payee_confirmation_required"]);
    expect(other.got).toHaveLength(1);
    expect(outcome(await pay({ resource: shop.url.replace("localhost", "LOCALHOST") }))).toEqual([200, "ok"]);
    expect(shop.got).toHaveLength(1);
  });
});

describe("a host whose 402 does not ask for payment to the address", () => {
  test.each<[string, object, string]>([
    ["asks for less", { maxAmountRequired: "9999" }, "other_terms"],
    ["names another address", { payTo: freshAddress() }, "other_terms"],
    ["names another asset", { asset: NETWORKS["base-sepolia"].usdc }, "other_terms"],
    ["names another network", { network: "base-sepolia" }, "other_terms"],
  ])("%s: the payment waits for the owner, and nothing is reserved", async (_name, change, reason) => {
    offering(change);
    const booksBefore = await books();
    const response = await pay();
    expect(outcome(response)).toEqual(WAITS);
    expect(body(response)).toMatchObject({ payTo, why: reason, origin: new URL(shop.url).origin, network: "base" });
    expect(body(response).approvalUrl).toMatch(new RegExp(`/authorize/payee/${body(response).payeeId}$`));
    expect(await books()).toEqual(booksBefore);
  });

  test.each(["PUT", "DELETE"])("is sent no request for %s", async (method) => {
    offering();
    expect(body(await pay({ method }))).toMatchObject({ code: "payee_confirmation_required", why: "method" });
    expect(shop.got).toEqual([]);
  });

  test("makes the payment wait until the owner confirms the payee; then the same request with the same key succeeds", async () => {
    shop.answerStatus(500);
    const key = crypto.randomUUID();
    const responses = [await pay({}, key), await pay({}, key)];
    expect(responses.map(outcome)).toEqual([WAITS, WAITS]);
    expect(shop.got).toHaveLength(1);
    const { payeeId } = body(responses[0] as (typeof responses)[0]);
    const confirmed = await decide(payeeId, "confirm");
    expect(body(confirmed).payee).toMatchObject({ status: "confirmed", confirmedBy: "owner", evidence: null });
    expect((await decide(payeeId, "confirm")).status).toBe(200);
    const paidResponse = await pay({}, key);
    expect(outcome(paidResponse)).toEqual([200, "ok"]);
    expect(body(await pay({}, key)).paymentRecordId).toBe(body(paidResponse).paymentRecordId);
    expect((await eventsOf(payeeId)).map(({ type }) => type)).toEqual(["payee.requested", "payee.confirmed"]);
  });

  test("can be refused by the owner, also later, and only the owner decides", async () => {
    shop.answerStatus(404);
    const { payeeId } = body(await pay());
    const stranger = await newOwner();
    for (const id of [payeeId, "pye_unknown"])
      expect(outcome(await decide(id, "confirm", stranger))).toEqual([404, "payee_not_found"]);
    expect(outcome(await decide("pye_unknown", "refuse"))).toEqual([404, "payee_not_found"]);
    expect(body(await decide(payeeId, "refuse")).payee.status).toBe("refused");
    // Whatever the host says now.
    offering();
    expect(outcome(await pay())).toEqual([403, "payee_refused"]);
    expect(shop.got).toHaveLength(1);
    await decide(payeeId, "confirm");
    expect(outcome(await pay())).toEqual([200, "ok"]);
    await decide(payeeId, "refuse");
    await decide(payeeId, "refuse");
    expect(outcome(await pay())).toEqual([403, "payee_refused"]);
    expect((await eventsOf(payeeId)).map(({ type }) => type)).toEqual([
      ...["payee.requested", "payee.refused", "payee.confirmed", "payee.refused"],
    ]);
  });

  test("is confirmed above the owner's limit as well, before the payment waits for its approval", async () => {
    shop.answerStatus(404);
    const other = await linkedPair();
    const signed = await signedMandate({ hostAllowlist: ["localhost"], confirmPayees: true }, other);
    const cap = { maxAmountPer24Hours: "5000", waitingMax: 2 };
    const { session } = other.owner;
    expect((await call("POST", "/api/wallet/spending-caps", { session, json: cap })).status).toBe(200);
    const send = () =>
      call("POST", "/api/payment/x402V3Payment", {
        bearer: other.agent.jwt,
        json: v3(signed.mandateId, { payTo, resource: shop.url }),
      });
    const first = await send();
    expect(outcome(first)).toEqual(WAITS);
    const { payeeId } = body(first);
    await decide(payeeId, "refuse", other.owner);
    expect(outcome(await send())).toEqual([403, "payee_refused"]);
    await decide(payeeId, "confirm", other.owner);
    expect(outcome(await send())).toEqual([202, "approval_required"]);
  });

  test("gets no request when the mandate, the host or the amount is refused anyway", async () => {
    offering();
    expect(outcome(await pay({ resource: "https://other.example/" }))).toEqual([403, "host_not_allowed"]);
    expect(outcome(await pay({ amount: "100000000000" }))).toEqual([403, "mandate_insufficient_budget"]);
    expect(shop.got).toEqual([]);
  });
});

describe("simultaneous payments", () => {
  test("to a new payee send one request and confirm it once", async () => {
    shop.answer((_, res) => {
      setTimeout(() => res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [entry()] })), 300);
    });
    const responses = await Promise.all(Array.from({ length: 5 }, () => pay({ amount: "10" })));
    expect(responses.map(outcome)).toEqual(Array.from({ length: 5 }, () => [200, "ok"]));
    expect(shop.got).toHaveLength(1);
    expect((await eventsOf((await rowOf()).id)).map(({ type }) => type)).toEqual(["payee.confirmed"]);
  });

  test("to a host that responds differently each time end with one payee", async () => {
    let n = 0;
    shop.answer(
      (_, res) =>
        void res.writeHead(n++ % 2 === 0 ? 402 : 500).end(JSON.stringify({ x402Version: 1, accepts: [entry()] })),
    );
    const responses = await Promise.all(["1", "2", "3", "4"].map((amount) => pay({ amount })));
    for (const response of responses) expect([200, 202]).toContain(response.status);
    expect(await service.opened.sql`select count(*)::int as n from payees where payee = ${payTo}`).toEqual([{ n: 1 }]);
    expect(outcome(await pay())).toEqual([200, "ok"]);
  });

  test("to a host that does not respond delay only the agent that named it, for five seconds", async () => {
    const quick = await startReceiver();
    shops.push(quick);
    const otherParties = await linkedPair();
    await service.world.mint(await walletOf(otherParties.owner), 1_000_000n);
    const theirs = await signedMandate({ confirmPayees: true }, otherParties);
    quick.answer((_, res) => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [entry()] })));
    const json = v3(theirs.mandateId, { payTo, resource: quick.url });
    shop.answer(() => undefined);
    const started = Date.now();
    const slow = Array.from({ length: 6 }, (_, n) => pay({ amount: String(n + 1) }));
    const response = await call("POST", "/api/payment/x402V3Payment", { bearer: otherParties.agent.jwt, json });
    expect(outcome(response)).toEqual([200, "ok"]);
    expect(Date.now() - started).toBeLessThan(4_500);
    const ends = (await Promise.all(slow)).map((each) => body(each).why ?? body(each).code).sort();
    expect(ends).toEqual([...Array.from({ length: 4 }, () => "no_answer"), "rate_limited", "rate_limited"]);
  });

  test("under a mandate that is revoked during the request to the host sign nothing", async () => {
    const revoked = await signedMandate({ hostAllowlist: ["localhost"], confirmPayees: true }, pair);
    const asked = new Promise<() => void>((resolve) => {
      shop.answer((_, res) =>
        resolve(() => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [entry()] }))),
      );
    });
    const paying = pay({ mandateId: revoked.mandateId });
    const answerNow = await asked;
    await owned(pair.owner, revoked.mandateId, "revoke");
    answerNow();
    expect(outcome(await paying)).toEqual([403, "mandate_revoked"]);
  });
});

describe("with a mandate whose payees must be confirmed", () => {
  const buy = (idempotencyKey: string) => client.call("pay_url", { url: shop.url, maxAmount: "10000", idempotencyKey });

  test("pay_url requests the price from the host, and pays", async () => {
    shop.answer((request, res) =>
      request.headers["x-payment"]
        ? void res.writeHead(200).end("the data")
        : void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [entry()] })),
    );
    expect((await buy("asks")).value).toMatchObject({ outcome: "delivered" });
    expect(shop.got).toHaveLength(3);
  });

  test("pay_url waits for the owner when the host changes its address between two responses, and then the same key pays", async () => {
    const first = payTo;
    shop.answer((request, res) => {
      if (request.headers["x-payment"]) return void res.writeHead(200).end("the data");
      const shownText = shop.got.length % 2 === 1 ? first : freshAddress();
      res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [entry({ payTo: shownText })] }));
    });
    const { isError, value } = await buy("changes");
    expect({ isError, ...value.error }).toMatchObject({
      isError: true,
      code: "payee_confirmation_required",
      payTo: first,
      why: "other_terms",
      retry: "ask_user",
      summary: { kind: "payee", payee: { address: first }, mandate: { mandateId: expect.stringMatching(/^mand_/) } },
    });
    expect(value.error.nextStep).toContain("approvalUrl");
    const { id } = await rowOf(first);
    expect(value.error.approvalUrl).toContain(id);
    await decide(id, "confirm");
    expect((await buy("changes")).value).toMatchObject({ outcome: "delivered", payment: { payTo: first } });
  });

  test("request_x402_v3_payment returns the approvalUrl", async () => {
    shop.answerStatus(403);
    const { value } = await client.call("request_x402_v3_payment", {
      mandate_id: mandateId,
      payment_required: { x402Version: 1, accepts: [entry()] },
    });
    expect(value).toMatchObject({ status: "payee_confirmation_required", payTo });
  });
});
