import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import type { Json } from "../support/mandates";
import { type Receiver, startReceiver, verified } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";

const service = runService();
let receiver: Receiver;
let owner: TestOwner;

// Each test uses a new owner, who can have at most ten webhooks.
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());

/** Signed by the owner where the service requires it. */
const send = (method: string, path: string, json?: object, by: TestOwner = owner) =>
  (method === "POST" || method === "PATCH") && json
    ? confirmedCall(by, `/api/webhooks${path}`, json, undefined, method)
    : call(method, `/api/webhooks${path}`, { session: by.session, ...(json && { json }) });

async function added(json: object = {}): Promise<Json> {
  const { status, body } = await send("POST", "", { url: receiver.url, ...json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { ...(body as Json).webhook, secret: (body as Json).secret };
}

async function deliveriesOf(webhookId: string, query = ""): Promise<Json[]> {
  const { status, body } = await send("GET", `/${webhookId}/deliveries${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as Json).deliveries;
}

/** Requests a test event and waits for its end. */
async function tested(webhookId: string): Promise<Json> {
  await service.opened.sql`update webhooks set verified_at = now() where id = ${webhookId}`;
  const { status, body } = await send("POST", `/${webhookId}/test`);
  expect({ status, body }).toMatchObject({ status: 202 });
  const { deliveryId } = (body as Json).delivery;
  const find = async () => (await deliveriesOf(webhookId)).find((delivery) => delivery.deliveryId === deliveryId);
  await until(async () => ["delivered", "failed"].includes((await find())?.state), "the test event");
  return find();
}

describe("a webhook", () => {
  beforeAll(async () => {
    owner = await newOwner();
  });

  test("is added with a secret that no later response contains and that is stored encrypted", async () => {
    const { secret, ...webhook } = await added({ description: "Orders", eventTypes: ["payment.settled"] });
    expect(webhook).toEqual({
      webhookId: expect.stringMatching(/^whk_/),
      url: receiver.url,
      description: "Orders",
      eventTypes: ["payment.settled"],
      enabled: true,
      disabledBy: null,
      oldSecretUntil: null,
      verifiedAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const others = [await send("GET", `/${webhook.webhookId}`), await send("GET", "")];
    expect(others.map(({ body }) => (body as Json).webhook ?? (body as Json).webhooks[0])).toEqual([webhook, webhook]);
    expect(others.map(({ text }) => text).join()).not.toContain("whsec_");
    const rows = await service.opened.sql`select * from webhook_secrets where webhook_id = ${webhook.webhookId}`;
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    expect(service.opened.system.vault.open(rows[0]?.sealed_key, rows[0]?.id)).toBe(secret);
  });

  test("has all types by default, and the list contains the available types", async () => {
    expect((await added()).eventTypes).toBeNull();
    const { eventTypes } = (await send("GET", "")).body as Json;
    expect(eventTypes).toContain("payment.settled");
    expect(eventTypes).not.toContain("webhook.test");
  });

  test("is changed only in the named fields", async () => {
    const { secret: _, ...before } = await added({ description: "Orders" });
    const change = { description: "", eventTypes: ["mandate.signed", "vc.issued"] };
    const { status, body } = await send("PATCH", `/${before.webhookId}`, change);
    expect({ status, webhook: (body as Json).webhook }).toEqual({
      status: 200,
      webhook: { ...before, ...change, updatedAt: expect.any(String) },
    });
    const all = await send("PATCH", `/${before.webhookId}`, { eventTypes: null, enabled: false });
    expect((all.body as Json).webhook).toMatchObject({ eventTypes: null, enabled: false, disabledBy: null });
  });

  test("is deleted with its log", async () => {
    const { webhookId } = await added();
    await tested(webhookId);
    expect((await send("DELETE", `/${webhookId}`)).body).toEqual({ status: "ok", webhookId });
    expect(await send("GET", `/${webhookId}`)).toMatchObject({ status: 404, body: { code: "webhook_not_found" } });
    const left = await service.opened.sql`
      select id from webhook_deliveries where webhook_id = ${webhookId}
      union all select id from webhook_secrets where webhook_id = ${webhookId}`;
    expect(left).toHaveLength(0);
  });
});

describe("requests about webhooks are rejected:", () => {
  beforeAll(async () => {
    owner = await newOwner();
  });

  const FAULTS: [string, object, string][] = [
    ["no URL", {}, "invalid_request"],
    ["a URL that is not a string", { url: 5 }, "invalid_request"],
    ["an empty URL", { url: "" }, "invalid_request"],
    ["a URL of 2001 characters", { url: `https://example.com/${"a".repeat(1981)}` }, "invalid_request"],
    ["no absolute URL", { url: "/hooks" }, "url_invalid"],
    ["a URL with a password", { url: "https://me:secret@example.com/" }, "url_has_credentials"],
    ["a URL without TLS", { url: "http://example.com/" }, "url_not_https"],
    ["a private address", { url: "https://192.168.0.10/" }, "url_not_public"],
    ["a private address in other words", { url: "https://0xc0a8000a/" }, "url_not_public"],
    ["the metadata of a cloud", { url: "https://169.254.169.254/latest/meta-data" }, "url_not_public"],
    ["a name without a dot", { url: "https://redis/" }, "url_not_public"],
    ["a type that there is not", { url: "https://example.com/", eventTypes: ["payment.lost"] }, "invalid_request"],
    ["the type of tests", { url: "https://example.com/", eventTypes: ["webhook.test"] }, "invalid_request"],
    ["no types at all", { url: "https://example.com/", eventTypes: [] }, "invalid_request"],
    ["a type twice", { url: "https://example.com/", eventTypes: ["vc.issued", "vc.issued"] }, "invalid_request"],
    ["types that are not a list", { url: "https://example.com/", eventTypes: "vc.issued" }, "invalid_request"],
    [
      "a description of 201 characters",
      { url: "https://example.com/", description: "d".repeat(201) },
      "invalid_request",
    ],
    ["a description with a NUL", { url: "https://example.com/", description: "a\0b" }, "invalid_request"],
  ];

  test.each(FAULTS)("%s", async (_, json, code) => {
    expect(await send("POST", "", json)).toMatchObject({ status: 400, body: { status: "error", code } });
    expect(((await send("GET", "")).body as Json).webhooks).toEqual([]);
  });

  test("the same in a change, which then changes nothing; and an empty change", async () => {
    const { secret: _, ...webhook } = await added();
    const changes = [
      ...FAULTS.slice(1).map(([, json, code]) => [json, code] as const),
      [{}, "invalid_request"] as const,
    ];
    for (const [json, code] of [...changes, [{ enabled: "yes" }, "invalid_request"] as const]) {
      const response = await send("PATCH", `/${webhook.webhookId}`, { description: "changed", ...json });
      if (Object.keys(json).length > 0) expect(response).toMatchObject({ status: 400, body: { code } });
    }
    expect(await send("PATCH", `/${webhook.webhookId}`, {})).toMatchObject({ status: 400 });
    expect(((await send("GET", `/${webhook.webhookId}`)).body as Json).webhook).toMatchObject({ url: webhook.url });
  });

  test("an eleventh webhook, also with simultaneous requests", async () => {
    owner = await newOwner();
    // The first one takes a signature, and makes the host known.
    await added();
    const responses = await Promise.all(Array.from({ length: 13 }, () => send("POST", "", { url: receiver.url })));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(201), ...Array(4).fill(409)]);
    expect(((await send("GET", "")).body as Json).webhooks).toHaveLength(10);
    expect(await send("POST", "", { url: receiver.url })).toMatchObject({
      status: 409,
      body: { code: "too_many_webhooks" },
    });
  });

  test("anything about another owner's webhook, as if it did not exist", async () => {
    owner = await newOwner();
    const { webhookId } = await added();
    const { deliveryId } = await tested(webhookId);
    const stranger = await newOwner();
    const tries: [string, string, object?][] = [
      ["GET", `/${webhookId}`],
      ["PATCH", `/${webhookId}`, { description: "mine" }],
      ["DELETE", `/${webhookId}`],
      ["POST", `/${webhookId}/rotate`],
      ["POST", `/${webhookId}/test`],
      ["GET", `/${webhookId}/deliveries`],
      ["POST", `/deliveries/${deliveryId}/replay`],
    ];
    for (const [method, path, json] of tries) {
      const [theirs, nobodys] = [path, path.replace(/(whk|dlv)_\w+/, "$1_000000000000000000000000")];
      const responses = await Promise.all([theirs, nobodys].map((each) => send(method, each, json, stranger)));
      const said = responses.map(({ status, body }) => ({ status, code: (body as Json).code }));
      expect(said[0]).toEqual(said[1]);
      expect(said[0]).toMatchObject({ status: 404 });
    }
    expect(((await send("GET", "", undefined, stranger)).body as Json).webhooks).toEqual([]);
    expect(await deliveriesOf(webhookId)).toHaveLength(1);
  });
});

