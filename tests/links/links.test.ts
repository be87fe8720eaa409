import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NETWORKS } from "@/lib/x402/networks";
import { newAgent } from "../support/actors";
import { BAD_AMOUNTS, BAD_EDITS, BAD_NEW_LINKS, BAD_REDIRECTS, SHOP } from "../support/bad-links";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOBODYS = "lnk_000000000000000000000000";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let seller: Parties;
let otherParties: Parties;
const payTo = freshAddress();

beforeAll(async () => {
  world = await createWorld();
  process.env.REDIRECT_ORIGINS = `${SHOP}, http://localhost:4000,http://plain.example`;
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  [seller, otherParties] = [await linkedPair(), await linkedPair()];
  await setReceivingAddress(seller, payTo);
});

afterAll(async () => {
  delete process.env.REDIRECT_ORIGINS;
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

type Sender = { jwt: string };
const create = (json: unknown, { jwt }: Sender = seller.agent) =>
  call("POST", "/api/payment-links", { bearer: jwt, json });
const read = (linkId: string, { jwt }: Sender = seller.agent) =>
  call("GET", `/api/payment-links/${linkId}`, { bearer: jwt });
const edit = (linkId: string, json: unknown, { jwt }: Sender = seller.agent) =>
  call("PATCH", `/api/payment-links/${linkId}`, { bearer: jwt, json });
const remove = (linkId: string, { jwt }: Sender = seller.agent) =>
  call("DELETE", `/api/payment-links/${linkId}`, { bearer: jwt });
const list = (query = "", { jwt }: Sender = seller.agent) => call("GET", `/api/payment-links${query}`, { bearer: jwt });

/** Creates a link and returns the response. */
async function createdLink(json: object = {}, sender?: Sender): Promise<Json> {
  const { status, body } = await create({ amount: "1000000", ...json }, sender);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return (body as Json).paymentLink;
}

const linkOf = (change: object = {}) => ({
  id: expect.any(Number),
  linkId: expect.stringMatching(/^lnk_[0-9A-Za-z]{24}$/),
  amount: "1000000",
  currency: "USDC",
  network: "base",
  payTo,
  assetAddress: NETWORKS.base.usdc,
  scheme: "exact",
  description: "",
  reference: null,
  resourceContent: null,
  redirectUrl: null,
  status: "active",
  expiresAt: null,
  maxUses: null,
  useCount: 0,
  isListed: false,
  isRepeatable: false,
  isPayable: true,
  unavailableReason: null,
  url: expect.stringMatching(new RegExp(`^${BASE_URL}/pay/lnk_[0-9A-Za-z]{24}$`)),
  createdAt: expect.stringMatching(ISO),
  updatedAt: expect.stringMatching(ISO),
  ...change,
});

const expectInvalid = (response: Answer, field: string): void =>
  expectRefused(response, 400, "INVALID_REQUEST", { field, reason: expect.any(String) });

const LATER = "2090-01-01T00:00:00.000Z";
const count = async () => (await testSystem.sql`select count(*)::int as n from payment_links`)[0]?.n as number;

describe("POST /api/payment-links", () => {
  test("needs only an amount, and returns the whole link", async () => {
    const response = await create({ amount: "1000000" });
    expect([response.status, response.body]).toEqual([200, { success: true, paymentLink: linkOf() }]);
    const { linkId, url, createdAt, updatedAt } = (response.body as Json).paymentLink;
    expect(url).toBe(`${BASE_URL}/pay/${linkId}`);
    expect(updatedAt).toBe(createdAt);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("refuses members that it does not have, by their names, and creates nothing", async () => {
    const countBefore = await count();
    for (const name of ["linkId", "payTo", "useCount", "status", "agentId", "minAmount", "hello"]) {
      const response = await create({ amount: "250000", [name]: "1" });
      const message = `${name}: is not a field of this request`;
      expect([response.status, response.body]).toMatchObject([400, { code: "INVALID_REQUEST", field: name, message }]);
    }
    const { body } = await create({ amount: "1", maxUse: 1, customAmount: { min: "1", max: "2", stepp: "1" } });
    expect(body).toMatchObject({
      field: "maxUse",
      message:
        "maxUse: is not a field of this request (did you mean `maxUses`?). customAmount.stepp: is not a field of this request",
    });
    expect(await count()).toEqual(countBefore);
  });

  test("stores every member", async () => {
    const fields = {
      amount: "250000",
      currency: "USDC",
      network: "base-sepolia",
      description: "A report",
      reference: "Order 1042 / 7",
      resourceContent: '{"a":1}',
      redirectUrl: `${SHOP}/thanks?order=1`,
      expiresAt: LATER,
      maxUses: 3,
    };
    const response = await create(fields);
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, paymentLink: linkOf({ ...fields, assetAddress: NETWORKS["base-sepolia"].usdc }) },
    ]);
    const { linkId } = (response.body as Json).paymentLink;
    expect((await read(linkId)).body).toEqual(response.body);
    expect((await read(linkId, otherParties.agent)).status).toBe(404);
  });

  test.each(["1", "x".repeat(100), "🌤".repeat(100), "Bestellung Nr. 7 – für Zoë", "'; drop table payment_links; --"])(
    "keeps the reference %j, which the agent reads wherever it reads the link",
    async (reference) => {
      const link = await createdLink({ reference });
      expect(link).toEqual(linkOf({ reference }));
      expect((await read(link.linkId)).body).toEqual({ success: true, paymentLink: link });
      expect(((await list("?limit=1")).body as Json).paymentLinks).toEqual([link]);
      expect(((await edit(link.linkId, { description: "x" })).body as Json).paymentLink).toMatchObject({ reference });
    },
  );

  test("pays to the owner's spending wallet on its network by default", async () => {
    const { body } = await call("GET", "/api/wallet", { session: otherParties.owner.session });
    for (const { network, address } of (body as Json).wallets) {
      expect(await createdLink({ network }, otherParties.agent)).toMatchObject({ network, payTo: address });
    }
  });

  test.each([
    ["base", "base"],
    ["eip155:8453", "base"],
    ["base-sepolia", "base-sepolia"],
    ["eip155:84532", "base-sepolia"],
  ] as const)("accepts the network %s as %s", async (said, network) => {
    expect(await createdLink({ network: said })).toEqual(linkOf({ network, assetAddress: NETWORKS[network].usdc }));
  });

  test.each(["1", (2n ** 256n - 1n).toString()])("accepts %s atomic units", async (amount) => {
    expect(await createdLink({ amount })).toEqual(linkOf({ amount }));
  });

  test.each(BAD_AMOUNTS)("rejects the amount %j", async (amount) => {
    const countBefore = await count();
    expectInvalid(await create({ amount }), "amount");
    expect(await count()).toBe(countBefore);
  });

  test("rejects a link without an amount", async () => expectInvalid(await create({ description: "x" }), "amount"));

  test.each(BAD_NEW_LINKS)("rejects %s with the value %j", async (field, bad) => {
    const countBefore = await count();
    expectInvalid(await create({ amount: "1", [field]: bad }), field);
    expect(await count()).toBe(countBefore);
  });

  test.each([1, 2 ** 31 - 1, null])("accepts the payment limit %j", async (maxUses) => {
    expect(await createdLink({ maxUses })).toEqual(linkOf({ maxUses }));
  });

  test.each([
    [LATER, LATER],
    ["2090-01-01T02:00:00+02:00", LATER],
    ["2089-12-31T19:00:00.0000-05:00", LATER],
    [null, null],
  ])("accepts the expiry %j", async (expiresAt, kept) => {
    expect(await createdLink({ expiresAt })).toEqual(linkOf({ expiresAt: kept }));
  });

  test.each([() => new Date().toISOString(), () => "1970-01-01T00:00:00Z", () => "0001-01-01T00:00:00Z"])(
    "rejects an expiry that is not in the future",
    async (expiresAt) => {
      expectRefused(await create({ amount: "1", expiresAt: expiresAt() }), 400, "EXPIRY_IN_PAST");
    },
  );

  test.each(["description", "resourceContent"])("stores any text as %s, unchanged", async (field) => {
    const hostile = [
      "",
      " \n\t\r\n ",
      "<script>alert(1)</script><img src=x onerror=alert(1)>",
      "\u202egnp.exe\u2066 \u200b\ufeff",
      "👩‍👩‍👧‍👦 ñ ﷽ Z̸̨̛",
      "'; drop table payment_links; --",
      '{"__proto__":{"a":1},"$where":"1"}',
      "%00%0a\\u0000 {{7*7}} {jndi:ldap}",
      "\uffff",
    ];
    // Buyers decide by the description, so it must not contain invisible characters.
    const shown = hostile.filter((text) => field === "resourceContent" || !/[\u200b\u202e\uffff]/.test(text));
    for (const text of shown) {
      const { linkId } = await createdLink({ [field]: text });
      expect((await read(linkId)).body).toEqual({ success: true, paymentLink: linkOf({ [field]: text }) });
    }
  });

  test.each([
    ["description", 1000],
    ["resourceContent", 32_768],
  ])("counts the characters of %s, not their bytes: at most %i", async (field, max) => {
    expect(await createdLink({ [field]: "x".repeat(max) })).toMatchObject({ [field]: "x".repeat(max) });
    expectInvalid(await create({ amount: "1", [field]: "x".repeat(max + 1) }), field);
  });

  test("counts each visible letter of a description as one, even if it has four bytes", async () => {
    expect(await createdLink({ description: "🌤".repeat(1000) })).toMatchObject({ description: "🌤".repeat(1000) });
    expectInvalid(await create({ amount: "1", description: "🌤".repeat(1001) }), "description");
  });

  test.each(["description", "resourceContent"])("rejects a %s that cannot be stored or displayed", async (field) => {
    for (const bad of [
      "\u0000",
      "a\u0000b",
      "\u0007",
      "\u001b[31m",
      "\u007f",
      "\u0085",
      "\ud800",
      "\udc00x",
      "x\ud83d",
    ])
      expectInvalid(await create({ amount: "1", [field]: bad }), field);
  });

  test("accepts content of 32,768 characters, however many bytes they need", async () => {
    for (const letter of ["字", '"', "\n", "𝄞"]) {
      const resourceContent = letter.repeat(32_768);
      const response = await create({ amount: "1", resourceContent });
      expect([response.status, (response.body as Json).paymentLink?.resourceContent]).toEqual([200, resourceContent]);
    }
  });

  test("rejects a body of 300 KB before it reads it", async () => {
    const response = await create({ amount: "1", resourceContent: "x".repeat(300 * 1024) });
    expectRefused(response, 413, "BODY_TOO_LARGE", { bytesMax: 262_144 });
  });

  test.each(["[]", '"1"', "null", "1"])("rejects the body %s", async (raw) => {
    const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, raw });
    expectRefused(response, 400, "INVALID_REQUEST", { reason: expect.any(String) });
  });

  test("rejects invalid JSON and duplicate members", async () => {
    for (const raw of ["{", '{"amount":"1","amount":"2"}', '{"amount":"1","__proto__":{}}']) {
      const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, raw });
      expectRefused(response, 400, "INVALID_JSON");
    }
  });

  test("rejects an agent without an owner, because it has no address to be paid at", async () => {
    const countBefore = await count();
    expectRefused(await create({ amount: "1" }, await newAgent()), 409, "WALLET_NOT_LINKED", {
      authorizationUrl: expect.stringContaining("/add-agent?agentId="),
      payment_model_context: { primer: expect.any(String), instructions: expect.stringContaining("create-intent") },
    });
    expect(await count()).toBe(countBefore);
  });

  test("requires a login before it reads the body", async () => {
    for (const bearer of ["", "nonsense"]) {
      const response = await call("POST", "/api/payment-links", { ...(bearer && { bearer }), json: { amount: 0 } });
      expect(response.status).toBe(401);
    }
  });

  test("is listed in the agent's activity", async () => {
    const { linkId } = await createdLink({ amount: "7", network: "base-sepolia", reference: "PO 7" });
    await edit(linkId, { description: "x", resourceContent: "Shelf 7", maxUses: 3 });
    await edit(linkId, {});
    await remove(linkId);
    const events =
      await testSystem.sql`select type, agent_id, meta from events where subject = ${linkId} order by created_at, id`;
    const ofAgent = { agent_id: seller.agent.agentId };
    const created = { amount: "7", network: "base-sepolia", reference: "PO 7" };
    expect([...events].sort((a, b) => a.type.localeCompare(b.type))).toEqual([
      { ...ofAgent, type: "payment_link.created", meta: { ...created, by: "agent" } },
      { ...ofAgent, type: "payment_link.deleted", meta: { by: "agent" } },
      {
        ...ofAgent,
        type: "payment_link.updated",
        meta: {
          changed: ["description", "resourceContent", "maxUses"],
          from: { description: "", maxUses: null },
          to: { description: "x", maxUses: 3 },
          by: "agent",
        },
      },
    ]);
  });
});

