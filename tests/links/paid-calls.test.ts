import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetOld } from "@/lib/retention";
import type { Claim } from "@/lib/settlements/service";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { assertDocumented } from "../support/documented";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying, xPaymentOf } from "../support/system";
import { openUpstream, type UpstreamServer } from "../support/upstream";

const PRICE = 10_000n;
const SECRET = 'Bearer sk_"very"/secret+0123456789';
const NOBODY = "http://localhost:9";

const service = runService();

type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
type Answering = (res: ServerResponse, req: IncomingMessage) => void;

let upstream: UpstreamServer;
let url: string;
let asked: Asked[];
let answering: Answering;
let seller: Parties;

const json: Answering = (res) =>
  void res.writeHead(200, { "content-type": "application/json" }).end('{"price":"3120.50"}');

beforeAll(async () => {
  upstream = await openUpstream(async (req, res) => {
    const { method = "", url: path = "", headers } = req;
    const request = { method, path, headers, body: "" };
    asked.push(request);
    if (headers["x-unread"] === undefined) {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      request.body = Buffer.concat(chunks).toString("utf8");
    }
    answering(res, req);
  });
  url = `${upstream.url}/v1`;
  seller = await linkedPair();
});

afterAll(() => upstream?.close());

beforeEach(() => {
  asked = [];
  answering = json;
});

const asSeller = (method: string, path: string, fields?: object) =>
  call(method, path, { bearer: seller.agent.jwt, ...(fields && { json: fields }) });

