import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { endDeadCalls, tokens } from "@/lib/links/passes/service";
import { endCall, endFailed, takeCall } from "@/lib/links/passes/store";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";
import { claimFrom, paying } from "../support/system";
import { openUpstream, type UpstreamServer } from "../support/upstream";

// What a buyer of a pass keeps, whatever the seller and the API do.

const PRICE = 1_000n;
const PASS_PRICE = 100_000n;

type Answering = (res: ServerResponse) => void;
type Bought = { linkId: string; settlementId: string; token: string; paymentId: number; path: string };

const service = shareService();
const json: Answering = (res) => void res.writeHead(200, { "content-type": "application/json" }).end("{}");

let upstream: UpstreamServer;
let url: string;
let asked: IncomingMessage[];
let answering: Answering;
let seller: Parties;

beforeAll(async () => {
  upstream = await openUpstream((req, res) => {
    asked.push(req);
    req.resume().once("end", () => answering(res));
  });
  url = upstream.url;
  seller = await linkedPair();
});

afterAll(() => upstream?.close());

beforeEach(() => {
  asked = [];
  answering = json;
});

const body = ({ body: content }: Answer) => content as Json;
const asSeller = (method: string, path: string, fields?: object) =>
  call(method, path, { bearer: seller.agent.jwt, ...(fields && { json: fields }) });

/** A pass of a new link. */
async function buys(pass: object = { calls: 10 }, more: object = {}): Promise<Bought> {
  const sold = { url, pass: { amount: `${PASS_PRICE}`, ...pass }, ...more };
  const created = await asSeller("POST", "/api/payment-links", { amount: `${PRICE}`, upstream: sold });
  const { linkId, payTo, upstream: offered } = body(created).paymentLink;
  const path = offered.pass.url.replace(BASE_URL, "");
  const headers = paying(claimFrom(service.payer(), payTo, PASS_PRICE));
  const bought = await call("GET", path, { headers });
  expect([bought.status, bought.body]).toMatchObject([200, { success: true }]);
  const [{ paymentId }] = await soldBy(linkId);
  return { linkId, paymentId, path, ...body(bought).pass };
}

const soldBy = async (linkId: string): Promise<Json[]> =>
  body(await asSeller("GET", `/api/payment-links/${linkId}/passes`)).passes;
const changes = async ({ linkId }: Bought, fields: object) =>
  expect((await asSeller("PATCH", `/api/payment-links/${linkId}`, { upstream: fields })).status).toBe(200);
const uses = ({ linkId, token }: Bought, path = "/quotes", method = "GET", headers: Record<string, string> = {}) =>
  call(method, `/paid/${linkId}${path}`, { bearer: token, headers });
const stateOf = async ({ linkId, token }: Bought): Promise<Json> =>
  body(await call("GET", `/pass/${linkId}`, { bearer: token })).pass;
const initiate = ({ paymentId }: Bought, amount?: bigint) =>
  asSeller("POST", "/api/payment-links/refunds/initiate", { paymentId, ...(amount && { amount: `${amount}` }) });
const approve = (id: string) => call("POST", `/api/refunds/${id}/approve`, { session: seller.owner.session });
const cancel = (id: string) => asSeller("POST", `/api/payment-links/refunds/${id}/cancel`);

/** A call that is under way. */
async function takes({ linkId, settlementId }: Bought) {
  const key = { linkId, settlementId, callId: newId("passCall"), units: 1n } as Parameters<typeof takeCall>[1];
  const { system } = service.opened;
  expect(await takeCall(system.db, key, system.now())).not.toBeNull();
  return key;
}