describe("a link's redirect URL", () => {
  test.each([
    [`${SHOP}/thanks`, `${SHOP}/thanks`],
    ["HTTPS://SHOP.example:443", `${SHOP}/`],
    ["http://localhost:4000/done", "http://localhost:4000/done"],
    [`${BASE_URL}/receipt/stl_1`, `${BASE_URL}/receipt/stl_1`],
    [null, null],
  ])("of %j is stored as %j, on creation and on change", async (redirectUrl, kept) => {
    const { linkId } = await createdLink({ redirectUrl });
    expect((await read(linkId)).body).toEqual({ success: true, paymentLink: linkOf({ redirectUrl: kept }) });
    const changed = await createdLink({ redirectUrl: `${SHOP}/before` });
    expect((await edit(changed.linkId, { redirectUrl })).body).toMatchObject({ paymentLink: { redirectUrl: kept } });
  });

  test.each(BAD_REDIRECTS)("of %j is rejected, on creation and on change", async (redirectUrl) => {
    expectRefused(await create({ amount: "1", redirectUrl }), 400, "REDIRECT_ORIGIN_NOT_ALLOWED");
    const { linkId, updatedAt } = await createdLink({ redirectUrl: `${SHOP}/before` });
    expectRefused(await edit(linkId, { redirectUrl }), 400, "REDIRECT_ORIGIN_NOT_ALLOWED");
    expect((await read(linkId)).body).toMatchObject({ paymentLink: { redirectUrl: `${SHOP}/before`, updatedAt } });
  });

  test("must be at the service's own origin if the operator allows no other", async () => {
    await wiring.closeSystem();
    const { REDIRECT_ORIGINS } = process.env;
    delete process.env.REDIRECT_ORIGINS;
    expectRefused(await create({ amount: "1", redirectUrl: SHOP }), 400, "REDIRECT_ORIGIN_NOT_ALLOWED");
    expect(await createdLink({ redirectUrl: BASE_URL })).toMatchObject({ redirectUrl: `${BASE_URL}/` });
    await wiring.closeSystem();
    process.env.REDIRECT_ORIGINS = REDIRECT_ORIGINS;
  });
});

