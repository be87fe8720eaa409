import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Endpoint, endpoint, reply, type Surface } from "@/lib/core/endpoint";
import { failures } from "@/lib/core/errors";
import { DEFAULT_LIMITS } from "@/lib/core/limits";
import { amount, toUsdc } from "@/lib/core/money";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Ctx, System } from "@/lib/platform/context";
import { edgeErrors } from "./errors";
import { createRoute } from "./route";

const testErrors = failures({
  not_there: ["not_found", "There is no such thing"],
  wait: ["limited", "Too many"],
  wire_string: ["unauthenticated", "wire_string"],
});

const BASE_URL = "https://wallet.test";

type Line = { level: "info" | "error"; fields: Record<string, unknown>; text: string };

/** The edge with a captured log, without a database and a chain. */
function edge(authenticate: () => Promise<Ctx["actor"]> = async () => ({ type: "anonymous" })) {
  const lines: Line[] = [];
  const keep = (level: Line["level"]) => (fields: Record<string, unknown>, text: string) =>
    void lines.push({ level, fields, text });
  const system = {
    log: { info: keep("info"), error: keep("error"), warn: () => undefined },
    config: { baseUrl: BASE_URL, limits: DEFAULT_LIMITS },
    // The limit per address then counts in memory.
    db: { $client: { query: () => Promise.reject(new Error("no database here")) } },
  } as unknown as System;
  return {
    lines,
    route: createRoute({
      system: () => system,
      authenticate,
      logIn: () => Promise.reject(new Error("no agent here")),
      track: (work) => work,
      isPaying: async () => false,
    }),
  };
}

const thingView = z.object({ amount });

const thing = (surface: Surface, change: Partial<Endpoint> = {}) =>
  endpoint({
    method: "POST",
    path: "/things/{thingId}",
    summary: "",
    description: "",
    auth: "none",
    surface,
    params: z.object({ thingId: z.string().min(2) }),
    query: z.object({ limit: z.string().optional() }),
    body: z.object({ amount }),
    response: thingView,
    errors: testErrors.table,
    ...change,
  });