describe("a pass", () => {
  const paths = (...names: string[]) => names.map((path) => ({ path }));

  test("admits at another API only what the link still sells, and takes nothing otherwise", async () => {
    const pass = await buys({ calls: 10 }, { paths: paths("/old", "/kept") });
    const other = await openUpstream((req, res) => void req.resume().once("end", () => res.end("other")));
    const headers = { Authorization: "Bearer sk_other_0123456789" };
    await changes(pass, { url: other.url, headers, paths: paths("/kept", "/new") });
    const [kept, old, added] = [await uses(pass, "/kept"), await uses(pass, "/old"), await uses(pass, "/new")];
    other.close();
    expect([kept.status, kept.text]).toEqual([200, "other"]);
    expect([old.status, body(old)]).toMatchObject([404, { code: "PATH_NOT_OFFERED" }]);
    expect([added.status, body(added)]).toMatchObject([402, { code: "PASS_NOT_FOR_THIS" }]);
    expect(await stateOf(pass)).toMatchObject({ callsLeft: 9, callsUnderWay: 0 });
    expect(asked).toEqual([]);
  });

  test("tells the API the same key for each try of a call that the buyer named, and no other pass the same", async () => {
    const [pass, other] = [await buys(), await buys()];
    const named = { "idempotency-key": "order 1" };
    expect((await uses(pass, "/orders", "POST", named)).status).toBe(400);
    const name = { "idempotency-key": "order-1" };
    answering = (res) => void res.writeHead(500).end();
    const failed = await uses(pass, "/orders", "POST", name);
    expect([failed.status, body(failed)]).toMatchObject([
      503,
      {
        callEnd: "back",
        retry: "same_request",
        message: expect.stringContaining("again with the same Idempotency-Key"),
      },
    ]);
    answering = json;
    expect((await uses(pass, "/orders", "POST", name)).status).toBe(200);
    for (const [at, headers] of [
      [other, name],
      [pass, { "idempotency-key": "order-2" }],
      [pass, {}],
    ] as const)
      expect((await uses(at, "/orders", "POST", headers)).status).toBe(200);
    const keys = asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(4);
  });

  test("says of a request that may have been carried out to check it first", async () => {
    const pass = await buys();
    answering = (res) => void res.writeHead(500).end();
    const { message } = body(await uses(pass, "/orders", "POST"));
    expect(message).toContain("check that before you send it again");
    expect(body(await uses(pass)).message).toContain("Send the request again");
  });

  test("does not promise a call that fails while a refund is on its way", async () => {
    const pass = await buys({ hours: 10 });
    let refund: Answer | null = null;
    answering = (res) => {
      const fail = async () => {
        refund = await approve(body(await initiate(pass)).refundId);
        res.writeHead(500).end();
      };
      void fail();
    };
    const failed = await uses(pass);
    expect(refund).toMatchObject({ status: 200 });
    expect(body(failed)).toMatchObject({ callEnd: "blocked", retry: "read_first" });
    expect(body(failed).message).not.toContain("Send the request again");
    expect(["held", "refunded"]).toContain((await stateOf(pass)).status);
  });

  test("does not promise a call that counted as dead before it failed", async () => {
    const pass = await buys({ calls: 1 });
    const { sql } = service.opened;
    await sql`update passes set units_failed = 9 where settlement_id = ${pass.settlementId}`;
    answering = (res) => {
      const fail = async () => {
        const [row] = await sql`select call_id from pass_calls where settlement_id = ${pass.settlementId}`;
        await endDead(row?.call_id);
        res.writeHead(500).end();
      };
      void fail();
    };
    expect(body(await uses(pass))).toMatchObject({ callEnd: "unknown", retry: "read_first" });
    expect(await stateOf(pass)).toMatchObject({ callsLeft: 0 });
  });

  test("that was never stored has a token that is invalid", async () => {
    const { linkId, path } = await buys();
    const token = (await tokens(service.opened.system))({ id: newId("settlement") });
    for (const at of [path, `/paid/${linkId}/x`]) {
      const refused = await call("GET", at, { bearer: token });
      expect([refused.status, refused.body]).toMatchObject([402, { code: "PASS_INVALID" }]);
    }
  });
});

/** The time of a call passes, and the job ends it. */
async function endDead(callId: string) {
  const { system, sql } = service.opened;
  await sql`update pass_calls set busy_until = now() - interval '1 second' where call_id = ${callId}`;
  await expect
    .poll(async () => {
      await endDeadCalls(system, 100);
      return sql`select from pass_calls where call_id = ${callId}`;
    })
    .toEqual([]);
}