describe("PATCH /api/payment-links/{linkId}", () => {
  const full = {
    description: "A report",
    resourceContent: "secret",
    redirectUrl: `${SHOP}/thanks`,
    expiresAt: LATER,
    maxUses: 3,
  };

  test.each<[string, object]>([
    ["description", { description: "" }],
    ["resourceContent", { resourceContent: "" }],
    ["resourceContent", { resourceContent: null }],
    ["redirectUrl", { redirectUrl: `${SHOP}/other` }],
    ["redirectUrl", { redirectUrl: null }],
    ["expiresAt", { expiresAt: "2091-01-01T00:00:00.000Z" }],
    ["expiresAt", { expiresAt: null }],
    ["maxUses", { maxUses: 1 }],
    ["maxUses", { maxUses: null }],
    ["everything", { ...full, description: "Other", maxUses: 9, resourceContent: null }],
  ])("changes %s and nothing else: %j", async (_, change) => {
    const linkBefore = await createdLink(full);
    const response = await edit(linkBefore.linkId, change);
    const linkAfter = { ...linkBefore, ...change, updatedAt: expect.stringMatching(ISO) };
    expect([response.status, response.body]).toEqual([200, { success: true, paymentLink: linkAfter }]);
    expect((await read(linkBefore.linkId)).body).toEqual(response.body);
  });

  test("disables a link and enables it again", async () => {
    const linkBefore = await createdLink(full);
    const off = { status: "disabled", isPayable: false, unavailableReason: "LINK_DISABLED" };
    expect((await edit(linkBefore.linkId, { status: "disabled" })).body).toEqual({
      success: true,
      paymentLink: { ...linkBefore, ...off, updatedAt: expect.any(String) },
    });
    expect((await edit(linkBefore.linkId, { status: "active" })).body).toEqual({
      success: true,
      paymentLink: { ...linkBefore, updatedAt: expect.any(String) },
    });
  });

  test("leaves the link and its time of change as they were if nothing differs", async () => {
    const linkBefore = await createdLink(full);
    expect((await edit(linkBefore.linkId, {})).body).toEqual({ success: true, paymentLink: linkBefore });
    for (const name of ["note", "useCount", "url", "payTo", "id"])
      expectInvalid(await edit(linkBefore.linkId, { maxUses: 7, [name]: "1" }), name);
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
    const response = await call("PATCH", `/api/payment-links/${linkBefore.linkId}`, { bearer: seller.agent.jwt });
    expect(response.body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test.each(BAD_EDITS)("rejects %s %j, and changes nothing else in that request", async (field, bad) => {
    const linkBefore = await createdLink(full);
    expectInvalid(await edit(linkBefore.linkId, { description: "changed", maxUses: 7, [field]: bad }), field);
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test("rejects an expiry that is not in the future, and changes nothing", async () => {
    const linkBefore = await createdLink(full);
    for (const expiresAt of [new Date().toISOString(), "2020-01-01T00:00:00Z"]) {
      expectRefused(await edit(linkBefore.linkId, { expiresAt, description: "x" }), 400, "EXPIRY_IN_PAST");
    }
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test("reopens an expired link with a later expiry", async () => {
    const { linkId } = await createdLink();
    await testSystem.sql`update payment_links set expires_at = '2020-01-01T00:00:00Z' where link_id = ${linkId}`;
    expect((await read(linkId)).body).toMatchObject({
      paymentLink: { isPayable: false, unavailableReason: "LINK_EXPIRED", status: "active" },
    });
    expect((await edit(linkId, { expiresAt: null })).body).toMatchObject({
      paymentLink: { isPayable: true, unavailableReason: null, expiresAt: null },
    });
  });

  test("rejects a body of 300 KB", async () => {
    const { linkId } = await createdLink();
    const response = await edit(linkId, { resourceContent: "x".repeat(300 * 1024) });
    expectRefused(response, 413, "BODY_TOO_LARGE", { bytesMax: 262_144 });
  });
});

describe("DELETE /api/payment-links/{linkId}", () => {
  test("makes the link 404 at every path", async () => {
    const { linkId } = await createdLink();
    const response = await remove(linkId);
    expect([response.status, response.body]).toEqual([200, { success: true, message: expect.any(String) }]);
    const requests = [
      await read(linkId),
      await edit(linkId, { status: "active" }),
      await remove(linkId),
      await call("GET", `/api/payment-links/${linkId}/payments`, { bearer: seller.agent.jwt }),
      await call("GET", `/paymentlink/${linkId}`),
    ];
    for (const gone of requests) expectRefused(gone, 404, "LINK_NOT_FOUND");
    const { paymentLinks } = (await list("?limit=100")).body as Json;
    expect(paymentLinks.map((link: Json) => link.linkId)).not.toContain(linkId);
  });
});

describe("another agent's link", () => {
  const verbs: [string, (linkId: string) => Promise<Answer>][] = [
    ["GET", (linkId) => read(linkId, otherParties.agent)],
    ["PATCH", (linkId) => edit(linkId, { status: "disabled" }, otherParties.agent)],
    [
      "PATCH with a change that a link of theirs could not take",
      (linkId) => edit(linkId, { maxUses: 1 }, otherParties.agent),
    ],
    ["DELETE", (linkId) => remove(linkId, otherParties.agent)],
    [
      "GET payments",
      (linkId) => call("GET", `/api/payment-links/${linkId}/payments`, { bearer: otherParties.agent.jwt }),
    ],
  ];

  test.each(verbs)("is 404 as if it did not exist (%s), and stays unchanged", async (_, send) => {
    const linkBefore = await createdLink();
    const [theirs, nobodys] = [await send(linkBefore.linkId), await send(NOBODYS)];
    expectRefused(theirs, 404, "LINK_NOT_FOUND");
    const nameless = (response: Answer) => ({ ...(response.body as Json), requestId: null });
    expect(nameless(theirs)).toEqual(nameless(nobodys));
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test.each(["x", "lnk_", "lnk_0", NOBODYS.toUpperCase(), "550e8400-e29b-41d4-a716-446655440000", "constructor", "1"])(
    "is 404, and so is a link with the unknown id %s",
    async (linkId) => {
      for (const [, send] of verbs) expectRefused(await send(linkId), 404, "LINK_NOT_FOUND");
      expectRefused(await call("GET", `/paymentlink/${linkId}`), 404, "LINK_NOT_FOUND");
    },
  );

  test.each(["a%2Fb", "'%20or%201=1--", "x".repeat(101), "%F0%9F%8C%A4"])(
    "is not found with the malformed id %s, which causes no query",
    async (linkId) => {
      for (const [, send] of verbs) expectInvalid(await send(linkId), "linkId");
      expectInvalid(await call("GET", `/paymentlink/${linkId}`), "linkId");
    },
  );
});

describe("GET /api/payment-links", () => {
  const ids = (response: Answer) => (response.body as Json).paymentLinks.map((link: Json) => link.linkId);

  test("is empty for an agent without links, with or without an owner", async () => {
    const nothing = { success: true, paymentLinks: [], nextCursor: null };
    expect((await list("", (await linkedPair()).agent)).body).toEqual(nothing);
    expect((await list("", await newAgent())).body).toEqual(nothing);
  });

  test("returns each link with all members, newest first, only of that agent", async () => {
    const { agent } = await linkedPair();
    const links = [];
    for (const amount of ["1", "2", "3"]) links.unshift(await createdLink({ amount }, agent));
    const response = await list("", agent);
    expect([response.status, response.body]).toEqual([200, { success: true, paymentLinks: links, nextCursor: null }]);
  });

  test("continues from its cursor without repetition, and without links created in between", async () => {
    const { agent } = await linkedPair();
    const links: string[] = [];
    for (let index = 0; index < 5; index++) links.unshift((await createdLink({}, agent)).linkId);
    const seen: string[] = [];
    let query = "?limit=2";
    for (const more of [true, true, false]) {
      const page = await list(query, agent);
      seen.push(...ids(page));
      await createdLink({}, agent);
      if (seen.length === 2) await remove(links[3] ?? "", agent);
      const { nextCursor } = page.body as Json;
      expect(nextCursor === null).toBe(!more || seen.length === 4);
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(links.filter((_, index) => index !== 3));
  });

  test("returns 20 by default, and at most 100", async () => {
    const { agent } = await linkedPair();
    for (let index = 0; index < 21; index++) await createdLink({}, agent);
    expect(ids(await list("", agent))).toHaveLength(20);
    expect(ids(await list("?limit=1", agent))).toHaveLength(1);
    const all = await list("?limit=100", agent);
    expect([ids(all).length, (all.body as Json).nextCursor]).toEqual([21, null]);
    expect(ids(await list("?limit=21", agent))).toHaveLength(21);
    expect((await list("?cursor=0", agent)).body).toEqual({ success: true, paymentLinks: [], nextCursor: null });
  });

  test.each([
    ...["0", "101", "-1", "1.5", "", "all", "%201", "1&limit=2", "9".repeat(40)].map((bad) => ["limit", bad]),
    ...["x", "", "-1", "1.5", "lnk_1", "1&cursor=2", "9".repeat(40)].map((bad) => ["cursor", bad]),
  ])("rejects %s=%s", async (name, bad) => expectInvalid(await list(`?${name}=${bad}`), name));
});