describe("a test event", () => {
  beforeAll(async () => {
    owner = await newOwner();
    receiver.accept();
  });

  test("arrives signed according to Standard Webhooks, and the log has the response", async () => {
    receiver.answer((_, res) => void res.writeHead(200).end("thank you\0 \ud83d"));
    const { webhookId, secret } = await added();
    const delivery = await tested(webhookId);
    const request = receiver.got.find(({ headers }) => headers["webhook-id"] === delivery.eventId);
    if (!request) throw new Error("nothing arrived");
    expect(verified(secret, request)).toEqual({
      type: "webhook.test",
      timestamp: delivery.createdAt,
      data: { webhookId },
    });
    expect(request).toMatchObject({
      method: "POST",
      path: "/hooks",
      body: delivery.body,
      headers: { "content-type": "application/json", "user-agent": "Tessera-Webhooks/1.0" },
    });
    expect(delivery).toMatchObject({
      type: "webhook.test",
      state: "delivered",
      underway: false,
      nextAttemptAt: null,
      attempts: [{ number: 1, status: 200, failure: null, durationMs: expect.any(Number) }],
    });
    expect(delivery.attempts[0].reply).toMatch(/^thank you\ufffd /);
    expect(((await send("GET", `/${webhookId}`)).body as Json).webhook.lastSuccessAt).not.toBeNull();
  });

  test("is attempted once", async () => {
    receiver.answerStatus(500);
    const { webhookId } = await added();
    const failed = await tested(webhookId);
    expect(failed).toMatchObject({ state: "failed", nextAttemptAt: null });
    expect(failed.attempts).toMatchObject([{ status: 500, failure: "status", reply: "status 500" }]);
    receiver.accept();
  });

  test("is sent to a disabled webhook too", async () => {
    const { webhookId } = await added();
    await send("PATCH", `/${webhookId}`, { enabled: false });
    expect(await tested(webhookId)).toMatchObject({ state: "delivered" });
  });
});