describe("a refund", () => {
  test("gives back at least what is unused, because it ends the pass", async () => {
    const pass = await buys();
    expect((await uses(pass)).status).toBe(200);
    const refused = await initiate(pass, 1n);
    expect([refused.status, refused.body]).toMatchObject([400, { code: "REFUND_BELOW_UNUSED", leastAmount: "90000" }]);
    expect(await initiate(pass, 89_999n)).toMatchObject({ status: 400 });
    expect((await uses(pass)).status).toBe(200);
    expect(await initiate(pass, 80_000n)).toMatchObject({ status: 201 });
  });

  test("of a pass with hours gives back those that are left, and may give back more", async () => {
    const pass = await buys({ hours: 10 });
    const { sql } = service.opened;
    await sql`update settlements set ended_at = ended_at - interval '9 hours' where id = ${pass.settlementId}`;
    expect(body(await initiate(pass, 9_000n))).toMatchObject({ code: "REFUND_BELOW_UNUSED" });
    const { refundId } = body(await initiate(pass, 10_000n));
    expect((await cancel(refundId)).status).toBe(200);
    expect(body(await initiate(pass))).toMatchObject({ amount: `${PASS_PRICE}` });
  });

  test("gives back calls under way, because they may still come back", async () => {
    const pass = await buys();
    const { system } = service.opened;
    const [answered, failing] = [await takes(pass), await takes(pass)];
    const both = body(await initiate(pass));
    expect(both.amount).toBe(`${PASS_PRICE}`);
    expect(await initiate(pass, 80_000n)).toMatchObject({ status: 400 });
    await endCall(system.db, { ...answered, used: 1n }, system.now());
    await endFailed(system.db, failing.callId, system.now());
    expect(await approve(both.refundId)).toMatchObject({ status: 400, body: { code: "refund_exceeds_payment" } });
    expect((await cancel(both.refundId)).status).toBe(200);
    await takes(pass);
    const whole = body(await initiate(pass));
    expect([whole.amount, (await approve(whole.refundId)).status]).toEqual(["90000", 200]);
  });

  test("of the rest is not approved when the one that covered what is unused was cancelled", async () => {
    const pass = await buys({ hours: 10 });
    const { sql } = service.opened;
    await sql`update settlements set ended_at = ended_at - interval '1 hour' where id = ${pass.settlementId}`;
    const covering = body(await initiate(pass, 95_000n)).refundId;
    const rest = body(await initiate(pass)).refundId;
    expect((await cancel(covering)).status).toBe(200);
    expect(await approve(rest)).toMatchObject({ status: 400, body: { code: "refund_below_unused" } });
    expect(await stateOf(pass)).toMatchObject({ status: "usable" });
  });

  test("does not give back calls that were taken since it was requested", async () => {
    const pass = await buys();
    const { refundId } = body(await initiate(pass));
    expect((await uses(pass)).status).toBe(200);
    expect(await approve(refundId)).toMatchObject({
      status: 400,
      body: { code: "refund_exceeds_payment", refundable: "90000" },
    });
    expect((await uses(pass)).status).toBe(200);
  });

  test("gives back failed calls that were counted", async () => {
    const pass = await buys({ calls: 1 });
    const { sql } = service.opened;
    await sql`update passes set units_failed = 9 where settlement_id = ${pass.settlementId}`;
    answering = (res) => void res.writeHead(500).end();
    const failed = await uses(pass);
    expect([failed.status, body(failed).message]).toEqual([
      503,
      expect.stringContaining("ask the seller for a refund"),
    ]);
    expect(await soldBy(pass.linkId)).toMatchObject([{ status: "used_up", unusedAmount: `${PASS_PRICE}` }]);
    expect(body(await initiate(pass))).toMatchObject({ amount: `${PASS_PRICE}` });
  });

  test("does not give back a counted call of a slow server that was answered in the end", async () => {
    const pass = await buys({ calls: 1 });
    const { system, sql } = service.opened;
    await sql`update passes set units_failed = 9 where settlement_id = ${pass.settlementId}`;
    const slow = await takes(pass);
    await endDead(slow.callId);
    expect(await endCall(system.db, { ...slow, used: 1n }, system.now())).toBe(true);
    expect(await soldBy(pass.linkId)).toMatchObject([{ callsFailed: 9, unusedAmount: "0" }]);
  });
});
