import type { IncomingMessage, ServerResponse } from "node:http";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { callOnPass, endDeadCalls } from "@/lib/links/passes/service";
import { endCall, endFailed, takeCall } from "@/lib/links/passes/store";
import { forgetEnded } from "@/lib/links/upstream/service";
import type { Ctx } from "@/lib/platform/context";
import { encodeHeader } from "@/lib/x402/header";
import { assertDocumented } from "../support/documented";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { buyerSite, decoded } from "../support/sign-in";
import { claimFrom, openSystem, paying, xPaymentOf } from "../support/system";
import { openUpstream, type UpstreamServer } from "../support/upstream";

const PRICE = 10_000n;
const PASS_PRICE = 25_000n;
const SECRET = "Bearer sk_passes_0123456789";

const service = runService();

type Answering = (res: ServerResponse, req: IncomingMessage) => void;

let upstream: UpstreamServer;
let url: string;
let asked: IncomingMessage[];
let answering: Answering;
let seller: Parties;

const json: Answering = (res) => void res.writeHead(200, { "content-type": "application/json" }).end('{"price":"1"}');

beforeAll(async () => {
  upstream = await openUpstream((req, res) => {
    asked.push(req);
    req.resume().once("end", () => answering(res, req));
  });
  url = upstream.url;
  seller = await linkedPair();
});

afterAll(() => upstream?.close());

beforeEach(() => {
  asked = [];
  answering = json;
});

const asSeller = (method: string, path: string, fields?: object) =>
  call(method, path, { bearer: seller.agent.jwt, ...(fields && { json: fields }) });

const TEN_CALLS = { calls: 10, amount: PASS_PRICE.toString() };