describe("a webhook's receiver", () => {
  beforeAll(async () => {
    owner = await newOwner();
    receiver.accept();
  });

  const challengeIn = ({ body }: { body: string }) => JSON.parse(body).data.challenge as string;
  /** Requests a verification and waits for its end. */
  async function challenged(webhookId: string): Promise<Json> {
    const { status, body } = await send("POST", `/${webhookId}/verify`);
    expect({ status, body }).toMatchObject({ status: 202, body: { delivery: { type: "webhook.verification" } } });
    const { deliveryId } = (body as Json).delivery;
    const find = async () => (await deliveriesOf(webhookId)).find((delivery) => delivery.deliveryId === deliveryId);
    await until(async () => ["delivered", "failed"].includes((await find())?.state), "the verification");
    return find();
  }
  const verifiedAt = async (webhookId: string) =>
    ((await send("GET", `/${webhookId}`)).body as Json).webhook.verifiedAt as string | null;

  test("gets no test event before it has returned a challenge", async () => {
    const { webhookId } = await added();
    const before = receiver.got.length;
    const refusal = await send("POST", `/${webhookId}/test`);
    expect([refusal.status, (refusal.body as Json).code]).toEqual([409, "webhook_not_verified"]);
    expect(await deliveriesOf(webhookId)).toEqual([]);
    expect(receiver.got.length).toBe(before);
  });

  test("is verified when it returns a signed challenge, until its URL changes", async () => {
    receiver.answer((request, res) => void res.writeHead(200).end(challengeIn(request)));
    const { webhookId, secret } = await added();
    expect(await challenged(webhookId)).toMatchObject({ state: "delivered", attempts: [{ failure: null }] });
    const got = receiver.got.at(-1);
    if (!got) throw new Error("nothing arrived");
    expect(verified(secret, got)).toMatchObject({
      type: "webhook.verification",
      data: { webhookId, challenge: expect.stringMatching(/^[0-9A-Za-z]{24}$/) },
    });
    expect(await verifiedAt(webhookId)).toEqual(expect.any(String));
    expect((await send("POST", `/${webhookId}/test`)).status).toBe(202);
    expect((await send("PATCH", `/${webhookId}`, { url: receiver.url, description: "same" })).status).toBe(200);
    expect(await verifiedAt(webhookId)).not.toBeNull();
    await send("PATCH", `/${webhookId}`, { url: `${receiver.url}/other` });
    expect(await verifiedAt(webhookId)).toBeNull();
    expect((await send("POST", `/${webhookId}/test`)).status).toBe(409);
  });

  test("may return the challenge in JSON", async () => {
    receiver.answer((request, res) => void res.writeHead(201).end(JSON.stringify({ challenge: challengeIn(request) })));
    const { webhookId } = await added();
    await challenged(webhookId);
    expect(await verifiedAt(webhookId)).not.toBeNull();
  });

  test.each<[string, number, (challenge: string) => string, string]>([
    ["nothing", 204, () => "", "not_echoed"],
    ["a word", 200, () => "ok", "not_echoed"],
    ["the message", 200, (challenge) => JSON.stringify({ data: { challenge } }), "not_echoed"],
    ["a part of it", 200, (challenge) => challenge.slice(1), "not_echoed"],
    ["it in other letters", 200, (challenge) => challenge.toLowerCase(), "not_echoed"],
    ["it, and refuses", 403, (challenge) => challenge, "status"],
    ["it, and redirects", 302, (challenge) => challenge, "redirect"],
  ])("that responds with %s is not verified, and gets one challenge", async (_, status, reply, failure) => {
    receiver.answer(
      (request, res) => void res.writeHead(status, { location: "/x" }).end(reply(`${challengeIn(request)}aA`)),
    );
    const { webhookId } = await added();
    const logged = await challenged(webhookId);
    expect(logged).toMatchObject({ state: "failed", nextAttemptAt: null, attempts: [{ failure }] });
    expect(await verifiedAt(webhookId)).toBeNull();
    await send("DELETE", `/${webhookId}`);
  });

  test("that returns an old challenge is not verified", async () => {
    let old = "";
    receiver.answer((request, res) => {
      res.writeHead(200).end(old || "none yet");
      old ||= challengeIn(request);
    });
    const { webhookId } = await added();
    await challenged(webhookId);
    expect(await challenged(webhookId)).toMatchObject({ attempts: [{ failure: "not_echoed" }] });
    expect(await verifiedAt(webhookId)).toBeNull();
  });

  test("of another owner cannot be sent a challenge", async () => {
    const { webhookId } = await added();
    const stranger = await newOwner();
    for (const path of [`/${webhookId}/verify`, `/${webhookId}/test`])
      expect((await send("POST", path, undefined, stranger)).status).toBe(404);
  });

  test("that takes three seconds is treated as slow until it responds faster", async () => {
    const isSlow = async (webhookId: string) =>
      (await service.opened.sql`select is_slow from webhooks where id = ${webhookId}`)[0]?.is_slow;
    receiver.answer((_, res) => void setTimeout(() => res.writeHead(200).end(), 3100));
    const { webhookId } = await added();
    expect(await tested(webhookId)).toMatchObject({ state: "delivered" });
    expect(await isSlow(webhookId)).toBe(true);
    receiver.accept();
    await tested(webhookId);
    expect(await isSlow(webhookId)).toBe(false);
  });
});

