import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BASE_URL, json, jwt, scripted, soon } from "../testing/script.ts";
import { PaymentError, Tessera, TesseraError } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const STATUS = "/api/agent/self/status";
const PAYOUTS = "/api/payouts";
const open = (fetch: typeof globalThis.fetch) =>
  new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch });
const ok = () => json(200, { status: "ok" });
const network = () => new TypeError("fetch failed");
const caught = (promise: Promise<unknown>): Promise<TesseraError> =>
  promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );

describe("the client's login", () => {
  test("is made once for simultaneous calls, and sent as a bearer token", async () => {
    const { fetch, of, sent } = scripted({ [STATUS]: ok });
    const tessera = open(fetch);
    await Promise.all([tessera.status(), tessera.status(), tessera.status()]);
    expect([of("/refresh").length, of(STATUS).length]).toEqual([1, 3]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ agent_id: "a", token: "secret" });
    expect(new Set(of(STATUS).map(({ headers }) => headers.get("authorization"))).size).toBe(1);
  });

  test("is renewed a minute before it expires, by this machine's own clock", async () => {
    const { fetch, of } = scripted({ [STATUS]: ok });
    const tessera = open(fetch);
    await tessera.status();
    vi.setSystemTime(Date.now() + 839_000);
    await tessera.status();
    expect(of("/refresh")).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2000);
    await tessera.status();
    expect(of("/refresh")).toHaveLength(2);
  });

  test("is renewed once after a 401, for all calls that were refused", async () => {
    const [old, young] = [jwt(), jwt()];
    const { fetch, of } = scripted({
      "/refresh": (_, index) => json(200, { jwt: index === 0 ? old : young }),
      [STATUS]: ({ headers }) =>
        headers.get("authorization") === `Bearer ${young}` ? ok() : json(401, { code: "token_expired" }),
    });
    const tessera = open(fetch);
    await Promise.all([tessera.status(), tessera.status()]);
    await tessera.status();
    expect(of("/refresh")).toHaveLength(2);
  });

  test("is sent with any request through fetch, which returns the response unchanged", async () => {
    const { fetch, of } = scripted({ "/new": (_, index) => json(index === 0 ? 401 : 418, { code: "teapot" }) });
    const tessera = open(fetch);
    const init = { method: "POST", headers: { "X-Own": "1" }, body: "{}" };
    const res = await tessera.fetch("/new?a=1", init);
    expect([res.status, await res.json()]).toEqual([418, { code: "teapot" }]);
    const [refusal, last] = of("/new");
    expect(last).toMatchObject({ method: "POST", url: `${BASE_URL}/new?a=1`, body: "{}" });
    expect(last?.headers.get("x-own")).toBe("1");
    expect(last?.headers.get("authorization")).not.toBe(refusal?.headers.get("authorization"));
    expect(() => tessera.fetch("https://evil.example/new")).toThrow("must be one of the service");
    for (const path of ["https://evil.example/new", "//evil.example/new", "/\\\\evil.example/new"])
      await expect(tessera.request("GET", path)).rejects.toThrow("must be one of the service");
    expect(of("/new")).toHaveLength(2);
  });

  test("that is refused again is an error, without a third attempt", async () => {
    const { fetch, of } = scripted({
      [STATUS]: () => json(401, { code: "invalid_token", message: "No", requestId: "r1" }),
    });
    expect(await caught(open(fetch).status())).toMatchObject({ code: "invalid_token", status: 401, requestId: "r1" });
    expect([of("/refresh").length, of(STATUS).length]).toEqual([2, 2]);
  });

  test("with a wrong token is an error of the caller", async () => {
    const { fetch } = scripted({ "/refresh": () => json(401, { error: "invalid_token" }) });
    expect(await caught(open(fetch).status())).toMatchObject({ code: "invalid_token", status: 401 });
  });

  test.each(["http://wallet.example", "ftp://wallet.example"])("is not sent to %s", (baseUrl) => {
    expect(() => new Tessera({ baseUrl, agentId: "a", token: "t" })).toThrow(/https/);
  });
});