async function sells(pass: object | null, upstreamFields: object = {}): Promise<Json> {
  const response = await asSeller("POST", "/api/payment-links", {
    amount: PRICE.toString(),
    description: "Quotes",
    upstream: { url, headers: { Authorization: SECRET }, pass, ...upstreamFields },
  });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

/** Sends a request to a link's upstream. What the service answers itself has to be as documented. */
async function request(method: string, path: string, headers: Record<string, string> = {}) {
  const res = await fetchPath(method, path, { headers });
  const text = await res.text();
  const isPassedOn = res.headers.get("content-security-policy")?.startsWith("sandbox") ?? false;
  const body = text !== "" && res.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  const documented = { method, path: path.replace(/(\/paid\/[^/?]+).*/, "$1/x"), headers: res.headers, text, body };
  assertDocumented({ ...documented, status: isPassedOn ? 200 : res.status });
  return { status: res.status, headers: res.headers, text, body: body as Json };
}

/** Where the link's pass was sold when `link` was read; without one, where passes are read. */
const passPath = ({ linkId, upstream: sold }: Json): string =>
  sold?.pass?.url.replace(BASE_URL, "") ?? `/pass/${linkId}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const callOn = ({ linkId }: Json, token: string, path = "/quotes", method = "GET") =>
  request(method, `/paid/${linkId}${path}`, bearer(token));
const show = (link: Json, token: string) => request("GET", passPath(link), bearer(token));

async function buys(link: Json, { payer = service.payer(), amount = PASS_PRICE } = {}): Promise<Json> {
  const response = await request("GET", passPath(link), paying(claimFrom(payer, link.payTo, amount)));
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return response.body.pass;
}

const soldBy = async (link: Json): Promise<Json[]> => {
  const response = await asSeller("GET", `/api/payment-links/${link.linkId}/passes`);
  expect(response.status).toBe(200);
  expect((response.body as Json).nextCursor).toBeNull();
  return (response.body as Json).passes;
};

const change = async (link: Json, fields: object) => {
  const response = await asSeller("PATCH", `/api/payment-links/${link.linkId}`, fields);
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
};

describe("the offer", () => {
  test("is in an extension of the price of a call, which stock clients pay as before", async () => {
    const link = await sells({ ...TEN_CALLS, isRefundable: true });
    const offered = { calls: 10, hours: null, isByUse: false, amount: PASS_PRICE.toString(), isRefundable: true };
    const url = expect.stringMatching(new RegExp(`^${BASE_URL}/pass/${link.linkId}\\?terms=[\\w-]{22}$`));
    expect(link.upstream.pass).toEqual({ ...offered, url });
    const price = await request("GET", `/paid/${link.linkId}/quotes`);
    expect(price.body.accepts).toHaveLength(1);
    expect(price.body.accepts[0].maxAmountRequired).toBe(PRICE.toString());
    const required = decoded(price.headers.get("payment-required"));
    expect(required.accepts).toHaveLength(1);
    expect(required.extensions["tessera-pass"].info).toEqual(link.upstream.pass);
    const paid = await request(
      "GET",
      `/paid/${link.linkId}/quotes`,
      paying(claimFrom(service.payer(), link.payTo, PRICE)),
    );
    expect([paid.status, paid.text]).toEqual([200, '{"price":"1"}']);
    expect(await soldBy(link)).toEqual([]);
  });

  test("has a price of its own at its own URL", async () => {
    const link = await sells(TEN_CALLS);
    const price = await request("GET", passPath(link));
    expect([price.status, price.body.accepts[0]]).toMatchObject([
      402,
      {
        maxAmountRequired: PASS_PRICE.toString(),
        resource: `${BASE_URL}${passPath(link)}`,
        description: "A pass for 10 calls: Quotes",
      },
    ]);
    expect((await request("HEAD", passPath(link))).status).toBe(402);
    const cheap = await request("GET", passPath(link), paying(claimFrom(service.payer(), link.payTo, PRICE)));
    expect(cheap).toMatchObject({ status: 402, body: { code: "PAYMENT_INSUFFICIENT" } });
    expect(asked).toEqual([]);
  });

  test("is missing for a path that no pass admits, because its variable is not filled in", async () => {
    const link = await sells(TEN_CALLS, { paths: [{ path: "/quotes/{symbol}" }] });
    const passAt = async (path: string) => {
      const { headers } = await request("GET", `/paid/${link.linkId}${path}`);
      return decoded(headers.get("payment-required")).extensions["tessera-pass"]?.info;
    };
    expect([await passAt("/quotes/%7Bsymbol%7D"), await passAt("/quotes/ETH")]).toEqual([
      undefined,
      link.upstream.pass,
    ]);
  });

  test("is missing where the seller makes none, and at links that sell no calls", async () => {
    const link = await sells(null);
    const other = ((await asSeller("POST", "/api/payment-links", { amount: "1" })).body as Json).paymentLink;
    for (const without of [link, other])
      expect(await request("GET", passPath(without))).toMatchObject({
        status: 404,
        body: { code: "PASS_NOT_OFFERED" },
      });
    const unknown = await request("GET", passPath({ linkId: `lnk_${"0".repeat(24)}` }));
    expect(unknown).toMatchObject({ status: 404, body: { code: "LINK_NOT_FOUND" } });
    const extensions = decoded(
      (await request("GET", `/paid/${link.linkId}/x`)).headers.get("payment-required"),
    ).extensions;
    expect(extensions["tessera-pass"]).toBeUndefined();
  });

  test.each([
    [{ amount: "1" }],
    [{ calls: 0, amount: "1" }],
    [{ calls: 1.5, amount: "1" }],
    [{ calls: 1_000_001, amount: "1" }],
    [{ hours: 8_785, amount: "1" }],
    [{ calls: 1, amount: "0" }],
    [{ calls: 1 }],
    [{ calls: 1, amount: "1", price: "1" }],
  ])("cannot be %j", async (pass) => {
    const response = await asSeller("POST", "/api/payment-links", { amount: "1", upstream: { url, pass } });
    expect([response.status, response.body]).toMatchObject([400, { code: "INVALID_REQUEST" }]);
  });
});

describe("a pass", () => {
  test("admits exactly its calls, with the seller's headers and what was paid", async () => {
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() });
    const payer = service.payer();
    const pass = await buys(link, { payer });
    expect(pass).toMatchObject({
      status: "usable",
      calls: 2,
      callsLeft: 2,
      callsUnderWay: 0,
      paidUrl: link.upstream.paidUrl,
    });
    const first = await callOn(link, pass.token, "/quotes?in=EUR");
    expect([first.status, first.text, first.headers.get("tessera-pass-calls-left")]).toEqual([
      200,
      '{"price":"1"}',
      "1",
    ]);
    expect(first.headers.get("x-payment-response")).toBeNull();
    const second = await callOn(link, pass.token, "/quotes", "POST");
    expect([second.status, second.headers.get("tessera-pass-calls-left")]).toEqual([200, "0"]);
    expect(asked).toMatchObject([
      { url: "/quotes?in=EUR", headers: { authorization: SECRET } },
      { url: "/quotes", headers: { authorization: SECRET } },
    ]);
    const refused = await callOn(link, pass.token);
    expect(refused).toMatchObject({ status: 402, body: { code: "PASS_USED_UP" } });
    expect(refused.body.accepts[0].maxAmountRequired).toBe(PRICE.toString());
    expect(asked).toHaveLength(2);
    expect((await show(link, pass.token)).body.pass).toMatchObject({ status: "used_up", callsLeft: 0 });

    const [{ headers = {} } = {}] = asked;
    const keys = (await call("GET", "/.well-known/jwks.json")).body as JSONWebKeySet;
    const { payload } = await jwtVerify(String(headers["tessera-payment"]), createLocalJWKSet(keys), {
      issuer: BASE_URL,
    });
    expect(payload).toMatchObject({
      sub: pass.settlementId,
      payer: payer.address,
      linkId: link.linkId,
      amount: PASS_PRICE.toString(),
      path: "/quotes?in=EUR",
      passCall: headers["idempotency-key"],
    });
    expect(new Set(asked.map((req) => req.headers["idempotency-key"])).size).toBe(2);
  });

  test("with hours admits any number of calls until they are over", async () => {
    const link = await sells({ hours: 1, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    expect(pass).toMatchObject({ hours: 1, calls: null, callsLeft: null, validUntil: expect.any(String) });
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await callOn(link, pass.token);
      expect([answer.status, answer.headers.get("tessera-pass-calls-left")]).toEqual([200, "unlimited"]);
    }
    await service.opened
      .sql`update settlements set ended_at = ended_at - interval '1 hour' where id = ${pass.settlementId}`;
    expect(await callOn(link, pass.token)).toMatchObject({ status: 402, body: { code: "PASS_OVER" } });
    expect((await show(link, pass.token)).body.pass).toMatchObject({ status: "over" });
    expect(asked).toHaveLength(3);
  });

  test("of another link, an invented one, or one whose payment is not settled admits nothing", async () => {
    const [link, twin] = [await sells(TEN_CALLS), await sells(TEN_CALLS)];
    const { token, settlementId } = await buys(link);
    const invented = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const [at, text] of [
      [twin, token],
      [link, invented],
      [link, "pass_x"],
    ] as const) {
      expect(await callOn(at, text)).toMatchObject({ status: 402, body: { code: "PASS_INVALID" } });
      expect(await show(at, text)).toMatchObject({ status: 402, body: { code: "PASS_INVALID" } });
    }
    const { sql } = service.opened;
    const [{ ended_at: endedAt } = { ended_at: null }] =
      await sql`select ended_at from settlements where id = ${settlementId}`;
    await sql`update settlements set state = 'broadcast', ended_at = null where id = ${settlementId}`;
    expect(await callOn(link, token)).toMatchObject({ status: 402, body: { code: "PASS_INVALID" } });
    await sql`update settlements set state = 'settled', ended_at = ${endedAt} where id = ${settlementId}`;
    expect(asked).toEqual([]);
    expect(await callOn(link, token)).toMatchObject({ status: 200 });
  });

  test("takes nothing for HEAD, for a path or method that was not sold, and for a request with a payment", async () => {
    const link = await sells(TEN_CALLS, { methods: ["GET", "POST"], paths: [{ path: "/quotes/{symbol}" }] });
    const { token } = await buys(link);
    expect((await callOn(link, token, "/quotes/ETH", "HEAD")).status).toBe(402);
    for (const path of ["/other", "/quotes/%7Bsymbol%7D"])
      expect(await callOn(link, token, path)).toMatchObject({ status: 404, body: { code: "PATH_NOT_OFFERED" } });
    expect(await callOn(link, token, "/quotes/ETH", "PUT")).toMatchObject({
      status: 404,
      body: { code: "METHOD_NOT_OFFERED" },
    });
    const proof = paying(claimFrom(service.payer(), link.payTo, PRICE));
    const paid = await request("GET", `/paid/${link.linkId}/quotes/ETH`, { ...bearer(token), ...proof });
    expect([paid.status, paid.headers.get("x-payment-response")]).toEqual([200, expect.any(String)]);
    expect((await show(link, token)).body.pass).toMatchObject({ callsLeft: 10, callsUnderWay: 0 });
    expect(await soldBy(link)).toMatchObject([{ callsFailed: 0 }]);
  });

  test.each<[string, string, Answering]>([
    ["answers 500", "error", (res) => void res.writeHead(500).end()],
    ["hangs", "timeout", () => {}],
    [
      "breaks off",
      "incomplete",
      (res) => void res.writeHead(200, { "content-length": "9" }).write("x", () => res.destroy()),
    ],
    ["echoes the secret", "secret", (res) => void res.writeHead(200).end(SECRET)],
  ])("gets its call back, once, when the upstream %s", async (_, reason, failing) => {
    const link = await sells(TEN_CALLS, { secondsMax: 1 });
    const { token, settlementId } = await buys(link);
    answering = failing;
    const failed = await callOn(link, token);
    expect(failed).toMatchObject({ status: 503, body: { code: "UPSTREAM_FAILED", reason, settlementId } });
    expect(failed.text).not.toContain("sk_passes");
    expect(failed.headers.get("x-payment-response")).toBeNull();
    expect((await show(link, token)).body.pass).toMatchObject({ callsLeft: 10, callsUnderWay: 0 });
    answering = json;
    expect((await callOn(link, token)).headers.get("tessera-pass-calls-left")).toBe("9");
    expect(await soldBy(link)).toMatchObject([{ callsFailed: 1, callsLeft: 9 }]);
  });

  test("counts a call under way, and gives it back after a stream that broke off", async () => {
    const link = await sells(TEN_CALLS, { secondsMax: 5 });
    const { token } = await buys(link);
    let breakOff = () => {};
    answering = (res) => {
      res.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      breakOff = () => res.destroy();
    };
    const res = await fetchPath("GET", `/paid/${link.linkId}/events`, { headers: bearer(token) });
    expect([res.status, res.headers.get("tessera-pass-calls-left")]).toEqual([200, "9"]);
    expect((await show(link, token)).body.pass).toMatchObject({ callsLeft: 9, callsUnderWay: 1 });
    breakOff();
    await res.text().catch(() => "");
    await until(async () => (await show(link, token)).body.pass.callsUnderWay === 0, "the end of the call");
    expect((await show(link, token)).body.pass).toMatchObject({ callsLeft: 10 });
  });

  test("keeps its terms when the seller changes or stops the offer, or deletes the link", async () => {
    const paths = [{ path: "/quotes/{symbol}" }];
    const link = await sells({ ...TEN_CALLS, isRefundable: true }, { paths });
    const payer = service.payer();
    const pass = await buys(link, { payer });
    const dearer = { calls: 1, amount: "900000" };
    await change(link, { upstream: { url, paths: [{ path: "/report", amount: "500000" }], pass: dearer } });
    expect((await callOn(link, pass.token, "/quotes/ETH")).status).toBe(200);
    const report = await callOn(link, pass.token, "/report");
    expect(report).toMatchObject({ status: 402, body: { code: "PASS_NOT_FOR_THIS" } });
    expect(report.body.accepts[0].maxAmountRequired).toBe("500000");
    await change(link, { upstream: { url, paths, pass: null }, status: "disabled" });
    expect((await callOn(link, pass.token, "/quotes/ETH")).status).toBe(200);
    expect((await asSeller("DELETE", `/api/payment-links/${link.linkId}`)).status).toBe(200);
    expect((await callOn(link, pass.token, "/quotes/ETH")).headers.get("tessera-pass-calls-left")).toBe("7");
    expect((await show(link, pass.token)).body.pass).toMatchObject({ calls: 10, callsLeft: 7, isRefundable: true });
    const deleted = await request("GET", passPath(link));
    expect(deleted).toMatchObject({ status: 404, body: { code: "LINK_NOT_FOUND" } });
  });

  test.each<[string, object, object]>([
    ["calls", { calls: 9 }, {}],
    ["hours", { hours: 1 }, {}],
    ["price", { amount: "1000" }, {}],
    ["promise of a refund", { isRefundable: false }, {}],
    ["methods", {}, { methods: ["GET"] }],
    ["paths", {}, { paths: [{ path: "/other" }] }],
  ])("is not sold to a proof for terms whose %s the seller has changed, and no money moves", async (_, terms, more) => {
    const offered = { ...TEN_CALLS, isRefundable: true };
    const link = await sells(offered);
    const claim = claimFrom(service.payer(), link.payTo, PASS_PRICE);
    await change(link, { upstream: { url, pass: { ...offered, ...terms }, ...more } });
    const current = ((await asSeller("GET", `/api/payment-links/${link.linkId}`)).body as Json).paymentLink;
    for (const path of [passPath(link), `/pass/${link.linkId}`, `/pass/${link.linkId}?terms=${"x".repeat(22)}`]) {
      const refused = await request("GET", path, paying(claim));
      expect(refused).toMatchObject({
        status: 404,
        body: { code: "PASS_NOT_OFFERED", url: current.upstream.pass.url },
      });
      expect((await request("GET", path)).status).toBe(404);
    }
    const { opened } = service;
    expect(await opened.sql`select from settlements where subject = ${link.linkId}`).toEqual([]);
    await change(link, { upstream: { url, pass: offered } });
    expect(await request("GET", passPath(link), paying(claim))).toMatchObject({
      status: 200,
      body: { pass: { calls: 10 } },
    });
  });

  test("is sold at its URL to a proof that names this URL, and not to one that names another", async () => {
    const link = await sells(TEN_CALLS);
    const { url: passUrl } = link.upstream.pass;
    const naming = (resource: string) => identified(link, service.payer(), "pay_passes_resource_01", { url: resource });
    const refused = await request("GET", passPath(link), naming(`${BASE_URL}/pass/${link.linkId}?terms=other`));
    expect(refused).toMatchObject({ status: 402, body: { code: "PAYMENT_RESOURCE_MISMATCH" } });
    expect((await request("GET", passPath(link), naming(passUrl))).status).toBe(200);
  });

  test("can be read and used when its seller has no wallet any more", async () => {
    const link = await sells(TEN_CALLS);
    const payer = service.payer();
    const pass = await buys(link, { payer });
    const { sql } = service.opened;
    const { agentId } = seller.agent;
    const [agent] = await sql`select owner_id, linked_at from agents where id = ${agentId}`;
    await sql`update agents set owner_id = null, linked_at = null where id = ${agentId}`;
    const { challenge, sign, read } = buyerSite(seller, PASS_PRICE, "");
    const signedIn = await read(passPath(link), await sign(await challenge(passPath(link)), payer));
    const closed = await request("GET", passPath(link));
    const response = await callOn(link, pass.token);
    const shown = await show(link, pass.token);
    await sql`update agents set ${sql({ owner_id: agent?.owner_id, linked_at: agent?.linked_at })} where id = ${agentId}`;
    expect(signedIn).toMatchObject({ status: 200, body: { pass: { token: pass.token } } });
    expect(closed).toMatchObject({ status: 409, body: { code: "WALLET_NOT_LINKED" } });
    expect(response.status).toBe(200);
    expect(shown).toMatchObject({ status: 200, body: { pass: { callsLeft: 9 } } });
  });

  test("is served by the API that its link had, when the seller has removed it, until the pass is used up", async () => {
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() });
    const { token } = await buys(link);
    await change(link, { upstream: null });
    expect((await callOn(link, token)).headers.get("tessera-pass-calls-left")).toBe("1");
    const { system, sql } = service.opened;
    const isKept = async () => {
      await sql`update ended_upstreams set ended_at = ended_at - interval '3 hours' where link_id = ${link.linkId}`;
      await forgetEnded(system, 100);
      return (await sql`select from ended_upstreams where link_id = ${link.linkId}`).length === 1;
    };
    expect(await isKept()).toBe(true);
    expect((await callOn(link, token)).status).toBe(200);
    expect(asked).toMatchObject([{ headers: { authorization: SECRET } }, { headers: { authorization: SECRET } }]);
    expect(await callOn(link, token)).toMatchObject({
      status: 409,
      body: { code: "PASS_REFUSED", reason: "PASS_USED_UP" },
    });
    expect(await isKept()).toBe(false);
  });

  test("that is used up says so at a link that is disabled", async () => {
    const link = await sells({ calls: 1, amount: PASS_PRICE.toString() });
    const { token } = await buys(link);
    await change(link, { status: "disabled" });
    expect((await callOn(link, token)).status).toBe(200);
    expect(await callOn(link, token)).toMatchObject({
      status: 409,
      body: { code: "PASS_REFUSED", reason: "PASS_USED_UP" },
    });
    expect(await callOn(link, "pass_x")).toMatchObject({ status: 410, body: { code: "LINK_DISABLED" } });
  });
});

describe("many requests at once", () => {
  test("are served exactly as many times as calls are left, also by two processes and an upstream that fails", async () => {
    const link = await sells(TEN_CALLS);
    const { token, settlementId } = await buys(link);
    answering = (res, req) => (asked.length % 4 === 0 ? void res.writeHead(500).end() : json(res, req));
    // Another process has connections of its own.
    const opened = openSystem();
    const other: Ctx = { ...opened.system, requestId: "other", actor: { type: "anonymous" } };
    const sending = { method: "GET" as const, path: "/x", search: "", headers: {}, body: Buffer.alloc(0) };
    const callThere = async () => {
      const pass = { linkId: link.linkId, settlementId, name: null, costMax: null };
      return (
        await callOnPass(
          other,
          pass,
          async () => sending,
          async () => "",
        )
      ).type;
    };
    const callHere = async () => {
      const { status } = await call("GET", `/paid/${link.linkId}/x`, { bearer: token });
      return { 200: "answered", 402: "refused", 503: "failed" }[status] ?? status;
    };
    const outcomes: unknown[] = [];
    for (const requests of [2_000, 40, 40, 40])
      outcomes.push(
        ...(await Promise.all(
          Array.from({ length: requests }, (_, index) => (index % 5 === 0 ? callThere() : callHere())),
        )),
      );
    await opened.close();
    const countOf = (type: string) => outcomes.filter((outcome) => outcome === type).length;
    expect(countOf("answered")).toBe(10);
    expect(countOf("answered") + countOf("failed")).toBe(asked.length);
    expect(countOf("refused") + countOf("unavailable")).toBe(outcomes.length - asked.length);
    expect(countOf("refused")).toBeGreaterThan(100);
    expect(await soldBy(link)).toMatchObject([
      { status: "used_up", callsUnderWay: 0, callsFailed: countOf("failed"), callsLeft: 0 },
    ]);
  }, 120_000);

  /** A call that is taken, of a process that will never end it. */
  const takes = async ({ linkId }: Json, { settlementId }: Json, units = 1n) => {
    const call = { settlementId, linkId, callId: newId("passCall"), units };
    const { system } = service.opened;
    expect(await takeCall(system.db, call, system.now())).not.toBeNull();
    return call;
  };
  /** The time of a call passes, and the job ends it. */
  const dies = async ({ callId }: { callId: string }) => {
    const { system, sql } = service.opened;
    await sql`update pass_calls set busy_until = now() - interval '1 second' where call_id = ${callId}`;
    await until(async () => {
      await endDeadCalls(system, 100);
      return (await sql`select from pass_calls where call_id = ${callId}`).length === 0;
    }, "the end of the call");
  };

  test("get the call of a process that died back, once, when its time is over", async () => {
    const link = await sells({ calls: 1, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    const lost = await takes(link, pass);
    await endDeadCalls(service.opened.system, 100);
    expect(await callOn(link, pass.token)).toMatchObject({ status: 402, body: { code: "PASS_USED_UP" } });
    expect((await show(link, pass.token)).body.pass).toMatchObject({ status: "used_up", callsUnderWay: 1 });
    await dies(lost);
    const responses = await Promise.all(Array.from({ length: 20 }, () => callOn(link, pass.token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    // The process was only slow: its end changes nothing.
    await endFailed(service.opened.system.db, lost.callId, service.opened.system.now());
    expect(await soldBy(link)).toMatchObject([{ status: "used_up", callsLeft: 0, callsUnderWay: 0, callsFailed: 1 }]);
    expect(asked).toHaveLength(1);
  });

  test("are admitted when the last call comes back while they wait for the pass", async () => {
    const link = await sells({ calls: 1, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    const lost = await takes(link, pass);
    const { sql, system } = service.opened;
    let waiting: ReturnType<typeof takeCall> | undefined;
    await sql.begin(async (tx) => {
      await tx`delete from pass_calls where call_id = ${lost.callId}`;
      await tx`update passes set units_taken = units_taken - 1 where settlement_id = ${pass.settlementId}`;
      waiting = takeCall(system.db, { ...lost, callId: newId("passCall") }, system.now());
      const isWaiting = async () =>
        (
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%with asked as%'`
        ).length > 0;
      await until(isWaiting, "the call to wait for the pass");
    });
    expect(await waiting).toMatchObject({ units: 1n, unitsLeft: 0n });
    expect((await show(link, pass.token)).body.pass).toMatchObject({ status: "used_up", callsUnderWay: 1 });
  });

  test("that are answered while they are ended as dead take what they have used", async () => {
    const link = await sells({ isByUse: true, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    const answered = await takes(link, pass, 10_000n);
    await takes(link, pass, 15_000n);
    const { sql, system } = service.opened;
    let end: ReturnType<typeof endCall> | undefined;
    await sql.begin(async (tx) => {
      await tx`delete from pass_calls where call_id = ${answered.callId}`;
      await tx`update passes set units_taken = units_taken - 10000, units_failed = 10000
        where settlement_id = ${pass.settlementId}`;
      end = endCall(system.db, { ...answered, settlementId: pass.settlementId, used: 4_000n }, system.now());
      const isWaiting = async () =>
        (
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%with ended as%'`
        ).length > 0;
      await until(isWaiting, "the end to wait for the job");
    });
    expect(await end).toBe(true);
    expect((await show(link, pass.token)).body.pass).toMatchObject({ amountLeft: "6000" });
  });

  test("are not free when they outlive their time", async () => {
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() }, { secondsMax: 30 });
    const pass = await buys(link);
    const slow = async () => {
      let answers = () => {};
      answering = (res, req) => {
        answers = () => json(res, req);
      };
      const response = callOn(link, pass.token);
      await until(async () => asked.length > 0, "the call");
      asked = [];
      const [{ call_id: callId } = { call_id: "" }] = await service.opened
        .sql`select call_id from pass_calls where settlement_id = ${pass.settlementId}`;
      await dies({ callId });
      return { response, answers };
    };
    const first = await slow();
    expect((await show(link, pass.token)).body.pass).toMatchObject({ callsLeft: 2 });
    first.answers();
    expect((await first.response).status).toBe(200);
    expect(await soldBy(link)).toMatchObject([{ callsLeft: 1, callsFailed: 0 }]);
    const second = await slow();
    answering = json;
    expect((await callOn(link, pass.token)).status).toBe(200);
    second.answers();
    expect(await second.response).toMatchObject({ status: 503, body: { code: "UPSTREAM_FAILED", reason: "busy" } });
    expect(await soldBy(link)).toMatchObject([{ status: "used_up", callsLeft: 0, callsUnderWay: 0 }]);
  });

  test("that stream after their time has passed are broken off, and have their whole time otherwise", async () => {
    const link = await sells(TEN_CALLS, { secondsMax: 30 });
    const pass = await buys(link);
    const { sql } = service.opened;
    let streams = () => {};
    answering = (res) => {
      streams = () => void res.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      asked.at(-1)?.once("end", () => {});
    };
    const begins = async () => {
      asked = [];
      const response = fetchPath("GET", `/paid/${link.linkId}/events`, { headers: bearer(pass.token) });
      await until(async () => asked.length > 0, "the call");
      const [{ call_id: callId } = { call_id: "" }] =
        await sql`select call_id from pass_calls where settlement_id = ${pass.settlementId}`;
      return { response, callId };
    };
    const late = await begins();
    await dies(late);
    streams();
    expect((await late.response).status).toBe(503);
    upstream.drop();
    const early = await begins();
    await sql`update pass_calls set busy_until = now() + interval '3 seconds' where call_id = ${early.callId}`;
    streams();
    expect((await early.response).status).toBe(200);
    const [row] =
      await sql`select busy_until > now() + interval '30 seconds' as is_longer from pass_calls where call_id = ${early.callId}`;
    expect(row).toEqual({ is_longer: true });
    upstream.drop();
    await (await early.response).text().catch(() => "");
    await until(async () => (await show(link, pass.token)).body.pass.callsUnderWay === 0, "the end of the stream");
  });

  test.each<[string, (body: ReadableStream<Uint8Array>) => Promise<void>]>([
    ["and waits for more", (body) => expect(new Response(body).text()).rejects.toThrow()],
    [
      "and leaves before the limit",
      async (body) => {
        const reader = body.getReader();
        await reader.read();
        await reader.cancel();
      },
    ],
  ])("count a stream that ended at a limit of the link, of which the buyer has the beginning, %s", async (_, read) => {
    const link = await sells(TEN_CALLS, { secondsMax: 1 });
    const { token } = await buys(link);
    answering = (res) => void res.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    const res = await fetchPath("GET", `/paid/${link.linkId}/events`, { headers: bearer(token) });
    expect(res.status).toBe(200);
    if (!res.body) throw new Error("no body");
    await read(res.body);
    await until(async () => (await show(link, token)).body.pass.callsUnderWay === 0, "the end of the call");
    expect(await soldBy(link)).toMatchObject([{ callsLeft: 9, callsFailed: 0 }]);
  });

  test("do not come back for ever from an upstream that fails", async () => {
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() });
    const { token } = await buys(link);
    answering = (res) => void res.writeHead(500).end();
    const statuses: number[] = [];
    const messages: string[] = [];
    for (let turn = 0; turn < 22; turn += 1) {
      const { status, body } = await callOn(link, token);
      statuses.push(status);
      messages.push(String(body.message ?? body.code));
    }
    // As many as two single payments can ask for: ten each.
    expect(asked).toHaveLength(20);
    expect(statuses).toEqual([...Array(20).fill(503), 402, 402]);
    expect(messages.slice(0, 18).every((message) => message.includes("comes back"))).toBe(true);
    expect(messages.slice(18)).toEqual([
      expect.stringContaining("is counted"),
      expect.stringContaining("is counted"),
      "PASS_USED_UP",
      "PASS_USED_UP",
    ]);
    expect(await soldBy(link)).toMatchObject([
      { status: "used_up", callsFailed: 20, unusedAmount: PASS_PRICE.toString() },
    ]);
  });

  test("of a pass by use that counted as dead takes what it has cost when it is answered late", async () => {
    const link = await sells({ isByUse: true, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    const late = await takes(link, pass, PRICE);
    await dies(late);
    expect(await soldBy(link)).toMatchObject([{ amountLeft: `${PASS_PRICE}` }]);
    const { system } = service.opened;
    expect(await endCall(system.db, { ...late, used: 2_500n }, system.now())).toBe(true);
    expect(await soldBy(link)).toMatchObject([{ amountLeft: `${PASS_PRICE - 2_500n}` }]);
  });

  test("of dead processes do not come back for ever either", async () => {
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() });
    const pass = await buys(link);
    await service.opened.sql`update passes set units_failed = 17 where settlement_id = ${pass.settlementId}`;
    const calls = [await takes(link, pass), await takes(link, pass)];
    for (const dead of calls) await dies(dead);
    expect(await soldBy(link)).toMatchObject([{ callsLeft: 1, callsFailed: 19, callsUnderWay: 0 }]);
  });
});