describe("a rotated secret", () => {
  beforeAll(async () => {
    owner = await newOwner();
    receiver.accept();
  });

  test("signs together with the previous one, and the one before that no longer signs", async () => {
    const { webhookId, secret: first } = await added();
    const rotate = async () => (await send("POST", `/${webhookId}/rotate`, {})).body as Json;
    const { secret: second, webhook } = await rotate();
    const hours = (Date.parse(webhook.oldSecretUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);

    const during = await arrived(await tested(webhookId));
    for (const secret of [first, second]) expect(verified(secret, during)).toMatchObject({ type: "webhook.test" });

    const { secret: third } = await rotate();
    expect(new Set([first, second, third]).size).toBe(3);
    const gotAfter = await arrived(await tested(webhookId));
    for (const secret of [second, third]) expect(verified(secret, gotAfter)).toMatchObject({ type: "webhook.test" });
    expect(() => verified(first, gotAfter)).toThrow("no signature is right");
  });

  test("signs alone after a day", async () => {
    const { webhookId, secret: first } = await added();
    const { secret: second } = (await send("POST", `/${webhookId}/rotate`, {})).body as Json;
    await service.opened.sql`
      update webhook_secrets set expires_at = now() where webhook_id = ${webhookId} and expires_at is not null`;
    const request = await arrived(await tested(webhookId));
    expect(verified(second, request)).toMatchObject({ type: "webhook.test" });
    expect(() => verified(first, request)).toThrow("no signature is right");
    expect(((await send("GET", `/${webhookId}`)).body as Json).webhook.oldSecretUntil).toBeNull();
  });

  const arrived = async ({ eventId }: Json) => {
    const request = receiver.got.find(({ headers }) => headers["webhook-id"] === eventId);
    if (!request) throw new Error(`${eventId} did not arrive`);
    return request;
  };
});

describe("a delivery in the log", () => {
  beforeAll(async () => {
    owner = await newOwner();
    receiver.accept();
  });

  test("is replayed with the same bytes under the same id", async () => {
    const { webhookId, secret } = await added();
    const { deliveryId, eventId } = await tested(webhookId);
    const copies = () => receiver.got.filter(({ headers }) => headers["webhook-id"] === eventId);
    const { status, body } = await send("POST", `/deliveries/${deliveryId}/replay`);
    expect({ status, body }).toMatchObject({ status: 202, body: { delivery: { deliveryId, state: "waiting" } } });
    await until(async () => (await deliveriesOf(webhookId))[0]?.attempts[1]?.status === 204, "the replay");
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({
      state: "delivered",
      attempts: [{ number: 1 }, { number: 2 }],
    });
    expect(copies()).toHaveLength(2);
    expect(new Set(copies().map((request) => request.body)).size).toBe(1);
    for (const request of copies()) expect(verified(secret, request)).toMatchObject({ type: "webhook.test" });
  });

  test("is not replayed while its webhook is disabled", async () => {
    const { webhookId } = await added();
    const { deliveryId } = await tested(webhookId);
    await send("PATCH", `/${webhookId}`, { enabled: false });
    const response = await send("POST", `/deliveries/${deliveryId}/replay`);
    expect(response).toMatchObject({ status: 409, body: { code: "webhook_disabled" } });
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({ state: "delivered" });
  });

  test("is not replayed while it is being sent", async () => {
    let answerIt = () => {};
    receiver.answer((_, res) => {
      answerIt = () => void res.writeHead(204).end();
    });
    const { webhookId } = await added();
    await service.opened.sql`update webhooks set verified_at = now() where id = ${webhookId}`;
    const requested = await send("POST", `/${webhookId}/test`);
    const { deliveryId } = (requested.body as Json).delivery;
    await until(async () => (await deliveriesOf(webhookId))[0]?.underway === true, "the send");
    const response = await send("POST", `/deliveries/${deliveryId}/replay`);
    expect(response).toMatchObject({ status: 409, body: { code: "delivery_underway" } });
    answerIt();
    receiver.accept();
    await until(async () => (await deliveriesOf(webhookId))[0]?.state === "delivered", "its end");
  });

  test("is listed newest first, page by page and by state", async () => {
    const { webhookId } = await added();
    for (const status of [204, 500, 204, 500, 204]) {
      receiver.answerStatus(status);
      await tested(webhookId);
    }
    receiver.accept();
    const all = await deliveriesOf(webhookId);
    expect(all.map(({ state }) => state)).toEqual(["delivered", "failed", "delivered", "failed", "delivered"]);
    expect(await deliveriesOf(webhookId, "?state=failed")).toEqual(all.filter(({ state }) => state === "failed"));
    const pages: Json[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const after: string = next && `&after=${next}`;
      const { body } = await send("GET", `/${webhookId}/deliveries?limit=2${after}`);
      pages.push(...(body as Json).deliveries);
      next = (body as Json).next;
    }
    expect(pages).toEqual(all);
  });

  test.each(["?state=lost", "?after=1", "?after=1.evt_0", "?limit=0", "?limit=101", "?limit=x", "?limit=2&limit=3"])(
    "is not listed with the invalid query %s",
    async (query) => {
      const { webhookId } = ((await send("GET", "")).body as Json).webhooks[0];
      expect(await send("GET", `/${webhookId}/deliveries${query}`)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    },
  );
});

test("an owner's test events and replays share one rate limit", async () => {
  await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},webhook_per_owner=2/1h` });
  owner = await newOwner();
  const { webhookId } = await added();
  const { deliveryId } = await tested(webhookId);
  expect((await send("POST", `/deliveries/${deliveryId}/replay`)).status).toBe(202);
  for (const path of [`/${webhookId}/test`, `/deliveries/${deliveryId}/replay`]) {
    const { status, body, headers } = await send("POST", path);
    expect({ status, body }).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d{0,3}$/);
  }
  expect(await deliveriesOf(webhookId)).toHaveLength(1);
});

test("verifications, tests and replays of all owners share one rate limit per host", async () => {
  const fresh = await startReceiver();
  await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},webhook_per_host=3/1h` });
  const statuses = [];
  for (let index = 0; index < 4; index++) {
    owner = await newOwner();
    const { webhookId } = await added({ url: `${fresh.url}/${index}` });
    statuses.push((await send("POST", `/${webhookId}/verify`)).status);
  }
  expect(statuses).toEqual([202, 202, 202, 429]);
  await fresh.close();
});