describe("a request of the client", () => {
  test.each([
    ["a network error", network],
    ["503", () => json(503, { code: "unavailable" })],
    ["429 with Retry-After", () => json(429, { code: "rate_limited" }, { "Retry-After": "3" })],
    ["409 while the first one runs", () => json(409, { code: "idempotency_in_progress" })],
  ])("is sent again after %s, with the same idempotency key and body", async (_, first) => {
    const { fetch, of } = scripted({ [PAYOUTS]: (__, index) => (index < 2 ? first() : json(201, { payoutId: "p" })) });
    const body = { toAddress: "0x1", amount: "5" };
    expect(await soon(open(fetch).payouts.create(body))).toMatchObject({ payoutId: "p" });
    const keys = of(PAYOUTS).map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(of(PAYOUTS).map((each) => JSON.parse(each.body))).toEqual([body, body, body]);
  });

  test("waits as long as Retry-After says", async () => {
    const { fetch } = scripted({
      [STATUS]: (_, index) => (index === 0 ? json(429, {}, { "Retry-After": "7" }) : ok()),
    });
    const startTime = Date.now();
    await soon(open(fetch).status());
    expect(Date.now() - startTime).toBeGreaterThanOrEqual(7000);
  });

  test("gives up after four attempts", async () => {
    const { fetch, of } = scripted({ [PAYOUTS]: network });
    const error = await caught(soon(open(fetch).payouts.create({ toAddress: "0x1", amount: "5" })));
    expect([error.code, error.status, of(PAYOUTS).length]).toEqual(["network_error", 0, 4]);
  });

  test.each([
    ["429 without Retry-After", 429, {}],
    ["429 with a wait of an hour", 429, { "Retry-After": "3600" }],
    ["400", 400, {}],
    ["500", 500, {}],
  ])("is not sent again after %s", async (_, status, headers) => {
    const { fetch, of } = scripted({ [STATUS]: () => json(status, { code: "c" }, headers) });
    expect((await caught(open(fetch).status())).status).toBe(status);
    expect(of(STATUS)).toHaveLength(1);
  });

  test("keeps the caller's idempotency key; two calls without one have different keys", async () => {
    const { fetch, of } = scripted({ [PAYOUTS]: () => json(201, {}) });
    const tessera = open(fetch);
    const body = { toAddress: "0x1", amount: "5" };
    await tessera.payouts.create(body, { idempotencyKey: "mine" });
    await tessera.payouts.create(body);
    await tessera.payouts.create(body);
    const keys = of(PAYOUTS).map(({ headers }) => headers.get("idempotency-key"));
    expect([keys[0], new Set(keys).size]).toEqual(["mine", 3]);
  });

  test("ends with the signal's reason, also while it waits", async () => {
    const { fetch, of } = scripted({ [STATUS]: () => json(503, {}, { "Retry-After": "30" }) });
    const abort = new AbortController();
    const call = open(fetch).status({}, { signal: abort.signal });
    const reason = new Error("enough");
    setTimeout(() => abort.abort(reason), 2000);
    expect(await caught(soon(call))).toBe(reason);
    expect(of(STATUS)).toHaveLength(1);
  });

  test("for a registration or a deletion is sent once", async () => {
    const { fetch, of } = scripted({ "/register": network, "/api/payment-links/l": network });
    expect((await caught(Tessera.register({ baseUrl: BASE_URL, name: "A", fetch }))).code).toBe("network_error");
    expect((await caught(open(fetch).links.delete("l"))).code).toBe("network_error");
    expect([of("/register").length, of("/api/payment-links/l").length]).toEqual([1, 1]);
  });

  test("has ids encoded in its path, and follows no redirect", async () => {
    const fetch = vi.fn(async (_: unknown, init?: RequestInit) => {
      expect(init?.redirect ?? "error").toBe("error");
      return json(200, { jwt: jwt(), mandate: {} });
    });
    await open(fetch as never).mandates.get("../x?y");
    expect(fetch.mock.calls.at(-1)?.[0]).toBe(`${BASE_URL}/api/mandates/agent/..%2Fx%3Fy`);
  });
});

test("a registered agent needs no second login, and can rotate its token", async () => {
  const { fetch, of } = scripted({
    "/register": () => json(200, { agent_id: "b", token: "t1", jwt: jwt() }),
    "/token/rotate": () => json(200, { token: "t2", jwt: jwt(), old_token_expires_at: null }),
    [STATUS]: ok,
  });
  const tessera = await Tessera.register({ baseUrl: BASE_URL, name: "A", fetch });
  await tessera.status();
  await tessera.rotateToken({ revokeOld: true });
  await tessera.status();
  expect([tessera.agentId, tessera.token, of("/refresh").length]).toEqual(["b", "t2", 0]);
});

test("a list loads page after page, and only as far as it is read", async () => {
  const { fetch, sent } = scripted({
    "/api/payments": ({ url }) => {
      const index = Number(new URL(url).searchParams.get("cursor") ?? 0);
      return json(200, {
        payments: [{ n: index }, { n: index + 1 }],
        nextCursor: index < 4 ? String(index + 2) : null,
      });
    },
  });
  const tessera = open(fetch);
  const all: unknown[] = [];
  for await (const payment of tessera.payments.list({ limit: 2 })) all.push(payment);
  expect(all).toEqual([0, 1, 2, 3, 4, 5].map((n) => ({ n })));
  const before = sent.length;
  for await (const _ of tessera.payments.list()) break;
  expect(sent.length - before).toBe(1);
  expect(await tessera.payments.list().page("4")).toMatchObject({ nextCursor: null });
  expect(sent[1]?.url).toBe(`${BASE_URL}/api/payments?limit=2`);
});

test("errors of the client are recognised by a brand, with their members", async () => {
  const body = {
    code: "x",
    message: "m",
    requestId: "r",
    docsUrl: "https://d",
    stillValidUntil: "2030-01-01T00:00:00Z",
  };
  const { fetch } = scripted({ [STATUS]: () => json(409, body) });
  const error = await caught(open(fetch).status());
  expect(error).toMatchObject({ ...body, status: 409, name: "TesseraError", details: body });
  const other = Object.assign(new Error("m"), { [Symbol.for("@tessera/client.error")]: "payment" });
  expect([
    TesseraError.is(error),
    PaymentError.is(error),
    PaymentError.is(other),
    TesseraError.is(new Error("m")),
  ]).toEqual([true, false, true, false]);
});