describe("a pass by use", () => {
  const BY_USE = { isByUse: true, amount: PASS_PRICE.toString() };
  const costing =
    (cost: string | null): Answering =>
    (res) =>
      void res
        .writeHead(200, { "content-type": "application/json", ...(cost !== null && { "tessera-cost": cost }) })
        .end('{"price":"1"}');
  const leftIn = ({ headers }: { headers: Headers }) =>
    ["tessera-cost", "tessera-pass-amount-left", "tessera-pass-calls-left"].map((name) => headers.get(name));

  test.each([
    { isByUse: true, calls: 10, amount: "1" },
    { isByUse: false, amount: "1" },
    // It would admit no call.
    { isByUse: true, amount: "1" },
  ])("cannot be offered as %j", async (pass) => {
    const json = { amount: "2", upstream: { url, pass } };
    expect((await asSeller("POST", "/api/payment-links", json)).status).toBe(400);
  });

  test("has to be enough for one call, also after a change", async () => {
    const [paths, dearer] = ["1", "2"].map((amount) => [{ path: "/quotes", amount }, { path: "/report" }]);
    const offered = { url, pass: { isByUse: true, amount: "1" } };
    const link = await sells(offered.pass, { paths });
    const changed = await asSeller("PATCH", `/api/payment-links/${link.linkId}`, {
      upstream: { ...offered, paths: dearer },
    });
    expect(changed).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST", field: "upstream.pass.amount" } });
  });

  test("takes no call that can cost more than its buyer says", async () => {
    const link = await sells(BY_USE);
    const { token } = await buys(link);
    const callFor = (costMax: string) =>
      request("GET", `/paid/${link.linkId}/quotes`, { ...bearer(token), "tessera-cost-max": costMax });
    expect(await callFor("9999")).toMatchObject({ status: 402, body: { code: "PASS_INSUFFICIENT" } });
    expect((await callFor("1e9")).status).toBe(400);
    expect(asked).toEqual([]);
    expect(leftIn(await callFor(`${PRICE}`))).toEqual(["10000", "15000", null]);
    const ofCalls = await sells(TEN_CALLS);
    const pass = await buys(ofCalls);
    const free = await request("GET", `/paid/${ofCalls.linkId}/x`, { ...bearer(pass.token), "tessera-cost-max": "0" });
    expect(free.status).toBe(200);
  });

  test("takes what the upstream says that a call cost, at most its price, and keeps the rest", async () => {
    const link = await sells(BY_USE);
    expect(link.upstream.pass).toMatchObject({ isByUse: true, calls: null, hours: null });
    const { token } = await buys(link);
    const left: unknown[] = [];
    for (const cost of ["2500", "0", "900000", null]) {
      answering = costing(cost);
      left.push(leftIn(await callOn(link, token)));
    }
    expect(left).toEqual([
      ["2500", "22500", null],
      ["0", "22500", null],
      ["10000", "12500", null],
      ["10000", "2500", null],
    ]);
    // The next could cost more than is left.
    expect(await callOn(link, token)).toMatchObject({ status: 402, body: { code: "PASS_USED_UP" } });
    expect(asked).toHaveLength(4);
    expect((await show(link, token)).body.pass).toMatchObject({
      status: "used_up",
      calls: null,
      callsLeft: null,
      amountLeft: "2500",
    });
    expect(await soldBy(link)).toMatchObject([{ unusedAmount: "2500", amountLeft: "2500", callsFailed: null }]);
  });

  test("takes the price of each path, as it was when the pass was bought", async () => {
    const paths = [{ path: "/quotes" }, { path: "/report", amount: "20000" }];
    const link = await sells(BY_USE, { paths });
    const pass = await buys(link);
    expect(pass).toMatchObject({ paths: ["/quotes", "/report"], isByUse: true });
    await change(link, { upstream: { url, pass: BY_USE, paths: [{ path: "/quotes", amount: "1" }, paths[1]] } });
    const otherTerms = await request("GET", passPath(link));
    expect(otherTerms).toMatchObject({ status: 404, body: { code: "PASS_NOT_OFFERED" } });
    expect(leftIn(await callOn(link, pass.token))).toEqual(["10000", "15000", null]);
    expect(await callOn(link, pass.token, "/report")).toMatchObject({
      status: 402,
      body: { code: "PASS_INSUFFICIENT" },
    });
    expect((await show(link, pass.token)).body.pass).toMatchObject({ status: "usable", amountLeft: "15000" });
    expect(leftIn(await callOn(link, pass.token))).toEqual(["10000", "5000", null]);
  });

  test("lets a cheaper call go on behind a dearer one that does not fit, however many call at once", async () => {
    const prices = ["20000", "12000", "6000", "1000"];
    const link = await sells(BY_USE, { paths: prices.map((amount) => ({ path: `/${amount}`, amount })) });
    const { token } = await buys(link);
    await callOn(link, token, "/12000");
    answering = costing(null);
    const all = Array.from({ length: 15 }, () => prices).flat();
    const answers = await Promise.all(all.map((amount) => callOn(link, token, `/${amount}`)));
    const costs = answers.filter(({ status }) => status === 200).map((answer) => Number(leftIn(answer)[0]));
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(all.length - costs.length);
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(13_000);
    expect((await show(link, token)).body.pass).toMatchObject({ status: "used_up", amountLeft: "0" });
  });

  test("has the whole price back when the upstream fails, and what a stream did not use", async () => {
    const link = await sells(BY_USE);
    const { token } = await buys(link);
    answering = (res) => void res.writeHead(500, { "tessera-cost": "1" }).end();
    expect(await callOn(link, token)).toMatchObject({ status: 503, body: { callEnd: "back" } });
    expect((await show(link, token)).body.pass).toMatchObject({ amountLeft: `${PASS_PRICE}`, callsUnderWay: 0 });
    answering = (res) =>
      void res.writeHead(200, { "content-type": "text/event-stream", "tessera-cost": "400" }).end("data: 1\n\n");
    const streamed = await callOn(link, token, "/events");
    expect([streamed.text, leftIn(streamed)]).toEqual(["data: 1\n\n", ["400", "24600", null]]);
    await until(async () => (await show(link, token)).body.pass.callsUnderWay === 0, "the end of the stream");
    expect((await show(link, token)).body.pass).toMatchObject({ amountLeft: "24600" });
  });

  test("never takes more than it has, however many call at once", async () => {
    const link = await sells(BY_USE);
    const { token } = await buys(link);
    answering = costing("4000");
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => callOn(link, token)));
      statuses.push(...answers.map(({ status }) => status));
    }
    const answered = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 402)).toHaveLength(120 - answered);
    expect(answered).toBe(asked.length);
    const amountLeft = Number((await show(link, token)).body.pass.amountLeft);
    expect(amountLeft).toBe(Number(PASS_PRICE) - 4_000 * answered);
    expect(amountLeft).toBeLessThan(Number(PRICE));
  });
});