test("strangers cannot use up the rate limit of an owner whose webhook is verified at the same host", async () => {
  const fresh = await startReceiver();
  await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},webhook_per_host=2/1h` });
  const rightful = await newOwner();
  owner = rightful;
  const { webhookId } = await added({ url: fresh.url });
  await service.opened.sql`update webhooks set verified_at = now() where id = ${webhookId}`;
  const attempts = [];
  for (let index = 0; index < 4; index++) {
    owner = await newOwner();
    const theirs = await added({ url: `${fresh.url}/${index}` });
    attempts.push((await send("POST", `/${theirs.webhookId}/verify`)).status);
  }
  expect(attempts).toEqual([202, 202, 429, 429]);
  // A webhook that is verified at that host has a separate limit.
  const other = await added({ url: `${fresh.url}/own` });
  await service.opened.sql`update webhooks set verified_at = now() where id = ${other.webhookId}`;
  const own = [];
  for (let index = 0; index < 3; index++) own.push((await send("POST", `/${other.webhookId}/test`)).status);
  expect(own).toEqual([202, 202, 429]);

  owner = rightful;
  expect((await send("POST", `/${webhookId}/test`)).status).toBe(202);
  expect((await send("POST", `/${webhookId}/verify`)).status).toBe(202);
  const { status, body, headers } = await send("POST", `/${webhookId}/test`);
  expect({ status, body }).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(headers.get("retry-after")).toMatch(/^[1-9]\d{0,3}$/);
  await fresh.close();
});