const post = (body: string, query = "") =>
  new Request(`http://localhost/things/ab${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
const segments = (thingId = "ab") => ({ params: Promise.resolve({ thingId }) });
const good = '{"amount":"5"}';

async function callRoute(surface: Surface, handle: () => Promise<unknown>, req = post(good)) {
  const { route, lines } = edge();
  const handler = route(thing(surface), handle as () => Promise<Response>);
  const res = await handler(req, segments());
  return { res, lines, body: await res.json() };
}

describe("a successful request", () => {
  test("is decoded before the handler and encoded after it", async () => {
    const { route } = edge();
    const handler = route(thing("wallet"), async (_, { params, query, body }) => {
      expect({ params, query, body }).toEqual({
        params: { thingId: "ab" },
        query: { limit: "3" },
        body: { amount: 5n },
      });
      return { amount: toUsdc(body ? 7n : 0n), secret: "not in the schema" };
    });
    const res = await handler(post(good, "?limit=3&unknown=1"), segments());
    expect([res.status, await res.json()]).toEqual([200, { amount: "7" }]);
    expect(res.headers.get("cache-control")).toBe("no-store");
    expect(res.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  const value = { amount: toUsdc(1n) };

  test("has the only status that its contract declares", async () => {
    const { route } = edge();
    const created = route(thing("wallet", { response: { 201: thingView } }), async () => value);
    expect((await created(post(good), segments())).status).toBe(201);
  });

  test.each([
    [200, { amount: "1" }],
    [202, { amount: "1", isDone: false }],
  ] as const)(
    "has the status that the handler chose among several, and the body encoded for it: %i",
    async (status, expected) => {
      const { route } = edge();
      const several = {
        ...thing("wallet"),
        response: { 200: thingView, 202: thingView.extend({ isDone: z.boolean() }) },
      };
      const handler = route(several, async () => {
        const body = { ...value, isDone: false, secret: "not in the schema" };
        return status === 200 ? reply(200, body) : reply(202, body, { headers: { "Retry-After": "2" } });
      });
      const res = await handler(post(good), segments());
      expect([res.status, await res.json()]).toEqual([status, expected]);
      expect(res.headers.get("retry-after")).toBe(status === 200 ? null : "2");
      expect(res.headers.get("content-type")).toBe("application/json");
    },
  );

  test("encodes a body once that the handler declares to be the same object again, and every other one each time", async () => {
    const { route } = edge();
    let encodings = 0;
    const counted = z.codec(z.string(), z.string(), {
      decode: (text) => text,
      encode: (text) => `${text} ${++encodings}`,
    });
    const shared = { text: "shared" };
    const bodies = [shared, shared, { text: "other" }, shared];
    const handler = route(thing("wallet", { response: z.object({ text: counted }) }), async () =>
      reply(200, bodies.shift(), { isShared: true, headers: { "Retry-After": `${bodies.length}` } }),
    );
    const texts = [];
    for (let count = 4; count > 0; count--) {
      const res = await handler(post(good), segments());
      texts.push([(await res.json()).text, res.headers.get("retry-after")]);
    }
    expect(texts).toEqual([
      ["shared 1", "3"],
      ["shared 1", "2"],
      ["other 2", "1"],
      ["shared 1", "0"],
    ]);
    const unshared = route(thing("wallet", { response: z.object({ text: counted }) }), async () => shared);
    for (const text of ["shared 3", "shared 4"])
      expect(await (await unshared(post(good), segments())).json()).toEqual({ text });
  });

  test.each([
    ["a status that is not declared", reply(203, value)],
    ["no status where several are declared", value],
    ["a Response instead of a body", Response.json({ amount: "1" })],
  ])("becomes a 500 if the handler returns %s", async (_, result) => {
    const { route, lines } = edge();
    const response = { 201: thingView, 202: thingView };
    const handler = route(thing("wallet", { response }), (async () => result) as () => Promise<never>);
    expect((await handler(post(good), segments())).status).toBe(500);
    expect(lines[0]?.fields.err).toBeInstanceOf(Error);
  });

  test("returns the handler's own Response where the contract declares no JSON", async () => {
    const { route } = edge();
    const own = route(
      { ...thing("wallet"), response: { contentType: "text/plain" } },
      async () => new Response("x", { headers: { "content-type": "text/plain", "cache-control": "max-age=9" } }),
    );
    const res = await own(post(good), segments());
    expect([res.status, res.headers.get("cache-control"), await res.text()]).toEqual([200, "max-age=9", "x"]);
  });

  test("can be read by any origin on the resource surface, and by no other origin on the other surfaces", async () => {
    const respond = async () => ({ amount: toUsdc(1n) });
    expect((await callRoute("resource", respond)).res.headers.get("access-control-allow-origin")).toBe("*");
    expect((await callRoute("wallet", respond)).res.headers.get("access-control-allow-origin")).toBeNull();
    expect((await callRoute("identity", respond)).res.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a query string", () => {
  const respond = async () => ({ amount: toUsdc(1n) });

  test("that names a parameter twice is refused, in linear time", async () => {
    for (const count of [2, 300_000]) {
      const { res } = await callRoute("wallet", respond, post(good, `?${"limit=1&".repeat(count)}`));
      expect([count, res.status]).toEqual([count, 400]);
    }
  });

  test.each(["__proto__=1", "__proto__=1&__proto__=2", "constructor=1&toString=2", "a[b]=1", "%=%&&=&?"])(
    "may have unknown parameters, which change nothing: %s",
    async (query) => {
      const { res } = await callRoute("wallet", respond, post(good, `?limit=3&${query}`));
      expect(res.status).toBe(200);
    },
  );
});

describe("an expected error", () => {
  const fail = async () => {
    throw testErrors.not_there({ thingId: "ab" }, new Error("the cause"));
  };

  test("has this body on the wallet surface", async () => {
    const { res, body } = await callRoute("wallet", fail);
    expect([res.status, body]).toEqual([
      404,
      {
        status: "error",
        error: "There is no such thing",
        message: "There is no such thing",
        code: "not_there",
        requestId: res.headers.get("x-request-id"),
        thingId: "ab",
        retry: "fix_request",
        docsUrl: `${BASE_URL}/docs/errors/not_there`,
      },
    ]);
  });

  test("has its code in capitals on the resource surface", async () => {
    expect((await callRoute("resource", fail)).body).toMatchObject({
      code: "NOT_THERE",
      error: "There is no such thing",
    });
  });

  test("is the bare error string on the identity surface", async () => {
    const { body } = await callRoute("identity", async () => {
      throw testErrors.wire_string();
    });
    expect(body).toEqual({ error: "wire_string" });
  });

  test("of the edge is its code on the identity surface", async () => {
    const { res, body } = await callRoute("identity", async () => ({}), post("{"));
    expect([res.status, body]).toEqual([400, { error: "invalid_json" }]);
  });

  test("may have further members, but these never overwrite status, code, request id or the next step", async () => {
    const { res, body } = await callRoute("wallet", async () => {
      throw testErrors.not_there({
        message: "Exactly this",
        status: "ok",
        code: "fine",
        requestId: "x",
        error: "none",
        retry: "new_proof",
        docsUrl: "https://evil.test",
      });
    });
    expect(body).toEqual({
      status: "error",
      error: "Exactly this",
      message: "Exactly this",
      code: "not_there",
      requestId: res.headers.get("x-request-id"),
      retry: "fix_request",
      docsUrl: `${BASE_URL}/docs/errors/not_there`,
    });
  });

  test("that is temporary has a Retry-After header", async () => {
    const limited = async () => {
      throw testErrors.wait({ retryAfterSeconds: 17 });
    };
    expect((await callRoute("wallet", limited)).res.headers.get("retry-after")).toBe("17");
  });
});

describe("an invalid request", () => {
  test.each([
    ["a body that does not fit", post('{"amount":"-5"}'), { code: "invalid_request", field: "amount" }],
    ["a missing member", post("{}"), { code: "invalid_request", field: "amount" }],
    ["a body that is no object", post("[]"), { code: "invalid_request" }],
    ["a body that is no JSON", post("{"), { code: "invalid_json" }],
    ["a member twice", post('{"amount":"5","amount":"6"}'), { code: "invalid_json" }],
    ["a parameter twice", post(good, "?limit=1&limit=2"), { code: "invalid_request", field: "limit" }],
  ])("is a 400 that names the fault in %s", async (_, req, said) => {
    const { res, body } = await callRoute("wallet", async () => ({ amount: toUsdc(1n) }), req);
    expect(res.status).toBe(400);
    expect(body).toMatchObject({ status: "error", ...said });
  });

  test("with an invalid path is a 400", async () => {
    const { route } = edge();
    const res = await route(thing("wallet"), async () => ({ amount: toUsdc(1n) }))(post(good), segments("a"));
    expect([res.status, (await res.json()).field]).toEqual([400, "thingId"]);
  });

  test("without authentication is a 401 instead of a 400, and its body is not read", async () => {
    const { route, lines } = edge(async () => {
      throw edgeErrors.session_required();
    });
    const req = post("{");
    const res = await route(thing("wallet"), async () => ({ amount: toUsdc(1n) }))(req, segments("a"));
    expect([res.status, (await res.json()).code, req.bodyUsed]).toEqual([401, "session_required", false]);
    expect(lines).toHaveLength(1);
  });

  test("above its endpoint's limit of bytes is a 413", async () => {
    const { route } = edge();
    const small = route(thing("wallet", { bodyBytesMax: 10 }), async () => ({ amount: toUsdc(1n) }));
    expect((await small(post(good), segments())).status).toBe(413);
  });

  test("cannot reach a prototype through its query", async () => {
    const { res } = await callRoute(
      "wallet",
      async () => ({ amount: toUsdc(1n) }),
      post(good, "?__proto__=1&constructor=2&toString=3"),
    );
    expect(res.status).toBe(200);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe("a member of the body that the contract does not list", () => {
  const never = async () => {
    throw new Error("the handler must not run");
  };
  const unknown = "amout: is not a field of this request (did you mean `amount`?)";
  const colour = "colour: is not a field of this request";

  test("is refused by its name, with a listed name that is near", async () => {
    const { res, body } = await callRoute("wallet", never, post('{"colour":1,"amount":"5"}'));
    expect([res.status, body]).toMatchObject([400, { code: "invalid_request", field: "colour", message: colour }]);
    const near = await callRoute("resource", never, post('{"amout":"5"}'));
    expect(near.body).toMatchObject({ code: "INVALID_REQUEST", field: "amount" });
    expect(near.body.message).toMatch(/^amount: .+\. amout: is not a field/);
    expect(near.body.message).toContain(unknown);
  });

  test("is named after the texts of the interface on the identity surface", async () => {
    expect((await callRoute("identity", never, post('{"colour":1,"amount":"5"}'))).body).toEqual({ error: colour });
    const { body } = await callRoute("identity", never, post('{"colour":1}'));
    expect(body.error).not.toContain("colour");
  });

  test("is one of at most five in an answer, each cut after a hundred characters", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(60, "x"));
    const members = Object.fromEntries(names.map((name) => [name.repeat(3), 1]));
    const { body } = await callRoute("wallet", never, post(JSON.stringify({ amount: "5", ...members })));
    expect(body.message.match(/is not a field/g)).toHaveLength(5);
    expect(body.message.length).toBeLessThan(800);
  });

  test("is ignored where the contract says why", async () => {
    const { route } = edge();
    const open = thing("wallet", { ignoresUnknown: "clients of other versions send more" });
    const handler = route(open, async (_, { body }) => {
      expect(body).toEqual({ amount: 5n });
      return { amount: toUsdc(1n) };
    });
    expect((await handler(post('{"colour":1,"amount":"5"}'), segments())).status).toBe(200);
  });
});

describe("an unexpected error", () => {
  const secret = "connect postgres://user:hunter2@db/tessera at /srv/app/lib/x.ts";
  test.each<[string, () => Promise<unknown>]>([
    ["an exception", async () => Promise.reject(new Error(secret))],
    ["something thrown that is no error", async () => Promise.reject(secret)],
    ["undefined thrown", async () => Promise.reject(undefined)],
    ["an internal parsing error", async () => z.string().parse({ secret })],
    ["an answer that does not fit its schema", async () => ({ amount: -5n, note: secret })],
    ["no answer at all", async () => undefined],
  ])("(%s) is a 500 with the request id and the next step", async (_, handle) => {
    for (const surface of ["wallet", "resource"] as const) {
      const { res, body, lines } = await callRoute(surface, handle);
      expect([res.status, body]).toEqual([
        500,
        {
          status: "error",
          error: edgeErrors.table.internal_error[1],
          message: edgeErrors.table.internal_error[1],
          code: surface === "wallet" ? "internal_error" : "INTERNAL_ERROR",
          requestId: res.headers.get("x-request-id"),
          retry: "same_request",
          docsUrl: `${BASE_URL}/docs/errors/internal_error`,
        },
      ]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ level: "error", fields: { status: 500, code: "internal_error" } });
    }
    const identity = await callRoute("identity", handle);
    expect([identity.res.status, identity.body]).toEqual([500, { error: "internal_error" }]);
  });

  test("has its cause in the log", async () => {
    const { lines } = await callRoute("wallet", async () => Promise.reject(new Error(secret)));
    expect(lines[0]?.fields.err).toMatchObject({ message: secret });
  });

  test.each<[string, Error]>([
    ["a chain that does not answer", new ChainUnavailable("the node did not answer")],
    [
      "a database that is down",
      new Error("query", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }),
    ],
    ["a database that shuts down", Object.assign(new Error("terminating"), { code: "57P01" })],
    ["a pooler without a server", Object.assign(new Error("query_wait_timeout"), { code: "08P01" })],
  ])("(%s) is a 503 with a Retry-After header", async (_, error) => {
    const { res, body } = await callRoute("wallet", async () => Promise.reject(error));
    expect([res.status, body.code, res.headers.get("retry-after")]).toEqual([503, "unavailable", "2"]);
  });
});

describe("the access log", () => {
  test("has exactly one line per request, with the caller, the endpoint and the outcome", async () => {
    const agentId = "550e8400-e29b-41d4-a716-446655440000";
    const { route, lines } = edge(async () => ({ type: "agent", agentId, ownerId: null }) as Ctx["actor"]);
    const handler = route(thing("wallet"), async () => ({ amount: toUsdc(1n) }));
    const ok = await handler(post(good), segments());
    const bad = await handler(post("{"), segments());
    const expected = (res: Response, more: object) => ({
      requestId: res.headers.get("x-request-id"),
      method: "POST",
      path: "/things/{thingId}",
      agentId,
      status: res.status,
      ms: expect.any(Number),
      ...more,
    });
    expect(lines).toEqual([
      { level: "info", text: "request", fields: expected(ok, {}) },
      { level: "info", text: "request", fields: expected(bad, { code: "invalid_json" }) },
    ]);
  });

  test("gives every request a separate id", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await callRoute("wallet", async () => ({}))).res.headers.get("x-request-id"),
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });
});