/** A proof of x402 v2. `resource`: the URL that it names. */
function identified(link: Json, payer: HDAccount, id: string, resource?: object) {
  const { authorization, signature } = xPaymentOf(claimFrom(payer, link.payTo, PASS_PRICE)).payload;
  const accepted = { scheme: "exact", network: "eip155:8453", amount: PASS_PRICE.toString(), payTo: link.payTo };
  return {
    "payment-signature": encodeHeader({
      x402Version: 2,
      accepted: { ...accepted, asset: link.assetAddress },
      ...(resource && { resource }),
      payload: { signature, authorization },
      extensions: { "payment-identifier": { info: { required: false, id } } },
    }),
  };
}

describe("a token that was lost", () => {
  test("comes again for the same proof and identifier, and for nobody who read the proof on the chain", async () => {
    const link = await sells(TEN_CALLS);
    const proof = identified(link, service.payer(), "pay_passes_0123456789");
    const first = await request("GET", passPath(link), proof);
    const second = await request("GET", passPath(link), proof);
    expect([first.status, second.body.pass.token]).toEqual([200, first.body.pass.token]);
    const claim = claimFrom(service.payer(), link.payTo, PASS_PRICE);
    const { body } = await request("GET", passPath(link), paying(claim));
    const isRefused = async () => {
      const replayed = await request("GET", passPath(link), paying(claim));
      expect(replayed).toMatchObject({ status: 409, body: { code: "PAYMENT_ALREADY_USED" } });
      expect(replayed.text).not.toContain("pass_");
    };
    // From the buyer's address, until the first call, for an hour.
    expect((await request("GET", passPath(link), paying(claim))).body.pass.token).toBe(body.pass.token);
    const { sql } = service.opened;
    const { settlementId } = body.pass;
    await sql`update passes set caller_hash = 'another' || caller_hash where settlement_id = ${settlementId}`;
    await isRefused();
    await sql`update passes set caller_hash = substr(caller_hash, 8), created_at = created_at - interval '61 minutes'
      where settlement_id = ${settlementId}`;
    await isRefused();
    await sql`update passes set created_at = created_at + interval '61 minutes' where settlement_id = ${settlementId}`;
    expect((await request("GET", passPath(link), paying(claim))).status).toBe(200);
    await callOn(link, body.pass.token);
    await isRefused();
    asked = [];
    const atCall = await request("GET", `/paid/${link.linkId}/x`, paying(claim));
    expect(atCall).toMatchObject({ status: 409, body: { code: "PAYMENT_ALREADY_USED" } });
    expect(asked).toEqual([]);
    const rows = await service.opened.sql`select * from passes where link_id = ${link.linkId}`;
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(first.body.pass.token.slice(-43));
  });

  test("comes again when the payer signs in, also at a deleted link, until the pass is used up", async () => {
    const { challenge, sign, read } = buyerSite(seller, PASS_PRICE, "");
    const link = await sells({ calls: 2, amount: PASS_PRICE.toString() });
    const payer = service.payer();
    const pass = await buys(link, { payer });
    const signsIn = async (signer: HDAccount) =>
      read(passPath(link), await sign(await challenge(passPath(link)), signer));
    expect(await signsIn(payer)).toMatchObject({ status: 200, body: { pass: { token: pass.token } } });
    expect(await signsIn(service.payer(1))).toMatchObject({ status: 402, body: { code: "SIGN_IN_NOT_BOUGHT" } });
    await callOn(link, pass.token);
    await asSeller("DELETE", `/api/payment-links/${link.linkId}`);
    expect(await signsIn(payer)).toMatchObject({ status: 200, body: { pass: { token: pass.token, callsLeft: 1 } } });
    await callOn(link, pass.token);
    expect((await signsIn(payer)).status).toBe(404);
  });

  test("comes again when the payer signs in while all its calls are under way, and not for a payment on another network", async () => {
    const { challenge, sign, read } = buyerSite(seller, PASS_PRICE, "");
    const link = await sells({ calls: 1, amount: PASS_PRICE.toString() });
    const payer = service.payer();
    const { token, settlementId } = await buys(link, { payer });
    const { system, sql } = service.opened;
    const taken = { settlementId, linkId: link.linkId, callId: newId("passCall"), units: 1n };
    expect(await takeCall(system.db, taken, system.now())).not.toBeNull();
    const signsIn = async () => read(passPath(link), await sign(await challenge(passPath(link)), payer));
    expect(await signsIn()).toMatchObject({ status: 200, body: { pass: { token, callsLeft: 0, callsUnderWay: 1 } } });
    await sql`update settlements set network = 'base-sepolia' where id = ${settlementId}`;
    expect(await signsIn()).toMatchObject({ status: 402, body: { code: "SIGN_IN_NOT_BOUGHT" } });
    await sql`update settlements set network = 'base' where id = ${settlementId}`;
    await endFailed(system.db, taken.callId, system.now());
  });

  test("a call that was paid brings no pass", async () => {
    const link = await sells({ calls: 5, amount: PRICE.toString() });
    const payer = service.payer();
    const claim = claimFrom(payer, link.payTo, PRICE);
    expect((await request("GET", `/paid/${link.linkId}/x`, paying(claim))).status).toBe(200);
    expect(await request("GET", passPath(link), paying(claim))).toMatchObject({ status: 409 });
    const { challenge, sign, read } = buyerSite(seller, PRICE, "");
    const signedIn = await read(passPath(link), await sign(await challenge(passPath(link)), payer));
    expect(signedIn).toMatchObject({ status: 402, body: { code: "SIGN_IN_NOT_BOUGHT" } });
  });
});