async function sells(fields: object = {}, link: object = {}): Promise<Json> {
  const response = await asSeller("POST", "/api/payment-links", {
    amount: PRICE.toString(),
    description: "Quotes",
    upstream: { url, headers: { Authorization: SECRET }, methods: ["GET", "POST", "PUT", "DELETE"], ...fields },
    ...link,
  });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

type Got = { status: number; headers: Headers; text: string; body: Json };
type Sending = { headers?: Record<string, string>; raw?: string };

/** Sends a request to a link's upstream. What the service answers itself has to be as documented. */
async function request(method: string, path: string, { headers = {}, raw }: Sending = {}): Promise<Got> {
  const type = raw !== undefined && { "content-type": "application/json" };
  const res = await fetchPath(method, path, {
    headers: { ...type, ...headers },
    ...(raw !== undefined && { body: raw }),
  });
  const text = await res.text();
  const { status } = res;
  const isPassedOn = res.headers.get("content-security-policy")?.startsWith("sandbox") ?? false;
  const body = text !== "" && res.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  const documented = { method, path: path.replace(/(\/paid\/[^/?]+).*/, "$1/x"), headers: res.headers, text, body };
  assertDocumented({ ...documented, status: isPassedOn ? 200 : status });
  return { status, headers: res.headers, text, body };
}

const proofFor = ({ payTo }: Json, amount = PRICE): Claim => claimFrom(service.payer(), payTo, amount);
const pathOf = ({ linkId }: Json, path = "/quotes/ETH") => `/paid/${linkId}${path}`;
const pay = (link: Json, proof: Claim, path?: string, method = "GET", sending: Sending = {}) =>
  request(method, pathOf(link, path), { ...sending, headers: { ...paying(proof), ...sending.headers } });

const settledFrom = async (link: Json): Promise<number> => {
  const [row] = await service.opened.sql`select count(*)::int as n from settlements
    where subject = ${link.linkId} and state = 'settled'`;
  return row?.n;
};
const settledLongAgo = (link: Json) => service.opened.sql`update settlements
  set ended_at = ended_at - interval '61 minutes' where subject = ${link.linkId}`;
const callsOf = async (link: Json): Promise<Json> =>
  (await asSeller("GET", `/api/payment-links/${link.linkId}/calls`)).body as Json;

describe("the price", () => {
  test("is that of exactly this request, and nothing is forwarded before it is paid", async () => {
    const link = await sells({ paths: [{ path: "/quotes/{symbol}" }, { path: "/report", amount: "250000" }] });
    expect(link.upstream).toMatchObject({
      url,
      headerNames: ["authorization"],
      paidUrl: `${BASE_URL}/paid/${link.linkId}`,
      paths: [
        { path: "/quotes/{symbol}", amount: null },
        { path: "/report", amount: "250000" },
      ],
    });
    const quote = await request("GET", pathOf(link, "/quotes/ETH?in=EUR"));
    expect([quote.status, quote.body.accepts[0]]).toMatchObject([
      402,
      {
        maxAmountRequired: PRICE.toString(),
        resource: `${BASE_URL}/paid/${link.linkId}/quotes/ETH?in=EUR`,
        description: "Quotes",
        payTo: link.payTo,
      },
    ]);
    const report = await request("POST", pathOf(link, "/report"), { raw: "{}" });
    expect(report.body.accepts[0].maxAmountRequired).toBe("250000");
    expect((await request("HEAD", pathOf(link, "/report"))).status).toBe(402);
    expect(asked).toEqual([]);
  });

  test.each([
    ["/other", "PATH_NOT_OFFERED"],
    ["/quotes", "PATH_NOT_OFFERED"],
    ["/REPORT", "PATH_NOT_OFFERED"],
    ["/quotes/a%2fb", "PATH_NOT_OFFERED"],
    ["", "PATH_NOT_OFFERED"],
  ])("has none for %s, which is not sold, with or without a payment", async (path, code) => {
    const link = await sells({ paths: [{ path: "/quotes/{symbol}" }, { path: "/report", amount: "250000" }] });
    expect(await request("GET", pathOf(link, path))).toMatchObject({ status: 404, body: { code } });
    expect(await pay(link, proofFor(link), path)).toMatchObject({ status: 404, body: { code } });
    expect([asked, await settledFrom(link)]).toEqual([[], 0]);
  });

  test("of a path whose variable is not filled in is told, and not taken", async () => {
    const link = await sells({ paths: [{ path: "/quotes/{symbol}" }] });
    const path = "/quotes/%7Bsymbol%7D";
    expect((await request("GET", pathOf(link, path))).status).toBe(402);
    expect(await pay(link, proofFor(link), path)).toMatchObject({ status: 404, body: { code: "PATH_NOT_OFFERED" } });
    const every = await sells();
    const answer = await pay(every, proofFor(every), "/%7Bpath%7D");
    expect(answer).toMatchObject({ status: 404, body: { code: "PATH_NOT_OFFERED" } });
    expect([asked, await settledFrom(link), await settledFrom(every)]).toEqual([[], 0, 0]);
  });

  test("has none for a method that is not sold, a link without an upstream, and no link", async () => {
    const link = await sells({ methods: ["POST"] });
    const other = (await asSeller("POST", "/api/payment-links", { amount: "1" })).body as Json;
    expect(await request("GET", pathOf(link))).toMatchObject({ status: 404, body: { code: "METHOD_NOT_OFFERED" } });
    expect(await pay(link, proofFor(link))).toMatchObject({ status: 404, body: { code: "METHOD_NOT_OFFERED" } });
    for (const linkId of [other.paymentLink.linkId, `lnk_${"0".repeat(24)}`])
      expect(await request("GET", `/paid/${linkId}/x`)).toMatchObject({
        status: 404,
        body: { code: "LINK_NOT_FOUND" },
      });
    const checkout = await call("GET", `/paymentlink/${link.linkId}`);
    expect(checkout).toMatchObject({ status: 409, body: { code: "LINK_SELLS_CALLS", paidUrl: link.upstream.paidUrl } });
  });
});

describe("a paid request", () => {
  test("reaches the upstream once, as it was sent, with the seller's headers and the payment", async () => {
    const link = await sells();
    const proof = proofFor(link);
    const got = await pay(link, proof, "/quotes/E%20T?in=EUR&x=%2F", "POST", {
      raw: '{"a":1}',
      headers: { cookie: "a=b", authorization: "Bearer mine", "x-forwarded-for": "127.0.0.1", accept: "text/csv" },
    });
    expect([got.status, got.text, got.headers.get("content-type")]).toEqual([
      200,
      '{"price":"3120.50"}',
      "application/json",
    ]);
    const receipt = decodeHeader(got.headers.get("x-payment-response") ?? "");
    expect(receipt).toMatchObject({ success: true, payer: proof.authorization.from });
    expect(asked).toMatchObject([
      {
        method: "POST",
        path: "/v1/quotes/E%20T?in=EUR&x=%2F",
        body: '{"a":1}',
        headers: { authorization: SECRET, "content-type": "application/json", accept: "text/csv" },
      },
    ]);
    const [{ headers = {} } = {}] = asked;
    for (const name of ["cookie", "x-payment", "x-forwarded-for", "x-tessera-caller"])
      expect(headers[name]).toBeUndefined();

    const keys = (await call("GET", "/.well-known/jwks.json")).body as JSONWebKeySet;
    const { origin } = new URL(url);
    const { payload, protectedHeader } = await jwtVerify(String(headers["tessera-payment"]), createLocalJWKSet(keys), {
      issuer: BASE_URL,
      audience: origin,
      typ: "paid-request+jwt",
    });
    expect(protectedHeader.kid).toEqual(expect.any(String));
    expect(payload).toMatchObject({
      sub: headers["idempotency-key"],
      payer: proof.authorization.from,
      linkId: link.linkId,
      amount: PRICE.toString(),
      network: "base",
      method: "POST",
      path: "/quotes/E%20T?in=EUR&x=%2F",
    });
    expect(payload.sub).toMatch(/^stl_/);
  });

  test("gets the upstream's answer without its cookies, its connection's headers and its power over browsers", async () => {
    const link = await sells();
    answering = (res) => {
      res.writeHead(201, {
        "content-type": "text/html",
        "set-cookie": "session=1",
        connection: "close, x-hop",
        "x-hop": "1",
        "keep-alive": "timeout=5",
        "proxy-authenticate": "Basic",
        "cache-control": "public, max-age=9",
        "content-security-policy": "default-src *",
        "access-control-allow-origin": "https://evil.example",
        location: "https://evil.example",
        "payment-response": "e30=",
      });
      res.end("<script>alert(1)</script>");
    };
    const got = await pay(link, proofFor(link));
    expect([got.status, got.text]).toEqual([201, "<script>alert(1)</script>"]);
    for (const name of ["set-cookie", "x-hop", "proxy-authenticate", "location"])
      expect(got.headers.get(name)).toBeNull();
    expect(got.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    expect(got.headers.get("cache-control")).toContain("no-store");
    expect(got.headers.get("access-control-allow-origin")).toBe("*");
    expect(got.headers.get("payment-response")).not.toBe("e30=");
  });

  test("gets answers that are refusals of the buyer's request, and empty ones, unchanged", async () => {
    const link = await sells();
    answering = (res) => void res.writeHead(404, { "content-type": "text/plain" }).end("no such coin");
    expect(await pay(link, proofFor(link))).toMatchObject({ status: 404, text: "no such coin" });
    answering = (res) => void res.writeHead(204).end();
    expect(await pay(link, proofFor(link), "/x", "DELETE")).toMatchObject({ status: 204, text: "" });
  });

  test("gets the same answer again for the same proof, and the upstream is asked once", async () => {
    const link = await sells();
    const proof = proofFor(link);
    const first = await pay(link, proof, "/quotes", "POST", { raw: "[1]" });
    answering = (res) => void res.writeHead(500).end();
    const second = await pay(link, proof, "/quotes", "POST", { raw: "[1]" });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get("x-payment-response")).toBe(first.headers.get("x-payment-response"));
    expect([asked.length, await settledFrom(link)]).toEqual([1, 1]);
    const [row] = await service.opened.sql`select sealed_answer from upstream_calls where link_id = ${link.linkId}`;
    expect(row?.sealed_answer).not.toContain("3120");
  });

  test("brings nothing else for its proof: no other path, query, method, body, type or link", async () => {
    const [link, twin] = [await sells(), await sells()];
    const proof = proofFor(link);
    await pay(link, proof, "/a", "POST", { raw: "[1]" });
    const others = [
      await pay(link, proof, "/b", "POST", { raw: "[1]" }),
      await pay(link, proof, "/a?x=1", "POST", { raw: "[1]" }),
      await pay(link, proof, "/a", "PUT", { raw: "[1]" }),
      await pay(link, proof, "/a", "POST", { raw: "[2]" }),
      await pay(link, proof, "/a", "POST", { raw: "[1]", headers: { "content-type": "text/plain" } }),
      await pay(twin, proof, "/a", "POST", { raw: "[1]" }),
    ];
    for (const other of others) expect(other).toMatchObject({ status: 409, body: { code: "PAYMENT_ALREADY_USED" } });
    expect([asked.length, await settledFrom(link), await settledFrom(twin)]).toEqual([1, 1, 0]);
  });

  test("brings nothing for a proof that names another URL", async () => {
    const link = await sells();
    const { accepts } = (await request("GET", pathOf(link))).body;
    const v2 = {
      x402Version: 2,
      resource: { url: `${BASE_URL}${pathOf(link, "/other")}` },
      accepted: { ...accepts[0], network: "eip155:8453", amount: PRICE.toString() },
      payload: xPaymentOf(proofFor(link)).payload,
    };
    const refused = await request("GET", pathOf(link), { headers: { "payment-signature": encodeHeader(v2) } });
    expect(refused).toMatchObject({ status: 402, body: { code: "PAYMENT_RESOURCE_MISMATCH" } });
    expect([asked, await settledFrom(link)]).toEqual([[], 0]);
  });

  test("is at the upstream once at a time", async () => {
    const link = await sells();
    const proof = proofFor(link);
    let release = () => {};
    answering = (res) => {
      release = () => json(res, res.req);
    };
    const first = pay(link, proof);
    await until(async () => asked.length === 1, "the first request");
    const second = await pay(link, proof);
    expect(second).toMatchObject({ status: 503, body: { code: "UPSTREAM_FAILED", reason: "busy" } });
    expect(second.headers.get("retry-after")).toBe("2");
    release();
    expect((await first).status).toBe(200);
    expect([(await pay(link, proof)).status, asked.length]).toEqual([200, 1]);
  });

  test("with a body that is too large buys nothing, and no node has seen its proof", async () => {
    const link = await sells();
    const node = service.world.node();
    const proof = proofFor(link);
    node.resetCalls();
    const got = await pay(link, proof, "/a", "POST", { raw: "x".repeat(1_048_577) });
    expect(node.calls("eth_call")).toBe(0);
    expect(got).toMatchObject({ status: 413, body: { code: "BODY_TOO_LARGE" } });
    expect([asked, await settledFrom(link)]).toEqual([[], 0]);
    expect(await pay(link, proof, "/a", "POST", { raw: "{}" })).toMatchObject({ status: 200 });
    expect(node.calls("eth_call")).toBeGreaterThan(0);
  });
});

describe("an upstream that fails", () => {
  const failures: [string, string, Answering, object?][] = [
    ["answers 500", "error", (res) => void res.writeHead(500).end("stack trace")],
    ["answers 503 for ever", "error", (res) => void res.writeHead(503).end()],
    [
      "redirects to a private address",
      "redirect",
      (res) => void res.writeHead(302, { location: "http://10.0.0.1/" }).end(),
    ],
    ["redirects to itself", "redirect", (res) => void res.writeHead(307, { location: `${url}/x` }).end()],
    ["refuses the seller's key", "refused_us", (res) => void res.writeHead(401).end("bad key")],
    ["asks for a payment itself", "refused_us", (res) => void res.writeHead(402).end("{}")],
    ["has a rate limit", "refused_us", (res) => void res.writeHead(429).end()],
    ["hangs", "timeout", () => {}, { secondsMax: 1 }],
    [
      "hangs within its answer",
      "timeout",
      (res) => void res.writeHead(200, { "content-length": "9" }).write("x"),
      { secondsMax: 1 },
    ],
    ["closes without an answer", "unreachable", (res) => void res.destroy()],
    [
      "breaks off",
      "incomplete",
      (res) => void res.writeHead(200, { "content-length": "9" }).write("x", () => res.destroy()),
    ],
    [
      "answers 100 MB",
      "too_large",
      (res) => {
        res.writeHead(200, { "content-length": String(100_000_000) });
        const more = () => {
          while (!res.destroyed && res.write(Buffer.alloc(65_536)));
        };
        res.on("drain", more);
        more();
      },
      { answerBytesMax: 100_000 },
    ],
    [
      "compresses without being asked",
      "encoded",
      (res) => void res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(SECRET)),
    ],
    [
      "echoes the seller's secret",
      "secret",
      (res, { headers }) =>
        void res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ headers })),
    ],
    [
      "echoes the secret in a header",
      "secret",
      (res) => void res.writeHead(200, { "content-disposition": `attachment; filename=${SECRET.slice(7)}` }).end("x"),
    ],
    [
      "switches protocols",
      "unreachable",
      (res) => void res.socket?.end("HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    ],
    ["speaks no HTTP", "unreachable", (res) => void res.socket?.end("SSH-2.0\r\n\r\n")],
  ];

  test.each(failures)(
    "because it %s is not paid twice: the buyer presents the proof again",
    async (_, reason, failing, terms) => {
      const link = await sells(terms);
      const proof = proofFor(link);
      answering = failing;
      const failed = await pay(link, proof);
      expect(failed).toMatchObject({
        status: 503,
        body: { code: "UPSTREAM_FAILED", reason, retry: "same_request", settlementId: expect.stringMatching(/^stl_/) },
      });
      expect(Date.parse(failed.body.repeatUntil) - Date.now()).toBeGreaterThan(3_500_000);
      expect(failed.text).not.toContain("sk_");
      // A receipt would be the end of the purchase for clients.
      expect([failed.headers.get("x-payment-response"), failed.headers.get("payment-response")]).toEqual([null, null]);
      answering = json;
      expect(await pay(link, proof)).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
      expect([asked.length, await settledFrom(link)]).toEqual([2, 1]);
      expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
      expect((await callsOf(link)).calls).toMatchObject([
        { status: 200, failure: null, tries: 2, path: "/quotes/ETH" },
      ]);
    },
  );

  test("because nobody listens there takes another URL of the seller", async () => {
    const link = await sells({ url: NOBODY });
    const proof = proofFor(link);
    expect(await pay(link, proof)).toMatchObject({ status: 503, body: { reason: "unreachable" } });
    const calls = await callsOf(link);
    expect(calls).toMatchObject({
      figures: {
        requests: 1,
        income: PRICE.toString(),
        statuses: [{ status: null, requests: 1 }],
        failures: [{ failure: "unreachable", requests: 1 }],
        slowest: [],
      },
      calls: [{ status: null, failure: "unreachable", tries: 1 }],
    });
    await asSeller("PATCH", `/api/payment-links/${link.linkId}`, { upstream: { url } });
    expect((await pay(link, proof)).status).toBe(200);
    // The secret stayed with the origin for which the seller had given it.
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test("is asked ten times for one payment, and within an hour", async () => {
    const link = await sells();
    answering = (res) => void res.writeHead(500).end();
    const proof = proofFor(link);
    const answers: Got[] = [];
    for (let tries = 0; tries < 11; tries += 1) answers.push(await pay(link, proof));
    expect(answers.map(({ body }) => "repeatUntil" in body)).toEqual([...Array(9).fill(true), false, false]);
    expect(asked.length).toBe(10);
    expect(answers.map(({ body, headers }) => [body.retry, headers.get("retry-after")])).toEqual([
      ...["6", "12", "24", "48", "96", "192", "384", "768", "1536"].map((seconds) => ["same_request", seconds]),
      ...Array(2).fill(["never_again", null]),
    ]);
    const late = proofFor(link);
    await pay(link, late);
    await settledLongAgo(link);
    const over = await pay(link, late);
    expect([over.status, over.body.reason, "repeatUntil" in over.body, asked.length]).toEqual([
      503,
      "error",
      false,
      11,
    ]);
  });

  test.each([429, 503])("with %i and a time is asked again after that time", async (status) => {
    const link = await sells();
    answering = (res) => void res.writeHead(status, { "retry-after": "90" }).end();
    expect((await pay(link, proofFor(link))).headers.get("retry-after")).toBe("90");
  });

  test("may be asked again within an hour after a payment that took longer than that to settle", async () => {
    const link = await sells();
    answering = (res) => void res.writeHead(500).end();
    const proof = proofFor(link);
    await pay(link, proof);
    await service.opened.sql`update upstream_calls set created_at = created_at - interval '3 hours'`;
    answering = json;
    expect((await pay(link, proof)).status).toBe(200);
  });

  test("keeps no answer for longer than an hour", async () => {
    const link = await sells();
    const proof = proofFor(link);
    await pay(link, proof);
    await settledLongAgo(link);
    await service.opened.sql`update upstream_calls set answered_at = answered_at - interval '61 minutes'`;
    const over = await pay(link, proof);
    expect(over).toMatchObject({ status: 503, body: { reason: null, retry: "never_again" } });
    // A buyer who was served is owed nothing.
    expect(over.body.message).toMatch(/^You have paid, and were answered at 20\S+Z\. The answer is no longer kept/);
    await forgetOld(service.opened.system);
    const rows = await service.opened.sql`select 1 from upstream_calls where sealed_answer is not null`;
    expect([rows.length, asked.length]).toEqual([0, 1]);
  });

  test("by answering before it has read the request is taken at its word", async () => {
    const link = await sells({ headers: { "x-unread": "1" } });
    answering = (res) => void res.writeHead(200, { connection: "close" }).end("early");
    const got = await pay(link, proofFor(link), "/a", "POST", { raw: "x".repeat(1_000_000) });
    // A reset may overtake the answer: the buyer then has another try.
    expect([200, 503]).toContain(got.status);
    if (got.status === 200) expect(got.text).toBe("early");
    expect(await settledFrom(link)).toBe(1);
  });
});

describe("an answer that streams", () => {
  const events: Answering = (res) => void res.writeHead(200, { "content-type": "text/event-stream" });

  async function open(link: Json, proof: Claim) {
    const res = await fetchPath("GET", pathOf(link), { headers: paying(proof) });
    const reader = res.body?.getReader();
    if (!reader) throw new Error("no body");
    const read = async () => {
      const { done, value } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    };
    return { res, read, leave: () => reader.cancel() };
  }

  test("passes through event by event, and its whole is kept", async () => {
    const link = await sells();
    const proof = proofFor(link);
    let send = (_: string) => {};
    let end = () => {};
    answering = (res, req) => {
      events(res, req);
      res.flushHeaders();
      send = (text) => void res.write(text);
      end = () => void res.end();
    };
    const { res, read } = await open(link, proof);
    expect([res.status, res.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(res.headers.get("x-payment-response")).toEqual(expect.any(String));
    for (const text of ["data: 1\n\n", "data: 2\n\n"]) {
      send(text);
      expect(await read()).toBe(text);
    }
    end();
    expect(await read()).toBeNull();
    await until(async () => (await callsOf(link)).calls[0].status === 200, "the end of the call");
    expect(await pay(link, proof)).toMatchObject({ status: 200, text: "data: 1\n\ndata: 2\n\n" });
    expect(asked.length).toBe(1);
  });

  test("begins after a second if its length is not known", async () => {
    const link = await sells();
    answering = async (res) => {
      res.writeHead(200, { "content-type": "application/x-ndjson" }).write("1\n");
      await sleep(1_500);
      res.end("2\n");
    };
    const { read } = await open(link, proofFor(link));
    expect([await read(), await read(), await read()]).toEqual(["1\n", "2\n", null]);
  });

  test("breaks off where the upstream does, and the proof brings another try", async () => {
    const link = await sells();
    const proof = proofFor(link);
    answering = (res, req) => {
      events(res, req);
      res.write("data: 1\n\n");
      setTimeout(() => res.destroy(), 200);
    };
    const { read } = await open(link, proof);
    expect(await read()).toBe("data: 1\n\n");
    await expect(read()).rejects.toThrow();
    await until(async () => (await callsOf(link)).calls[0].failure === "incomplete", "the end of the call");
    answering = json;
    expect([(await pay(link, proof)).status, await settledFrom(link)]).toEqual([200, 1]);
  });

  test.each<[string, object, Answering]>([
    ["timeout", { secondsMax: 2 }, (res) => void res.write("data: 2\n\n")],
    ["too_large", { answerBytesMax: 1_000 }, (res) => void setTimeout(() => res.write("x".repeat(2_000)), 300)],
  ])("ends at a limit of the link (%s), and the proof brings no other try", async (reason, terms, then) => {
    const link = await sells(terms);
    const proof = proofFor(link);
    answering = (res, req) => {
      events(res, req);
      res.write("data: 1\n\n");
      then(res, req);
    };
    const { read } = await open(link, proof);
    expect(await read()).toContain("data: 1\n\n");
    await expect(
      (async () => {
        while ((await read()) !== null);
      })(),
    ).rejects.toThrow();
    await until(async () => (await callsOf(link)).calls[0].failure === reason, "the end of the call");
    answering = json;
    const again = await pay(link, proof);
    expect(again).toMatchObject({ status: 503, body: { code: "UPSTREAM_FAILED", reason, retry: "never_again" } });
    expect("repeatUntil" in again.body).toBe(false);
    expect(again.body.message).toMatch(
      new RegExp(`^You have paid, and were answered at 20\\S+Z up to a limit of the seller's \\(${reason}\\)`),
    );
    expect([asked.length, await settledFrom(link), (await callsOf(link)).calls]).toMatchObject([
      1,
      1,
      [{ status: 200, failure: reason, tries: 1 }],
    ]);
  });

  test("ends at a limit of the link after the buyer has left, who has another try", async () => {
    const link = await sells({ secondsMax: 2 });
    const proof = proofFor(link);
    answering = (res, req) => {
      events(res, req);
      res.write("data: 1\n\n");
    };
    const { res, read, leave } = await open(link, proof);
    expect([res.status, await read()]).toEqual([200, "data: 1\n\n"]);
    await leave();
    await until(async () => (await callsOf(link)).calls[0].failure === "timeout", "the end of the call");
    answering = json;
    expect(await pay(link, proof)).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
    expect([asked.length, await settledFrom(link)]).toEqual([2, 1]);
  });

  test("breaks off before a secret, also one in two pieces", async () => {
    const link = await sells();
    answering = async (res, req) => {
      events(res, req);
      res.write(`data: ${SECRET.slice(7, 20)}`);
      await sleep(200);
      res.end(`${SECRET.slice(20)}\n\n`);
    };
    const { read } = await open(link, proofFor(link));
    expect(await read()).toBe("data: ");
    await expect(read()).rejects.toThrow();
    await until(async () => (await callsOf(link)).calls[0].failure === "secret", "the end of the call");
  });
});

describe("the figures", () => {
  test("go by the link's paths, whatever buyers write in them, and back for 30 days", async () => {
    const link = await sells({ paths: [{ path: "/quotes/{symbol}" }] });
    const every = await sells();
    for (const path of ["/quotes/ETH", "/quotes/BTC"]) {
      await pay(link, proofFor(link), path);
      await pay(every, proofFor(every), path);
    }
    const paths = async (of: Json) => (await callsOf(of)).figures.slowest;
    expect(await paths(link)).toMatchObject([{ method: "GET", path: "/quotes/{symbol}", requests: 2 }]);
    expect(await paths(every)).toMatchObject([{ method: "GET", path: "/{path}", requests: 2 }]);
    await service.opened.sql`update upstream_calls set created_at = created_at - interval '31 days'
      where link_id = ${link.linkId} and path = '/quotes/ETH'`;
    const { figures, calls } = await callsOf(link);
    expect([figures.requests, figures.income, calls.length]).toEqual([1, PRICE.toString(), 2]);
  });
});

describe("an answer that is not kept", () => {
  const askTwice = async (link: Json, proof: Claim) => {
    const answers = [await pay(link, proof), await pay(link, proof)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return [asked.length, (await callsOf(link)).calls[0].tries, await settledFrom(link)];
  };

  test("because it is large is asked for again, and arrives whole", async () => {
    const link = await sells();
    const text = "x".repeat(300_000);
    answering = (res) => void res.writeHead(200, { "content-type": "text/plain" }).end(text);
    const proof = proofFor(link);
    const got = await pay(link, proof);
    expect([got.text === text, got.headers.get("content-length")]).toEqual([true, "300000"]);
    asked = [];
    expect(await askTwice(link, proof)).toEqual([2, 3, 1]);
  });

  test("because the link keeps enough for an hour is asked for again, and those of other links are kept", async () => {
    const limits = process.env.RATE_LIMITS;
    await service.restart({ RATE_LIMITS: `${limits},kept_kb_per_link=300/1h` });
    const [link, other] = [await sells(), await sells()];
    answering = (res) => void res.writeHead(200).end("x".repeat(262_144));
    expect(await askTwice(link, proofFor(link))).toEqual([1, 1, 1]);
    asked = [];
    expect(await askTwice(link, proofFor(link))).toEqual([2, 2, 2]);
    asked = [];
    expect(await askTwice(other, proofFor(other))).toEqual([1, 1, 1]);
    await service.restart({ RATE_LIMITS: limits ?? "" });
  });
});

describe("a server without room for another call", () => {
  test("refuses it before anything is paid, and takes the same proof when there is room", async () => {
    const link = await sells({ answerBytesMax: 5_242_880, secondsMax: 60 });
    const waiting: ServerResponse[] = [];
    answering = (res) => void waiting.push(res);
    // A quarter of 256 MB, in answers of 5 MB.
    const underway = Array.from({ length: 12 }, () => pay(link, proofFor(link)));
    await until(async () => waiting.length === 12, "all calls");
    const proof = proofFor(link);
    const refused = await pay(link, proof);
    expect(refused).toMatchObject({ status: 503, body: { code: "CALLS_FULL", retry: "same_request" } });
    expect([Number(refused.headers.get("retry-after")) > 0, await settledFrom(link)]).toEqual([true, 12]);
    answering = json;
    for (const res of waiting) json(res, res.req);
    for (const call of underway) expect((await call).status).toBe(200);
    expect([(await pay(link, proof)).status, await settledFrom(link)]).toEqual([200, 13]);
  });

  test("counts of a body what has arrived, whether or not its length was announced", async () => {
    const link = await sells();
    const waiting: ServerResponse[] = [];
    answering = (res) => void waiting.push(res);
    // More than a seller's share, if each counted as the longest body. Only in the test's process none has a length.
    const underway = Array.from({ length: 20 }, () => pay(link, proofFor(link), "/a", "POST", { raw: "[1]" }));
    await until(async () => waiting.length === 20, "all calls");
    for (const res of waiting) json(res, res.req);
    for (const call of underway) expect((await call).status).toBe(200);
  });

  test("reads no body of a proof that does not pay", async () => {
    const link = await sells();
    const poor = claimFrom(service.payer(7), link.payTo, PRICE);
    const sending = { raw: "x".repeat(1_000_000) };
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => pay(link, proofFor(link, 1n), "/a", "POST", sending)),
    );
    for (const { status, body } of refused) expect([status, body.code]).toEqual([402, "PAYMENT_INSUFFICIENT"]);
    expect(await pay(link, poor, "/a", "POST", sending)).toMatchObject({ body: { code: "SETTLEMENT_FAILED" } });
    expect((await pay(link, proofFor(link), "/a", "POST", sending)).status).toBe(200);
  });
});

describe("a seller who changes the link", () => {
  test("changes nothing for a buyer who has paid: by another price, another path, or no link at all", async () => {
    const link = await sells({ paths: [{ path: "/a", amount: PRICE.toString() }] });
    const path = `/api/payment-links/${link.linkId}`;
    const [answered, failed] = [proofFor(link), proofFor(link)];
    await pay(link, answered, "/a");
    answering = (res) => void res.writeHead(500).end();
    await pay(link, failed, "/a");
    answering = json;
    const changes: (() => Promise<unknown>)[] = [
      () => asSeller("PATCH", path, { upstream: { url, paths: [{ path: "/a", amount: "900000" }] } }),
      () => asSeller("PATCH", path, { upstream: { url, paths: [{ path: "/b" }] } }),
      () => asSeller("PATCH", path, { status: "disabled" }),
      () => asSeller("DELETE", path),
    ];
    for (const change of changes) {
      await change();
      expect(await pay(link, answered, "/a")).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
    }
    expect(await pay(link, failed, "/a")).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
    expect(await pay(link, proofFor(link), "/a")).toMatchObject({ status: 404, body: { code: "LINK_NOT_FOUND" } });
    expect(await settledFrom(link)).toBe(2);
  });

  test("to a higher or lower price gets no payment of the old one", async () => {
    const link = await sells({ paths: [{ path: "/a", amount: "20000" }] });
    const old = proofFor(link, 20_000n);
    for (const amount of ["30000", "10000"]) {
      await asSeller("PATCH", `/api/payment-links/${link.linkId}`, {
        upstream: { url, paths: [{ path: "/a", amount }] },
      });
      expect(await pay(link, old, "/a")).toMatchObject({ status: 402, body: { code: "PAYMENT_INSUFFICIENT" } });
    }
    expect((await pay(link, proofFor(link, 10_000n), "/a")).status).toBe(200);
    expect(await settledFrom(link)).toBe(1);
  });

  test("while a request is under way lets that request end", async () => {
    const link = await sells();
    let release = () => {};
    answering = (res) => {
      release = () => json(res, res.req);
    };
    const proof = proofFor(link);
    const underway = pay(link, proof);
    await until(async () => asked.length === 1, "the request");
    await asSeller("PATCH", `/api/payment-links/${link.linkId}`, { upstream: null, resourceContent: "a report" });
    release();
    expect((await underway).status).toBe(200);
    expect((await pay(link, proof)).status).toBe(200);
    expect(await request("GET", pathOf(link))).toMatchObject({ status: 404 });
  });

  test("to content after a failure owes the buyer the API as it was, for the hour", async () => {
    const link = await sells();
    const proofs = [proofFor(link), proofFor(link)] as const;
    const path = `/api/payment-links/${link.linkId}`;
    answering = (res) => void res.writeHead(500).end();
    for (const proof of proofs) await pay(link, proof);
    await asSeller("PATCH", path, { upstream: { url: NOBODY, headers: {} } });
    await asSeller("PATCH", path, { upstream: { url, headers: { authorization: SECRET } } });
    await asSeller("PATCH", path, { upstream: null, resourceContent: "a report" });
    answering = json;
    await forgetOld(service.opened.system);
    expect(await pay(link, proofs[0])).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
    expect(asked.at(-1)?.headers.authorization).toBe(SECRET);
    await service.opened.sql`update ended_upstreams set ended_at = ended_at - interval '121 minutes'`;
    await forgetOld(service.opened.system);
    const gone = await pay(link, proofs[1]);
    expect(gone).toMatchObject({ status: 503, body: { reason: "gone", retry: "never_again" } });
    expect(gone.body.message).toContain("ask the seller for a refund");
    expect((await pay(link, proofs[0])).status).toBe(200);
  });

  test("and deletes the agent takes nothing back", async () => {
    const other = await linkedPair();
    const json = { amount: PRICE.toString(), upstream: { url } };
    const created = await call("POST", "/api/payment-links", { bearer: other.agent.jwt, json });
    const link: Json = (created.body as Json).paymentLink;
    const [answered, failed] = [proofFor(link), proofFor(link)];
    await pay(link, answered);
    answering = (res) => void res.writeHead(500).end();
    await pay(link, failed);
    const deleted = await call("DELETE", `/api/agents/${other.agent.agentId}`, { session: other.owner.session });
    expect(deleted.status).toBe(200);
    answering = (res) => void res.end("again");
    expect(await pay(link, answered)).toMatchObject({ status: 200, text: '{"price":"3120.50"}' });
    expect(await pay(link, failed)).toMatchObject({ status: 200, text: "again" });
    expect(await pay(link, proofFor(link))).toMatchObject({ status: 404, body: { code: "LINK_NOT_FOUND" } });
    expect(await settledFrom(link)).toBe(2);
  });
});

describe("the seller's secrets", () => {
  test("are sealed, shown to nobody, and kept for their origin only", async () => {
    const link = await sells();
    const path = `/api/payment-links/${link.linkId}`;
    const read = await asSeller("GET", path);
    const list = await asSeller("GET", "/api/payment-links");
    const changed = await asSeller("PATCH", path, { upstream: { url: `${url}/two`, secondsMax: 5 } });
    for (const { text } of [read, list, changed]) expect(text).not.toContain("sk_");
    expect((changed.body as Json).paymentLink.upstream).toMatchObject({
      headerNames: ["authorization"],
      secondsMax: 5,
    });
    const [row] = await service.opened.sql`select sealed_upstream_headers, upstream::text from payment_links
      where link_id = ${link.linkId}`;
    expect(JSON.stringify(row)).not.toContain("sk_");
    const events = await service.opened.sql`select meta::text from events where subject = ${link.linkId}`;
    expect(JSON.stringify(events)).not.toMatch(/sk_|ealedUpstream/);
    await pay(link, proofFor(link));
    expect(asked).toMatchObject([{ path: "/v1/two/quotes/ETH", headers: { authorization: SECRET } }]);
    const moved = await asSeller("PATCH", path, { upstream: { url: "https://api.example.com" } });
    expect((moved.body as Json).paymentLink.upstream.headerNames).toEqual([]);
    const marked = await asSeller("PATCH", path, { upstream: { url: "https://api.example.com/v1?" } });
    expect((marked.body as Json).paymentLink.upstream.url).toBe("https://api.example.com/v1");
  });

  test.each([
    [{ url: "not a url" }, "UPSTREAM_URL_INVALID", "url_invalid"],
    [{ url: "https://a:b@api.example.com" }, "UPSTREAM_URL_INVALID", "url_has_credentials"],
    [{ url: "http://api.example.com" }, "UPSTREAM_URL_INVALID", "url_not_https"],
    [{ url: "https://10.0.0.1" }, "UPSTREAM_URL_INVALID", "url_not_public"],
    [{ url: "https://api.example.com:8443" }, "UPSTREAM_URL_INVALID", "url_has_port"],
    [{ url: "https://api.example.com?key=1" }, "UPSTREAM_URL_INVALID", "url_has_query"],
    [{ url: `${BASE_URL}/api` }, "UPSTREAM_URL_INVALID", "url_is_ours"],
    [{ headers: { host: "a.example" } }, "INVALID_REQUEST", undefined],
    [{ headers: { "transfer-encoding": "chunked" } }, "INVALID_REQUEST", undefined],
    [{ headers: { "x-key": "a\r\nb: c" } }, "INVALID_REQUEST", undefined],
    [{ headers: { "x-key": "a".repeat(2_001), "x-other": "b".repeat(2_000) } }, "INVALID_REQUEST", undefined],
    [{ paths: [{ path: "/a/../b" }] }, "INVALID_REQUEST", undefined],
    [{ paths: [{ path: "/{a}/{b}" }] }, "INVALID_REQUEST", undefined],
    [{ paths: [{ path: "/a" }, { path: "/A" }] }, "INVALID_REQUEST", undefined],
    [{ methods: [] }, "INVALID_REQUEST", undefined],
    [{ secondsMax: 1_000 }, "INVALID_REQUEST", undefined],
  ])("and terms are refused: %j", async (fields, code, reason) => {
    const response = await asSeller("POST", "/api/payment-links", { amount: "1", upstream: { url, ...fields } });
    expect([response.status, response.body]).toMatchObject([400, { code, ...(reason && { reason }) }]);
  });

  test("are not for a link that sells something else as well", async () => {
    const content = {
      amount: "1",
      upstream: { url },
      resourceContent: "a report",
      fields: [{ name: "mail", label: "Mail" }],
    };
    const response = await asSeller("POST", "/api/payment-links", content);
    expect([response.status, response.body]).toMatchObject([
      400,
      { code: "UPSTREAM_WITH_CONTENT", fields: ["resourceContent", "fields"] },
    ]);
    const link = await sells();
    const edited = await asSeller("PATCH", `/api/payment-links/${link.linkId}`, { resourceContent: "a report" });
    expect([edited.status, edited.body]).toMatchObject([400, { code: "UPSTREAM_WITH_CONTENT" }]);
  });
});

describe("a test call", () => {
  const tryIt = ({ linkId }: Json, fields: object) =>
    call("POST", `/api/agents/${seller.agent.agentId}/payment-links/${linkId}/test-call`, {
      session: seller.owner.session,
      json: fields,
    });

  test("shows the owner what a buyer would get, without a payment", async () => {
    const link = await sells({ paths: [{ path: "/quotes/{symbol}" }] });
    const got = await tryIt(link, { method: "POST", path: "/quotes/ETH?in=EUR", body: "[1]" });
    expect([got.status, got.body]).toMatchObject([
      200,
      { call: { status: 200, failure: null, contentType: "application/json", body: '{"price":"3120.50"}' } },
    ]);
    expect(asked).toMatchObject([
      { method: "POST", path: "/v1/quotes/ETH?in=EUR", body: "[1]", headers: { authorization: SECRET } },
    ]);
    expect(asked[0]?.headers["tessera-payment"]).toBeUndefined();
    answering = (res, { headers }) => void res.end(JSON.stringify(headers));
    expect((await tryIt(link, { path: "/quotes/ETH" })).body).toMatchObject({
      call: { failure: "secret", body: null },
    });
    expect(await tryIt(link, { path: "/x" })).toMatchObject({
      status: 404,
      body: { code: "PATH_NOT_OFFERED".toLowerCase() },
    });
    expect(await tryIt(link, { path: "//[" })).toMatchObject({ status: 404, body: { code: "path_not_offered" } });
    expect(await tryIt(link, { method: "PATCH", path: "/quotes/ETH" })).toMatchObject({
      status: 404,
      body: { code: "method_not_offered" },
    });
    expect((await callsOf(link)).figures).toMatchObject({ requests: 0, income: "0" });
    const other = (await asSeller("POST", "/api/payment-links", { amount: "1" })).body as Json;
    expect(await tryIt(other.paymentLink, {})).toMatchObject({ status: 404, body: { code: "link_not_found" } });
  });

  test("shows a streamed answer whole", async () => {
    const link = await sells();
    answering = (res) => void res.writeHead(200, { "content-type": "text/event-stream" }).end("data: 1\n\n");
    expect((await tryIt(link, { path: "/quotes/ETH" })).body).toMatchObject({
      call: { status: 200, failure: null, body: "data: 1\n\n" },
    });
    answering = (res) =>
      void res.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${SECRET.slice(7)}\n\n`);
    expect((await tryIt(link, { path: "/quotes/ETH" })).body).toMatchObject({
      call: { failure: "secret", body: null },
    });
  });

  test("is for the link's own owner", async () => {
    const link = await sells();
    const { owner } = await linkedPair();
    const path = `/api/agents/${seller.agent.agentId}/payment-links/${link.linkId}/test-call`;
    const stranger = await call("POST", path, { session: owner.session, json: {} });
    expect([stranger.status, stranger.body]).toMatchObject([404, { code: "agent_not_found" }]);
    const other = await call("GET", `/api/payment-links/${link.linkId}/calls`, {
      bearer: (await linkedPair()).agent.jwt,
    });
    expect([other.status, other.body]).toMatchObject([404, { code: "LINK_NOT_FOUND" }]);
    expect(asked).toEqual([]);
  });
});