describe("the seller", () => {
  test("sees passes with what is unused, and a refund of it ends the pass", async () => {
    const link = await sells({ ...TEN_CALLS, isRefundable: true });
    const payer = service.payer();
    const { token, settlementId } = await buys(link, { payer });
    for (let turn = 0; turn < 3; turn += 1) await callOn(link, token);
    const [sold] = await soldBy(link);
    expect(sold).toMatchObject({
      settlementId,
      payer: payer.address,
      amount: PASS_PRICE.toString(),
      status: "usable",
      callsLeft: 7,
      unusedAmount: "17500",
      isRefundable: true,
      lastUsedAt: expect.any(String),
    });
    const refund = { paymentId: sold?.paymentId, amount: sold?.unusedAmount };
    const initiated = await asSeller("POST", "/api/payment-links/refunds/initiate", refund);
    expect(initiated.status).toBe(201);
    const { refundId } = initiated.body as Json;
    const approved = await call("POST", `/api/refunds/${refundId}/approve`, { session: seller.owner.session });
    expect(approved.status).toBe(200);
    await until(async () => (await soldBy(link))[0]?.status === "refunded", "the refund");
    expect(await callOn(link, token)).toMatchObject({ status: 402, body: { code: "PASS_REFUNDED" } });
    expect(await soldBy(link)).toMatchObject([{ unusedAmount: "0", callsLeft: 7 }]);
  });

  test("reads all passes page by page, also those bought at once", async () => {
    const link = await sells(TEN_CALLS);
    const payer = service.payer();
    const bought = [await buys(link, { payer }), await buys(link, { payer }), await buys(link, { payer })];
    await service.opened.sql`update passes set created_at = '2026-01-01' where link_id = ${link.linkId}`;
    const page = async (cursor: string | null) => {
      const query = `limit=2${cursor === null ? "" : `&cursor=${cursor}`}`;
      return (await asSeller("GET", `/api/payment-links/${link.linkId}/passes?${query}`)).body as Json;
    };
    const first = await page(null);
    const second = await page(first.nextCursor);
    expect([first.passes.length, second.passes.length, second.nextCursor]).toEqual([2, 1, null]);
    const listed = [...first.passes, ...second.passes].map(({ settlementId }) => settlementId);
    expect(listed.toSorted()).toEqual(bought.map(({ settlementId }) => settlementId).toSorted());
  });

  test("does not see the passes of others", async () => {
    const link = await sells(TEN_CALLS);
    const stranger = await linkedPair();
    const response = await call("GET", `/api/payment-links/${link.linkId}/passes`, { bearer: stranger.agent.jwt });
    expect([response.status, response.body]).toMatchObject([404, { code: "LINK_NOT_FOUND" }]);
  });
});
