import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentId, LinkId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { type LinkState, toLinkView } from "@/lib/links/contract";
import type { LinkCursor, LinkOrder, LinkView, ListedLink } from "@/lib/links/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import { NETWORKS } from "@/lib/x402/networks";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { BAD_AMOUNTS, BAD_EDITS, BAD_NEW_LINKS, BAD_REDIRECTS, SHOP } from "../support/bad-links";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import type { Json } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { freshAddress, openSystem, randomNonce } from "../support/system";
import { createWorld, type World } from "../support/world";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOBODYS = "lnk_000000000000000000000000";
const NOBODY = "00000000-0000-4000-8000-000000000000";
const LATER = "2090-01-01T00:00:00.000Z";

const REASONS = {
  active: null,
  disabled: "LINK_DISABLED",
  expired: "LINK_EXPIRED",
  sold_out: "LINK_SOLD_OUT",
} as const;

type Person = TestOwner & { ownerId: OwnerId };

/** A link of the list, which leaves out what no list shows, as a link that has none of it. */
const whole = (view: LinkView<ListedLink>): LinkView => ({
  ...view,
  link: { ...view.link, resourceContent: null, metadata: null, fields: null, sealedUpstreamHeaders: null },
});

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let links: typeof import("@/lib/links/service");
let agents: typeof import("@/lib/agents/service");
let owner: Person;
let agent: TestAgent;
let otherPerson: Person;
let others: TestAgent;

beforeAll(async () => {
  world = await createWorld();
  process.env.REDIRECT_ORIGINS = `${SHOP}, http://localhost:4000,http://plain.example`;
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  links = await import("@/lib/links/service");
  agents = await import("@/lib/agents/service");
  [owner, otherPerson] = [await person(), await person()];
  [agent, others] = [await agentOf(owner), await agentOf(otherPerson)];
});

afterAll(async () => {
  delete process.env.REDIRECT_ORIGINS;
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

async function person(): Promise<Person> {
  const newcomer = await newOwner();
  const [row] = await testSystem.sql`select id from owners where address = ${newcomer.address}`;
  return { ...newcomer, ownerId: row?.id };
}

async function agentOf({ ownerId }: Person, name = "Test agent"): Promise<TestAgent> {
  const created = await newAgent(name);
  const agentId = created.agentId as AgentId;
  await testSystem.system.db.transaction((tx) => agents.linkAgent(tx, agentId, ownerId, new Date()));
  return created;
}

type Sender = { agentId?: string; session?: string; origin?: string };

/** Sends a request as the owner for their agent, by default. */
function send(method: string, linkId: string | null, json?: unknown, sender: Sender = {}): Promise<Answer> {
  const { agentId = agent.agentId, session = owner.session, origin } = sender;
  const path = `/api/agents/${agentId}/payment-links${linkId === null ? "" : `/${linkId}`}`;
  return call(method, path, {
    session,
    ...(json !== undefined && { json }),
    ...(origin && { headers: { origin } }),
  });
}

const create = (json: unknown, sender?: Sender) => send("POST", null, json, sender);
const edit = (linkId: string, json: unknown, sender?: Sender) => send("PATCH", linkId, json, sender);
const remove = (linkId: string, sender?: Sender) => send("DELETE", linkId, undefined, sender);
/** The link as its agent reads it. */
const read = (linkId: string, { jwt } = agent) => call("GET", `/api/payment-links/${linkId}`, { bearer: jwt });

async function createdLink(json: object = {}, sender?: Sender): Promise<Json> {
  const { status, body } = await create({ amount: "1000000", ...json }, sender);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return (body as Json).paymentLink;
}

const expectInvalid = (response: Answer, field: string): void =>
  expectRefused(response, 400, "invalid_request", { field, reason: expect.any(String) });

const count = async () => (await testSystem.sql`select count(*)::int as n from payment_links`)[0]?.n as number;

const eventsOf = async (linkId: string) =>
  [
    ...(await testSystem.sql`select type, agent_id, owner_id, meta from events where subject = ${linkId} order by created_at`),
  ].sort((a, b) => a.type.localeCompare(b.type));

/** Inserts `settled` and `open` payments of a link, as relayer and observer would write them. */
async function recordPayments(linkId: string, settled: number, open = 0, failed = 0): Promise<void> {
  const states = [
    ...Array.from({ length: settled }, () => "settled"),
    ...Array.from({ length: open }, () => "broadcast"),
    ...Array.from({ length: failed }, () => "void"),
  ];
  for (const state of states) {
    const hasEnded = state !== "broadcast";
    await testSystem.sql`insert into settlements ${testSystem.sql({
      id: newId("settlement"),
      network: "base",
      asset: NETWORKS.base.usdc,
      payer: freshAddress(),
      nonce: randomNonce(),
      payee: freshAddress(),
      amount: "1",
      valid_after: "0",
      valid_before: "4102444800",
      signature: "0x",
      purpose: "link",
      subject: linkId,
      resource: "",
      description: "",
      state,
      failure_code: state === "void" ? "INSUFFICIENT_FUNDS" : null,
      relayer_nonce: 0,
      claimed_at_block: "0",
      tx_hash: randomNonce(),
      block_number: "1",
      created_at: new Date(),
      ended_at: hasEnded ? new Date() : null,
    })}`;
  }
}

describe("POST /api/agents/{agentId}/payment-links", () => {
  test("creates a link as the agent could, and records that the owner created it", async () => {
    const fields = {
      amount: "250000",
      network: "base-sepolia",
      description: "A report",
      reference: "Order 1042",
      resourceContent: '{"a":1}',
      redirectUrl: `${SHOP}/thanks?order=1`,
      expiresAt: LATER,
      maxUses: 3,
    };
    for (const other of [{ status: "disabled" }, { agentId: others.agentId }])
      expect((await create({ ...fields, ...other })).status).toBe(400);
    const response = await create({ ...fields, currency: "USDC" });
    const { linkId } = (response.body as Json).paymentLink;
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        paymentLink: {
          ...fields,
          id: expect.any(Number),
          linkId: expect.stringMatching(/^lnk_[0-9A-Za-z]{24}$/),
          currency: "USDC",
          payTo: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
          assetAddress: NETWORKS["base-sepolia"].usdc,
          scheme: "exact",
          status: "active",
          useCount: 0,
          isListed: false,
          isRepeatable: false,
          isPayable: true,
          unavailableReason: null,
          url: `${BASE_URL}/pay/${linkId}`,
          createdAt: expect.stringMatching(ISO),
          updatedAt: expect.stringMatching(ISO),
        },
      },
    ]);
    expect((await read(linkId)).body).toEqual(response.body);
    expect(await eventsOf(linkId)).toEqual([
      {
        type: "payment_link.created",
        agent_id: agent.agentId,
        owner_id: owner.ownerId,
        meta: { amount: "250000", network: "base-sepolia", reference: "Order 1042", by: "owner" },
      },
    ]);
  });

  test.each([...BAD_AMOUNTS.map((bad) => ["amount", bad] as const), ...BAD_NEW_LINKS])(
    "rejects %s with the value %j, and creates nothing",
    async (field, bad) => {
      const countBefore = await count();
      expectInvalid(await create({ amount: "1", [field]: bad }), field);
      expect(await count()).toBe(countBefore);
    },
  );

  test.each(BAD_REDIRECTS)("rejects the redirect URL %j, as on a change", async (redirectUrl) => {
    expectRefused(await create({ amount: "1", redirectUrl }), 400, "redirect_origin_not_allowed");
    const linkBefore = await createdLink();
    expectRefused(await edit(linkBefore.linkId, { redirectUrl }), 400, "redirect_origin_not_allowed");
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test("rejects an expiry that is not in the future, a body of 300 KB, and invalid JSON", async () => {
    const countBefore = await count();
    expectRefused(await create({ amount: "1", expiresAt: "2020-01-01T00:00:00Z" }), 400, "expiry_in_past");
    expectRefused(await create({ amount: "1", resourceContent: "x".repeat(300 * 1024) }), 413, "body_too_large", {
      bytesMax: 262_144,
    });
    const path = `/api/agents/${agent.agentId}/payment-links`;
    expectRefused(await call("POST", path, { session: owner.session, raw: "{" }), 400, "invalid_json");
    expect(await count()).toBe(countBefore);
  });
});

describe("PATCH /api/agents/{agentId}/payment-links/{linkId}", () => {
  const full = {
    description: "A report",
    resourceContent: "secret",
    redirectUrl: `${SHOP}/thanks`,
    expiresAt: LATER,
    maxUses: 3,
  };

  test("changes only the named fields, removes those set to null, and records that the owner did it", async () => {
    const linkBefore = await createdLink(full);
    const change = { description: "Other", resourceContent: null, maxUses: null };
    const response = await edit(linkBefore.linkId, change);
    const linkAfter = { ...linkBefore, ...change, updatedAt: expect.stringMatching(ISO) };
    expect([response.status, response.body]).toEqual([200, { success: true, paymentLink: linkAfter }]);
    expect((await read(linkBefore.linkId)).body).toEqual(response.body);
    expect((await eventsOf(linkBefore.linkId)).slice(1)).toEqual([
      {
        type: "payment_link.updated",
        agent_id: agent.agentId,
        owner_id: owner.ownerId,
        meta: {
          changed: ["description", "resourceContent", "maxUses"],
          from: { description: linkBefore.description, maxUses: linkBefore.maxUses },
          to: { description: "Other", maxUses: null },
          by: "owner",
        },
      },
    ]);
  });

  test("changes a link that the agent created, and the agent can change one that its owner created", async () => {
    const bearer = agent.jwt;
    const { body } = await call("POST", "/api/payment-links", { bearer, json: { amount: "1" } });
    const { linkId } = (body as Json).paymentLink;
    expect((await edit(linkId, { status: "disabled" })).body).toMatchObject({
      paymentLink: { status: "disabled", isPayable: false, unavailableReason: "LINK_DISABLED" },
    });
    const json = { status: "active" };
    expect((await call("PATCH", `/api/payment-links/${linkId}`, { bearer, json })).body).toMatchObject({
      paymentLink: { status: "active", isPayable: true, unavailableReason: null },
    });
    expect((await eventsOf(linkId)).map(({ meta }) => meta.by)).toEqual(["agent", "owner", "agent"]);
  });

  test.each(BAD_EDITS)("rejects %s %j, and changes nothing else in that request", async (field, bad) => {
    const linkBefore = await createdLink(full);
    expectInvalid(await edit(linkBefore.linkId, { description: "changed", maxUses: 7, [field]: bad }), field);
    expect((await read(linkBefore.linkId)).body).toEqual({ success: true, paymentLink: linkBefore });
  });

  test("rejects a payment limit below the number of taken uses, and returns that number", async () => {
    const linkBefore = await createdLink({ maxUses: 9 });
    await recordPayments(linkBefore.linkId, 2, 1, 1);
    expectRefused(await edit(linkBefore.linkId, { maxUses: 2 }), 400, "max_uses_too_low", { useCount: 2, open: 1 });
    expect((await edit(linkBefore.linkId, { maxUses: 3 })).body).toMatchObject({
      paymentLink: { maxUses: 3, useCount: 2, unavailableReason: "LINK_SOLD_OUT" },
    });
  });
});

describe("DELETE /api/agents/{agentId}/payment-links/{linkId}", () => {
  test("makes the link 404 for everybody, and records that the owner deleted it", async () => {
    const { linkId } = await createdLink();
    const response = await remove(linkId);
    expect([response.status, response.body]).toEqual([200, { success: true, message: expect.any(String) }]);
    expect((await read(linkId)).status).toBe(404);
    expect((await call("GET", `/paymentlink/${linkId}`)).status).toBe(404);
    for (const repeatedResponse of [await remove(linkId), await edit(linkId, { status: "active" })]) {
      expectRefused(repeatedResponse, 404, "link_not_found");
    }
    expect((await eventsOf(linkId)).map(({ type, meta }) => [type, meta.by])).toEqual([
      ["payment_link.created", "owner"],
      ["payment_link.deleted", "owner"],
    ]);
  });
});

describe("access to owners' links", () => {
  const verbs: [string, (linkId: string, sender: Sender) => Promise<Answer>][] = [
    ["POST", (_, sender) => create({ amount: "1" }, sender)],
    ["PATCH", (linkId, sender) => edit(linkId, { status: "disabled" }, sender)],
    ["DELETE", (linkId, sender) => remove(linkId, sender)],
  ];
  let link: Json;
  let total: number;

  beforeEach(async () => {
    link = await createdLink();
    total = await count();
  });

  const expectUntouched = async () => {
    expect((await read(link.linkId)).body).toEqual({ success: true, paymentLink: link });
    expect(await count()).toBe(total);
  };

  test.each(verbs)("is 404 under another owner's agent, as if it did not exist (%s)", async (_, verb) => {
    for (const agentId of [agent.agentId, NOBODY]) {
      expectRefused(await verb(link.linkId, { agentId, session: otherPerson.session }), 404, "agent_not_found");
    }
    await expectUntouched();
  });

  test.each(verbs.slice(1))(
    "is 404 for another owner's link under one's own agent, as if it did not exist (%s)",
    async (_, verb) => {
      for (const linkId of [link.linkId, NOBODYS]) {
        const response = await verb(linkId, { agentId: others.agentId, session: otherPerson.session });
        expectRefused(response, 404, "link_not_found");
      }
      await expectUntouched();
    },
  );

  test.each(verbs.slice(1))("finds a link only under its own agent (%s)", async (_, verb) => {
    const second = await agentOf(owner);
    expectRefused(await verb(link.linkId, { agentId: second.agentId }), 404, "link_not_found");
    await expectUntouched();
  });

  test.each(verbs)("is rejected for requests from another site's page (%s)", async (_, verb) => {
    for (const origin of ["https://evil.example", `${BASE_URL}.evil.example`, "null"]) {
      expectRefused(await verb(link.linkId, { origin }), 403, "origin_not_allowed");
    }
    await expectUntouched();
  });

  test.each(verbs)("requires more than an agent's login (%s)", async (method) => {
    const path = `/api/agents/${agent.agentId}/payment-links${method === "POST" ? "" : `/${link.linkId}`}`;
    const response = await call(method, path, { bearer: agent.jwt, raw: "{}" });
    expectRefused(response, 401, "session_required", { payment_model_context: expect.any(Object) });
    await expectUntouched();
  });

  test.each(verbs)("is rejected for a deleted agent (%s)", async (_, verb) => {
    const formerAgent = await agentOf(owner);
    const { linkId } = await createdLink({}, { agentId: formerAgent.agentId });
    const countBefore = await count();
    await call("DELETE", `/api/agents/${formerAgent.agentId}`, { session: owner.session });
    expectRefused(await verb(linkId, { agentId: formerAgent.agentId }), 404, "agent_not_found");
    expect(await count()).toBe(countBefore);
    const [row] = await testSystem.sql`select status, deleted_at from payment_links where link_id = ${linkId}`;
    expect(row).toEqual({ status: "active", deleted_at: null });
  });

  test.each(["x", "1", "ABCDEF00-0000-4000-8000-000000000000", "..%2f"])(
    "is rejected for %j, which is no agent id",
    async (agentId) => {
      for (const [, verb] of verbs) expectInvalid(await verb(link.linkId, { agentId }), "agentId");
    },
  );
});

describe("an owner's list of links", () => {
  let seller: Person;
  let shop: TestAgent;

  beforeEach(async () => {
    seller = await person();
    shop = await agentOf(seller, "Atlas Research");
  });

  const asSeller = (now = new Date(), person = seller): Ctx<Owner> => ({
    ...testSystem.system,
    now: () => now,
    requestId: "test",
    actor: { type: "owner", ownerId: person.ownerId, address: person.address },
  });
  const NEWEST: LinkOrder = { by: "created", isAscending: false };
  type Query = Partial<Parameters<typeof links.listForOwner>[1]>;
  const list = (query: Query = {}, ctx = asSeller()) => links.listForOwner(ctx, { order: NEWEST, limit: 20, ...query });
  const ids = async (query: Query, ctx?: Ctx<Owner>) =>
    (await list(query, ctx)).rows.map(({ view }) => view.link.linkId);
  const linkOf = async (json: object = {}, agent = shop): Promise<LinkId> =>
    (await createdLink(json, { agentId: agent.agentId, session: seller.session })).linkId;

  async function inOrder(order: LinkOrder, limit: number, between?: () => Promise<unknown>): Promise<LinkId[]> {
    const seen: LinkId[] = [];
    let after: LinkCursor | undefined;
    do {
      const page = await list({ order, limit, after });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      seen.push(...page.rows.map(({ view }) => view.link.linkId));
      after = page.next ?? undefined;
      if (after) await between?.();
    } while (after);
    return seen;
  }

  test("is empty without agents and links, and after both were deleted", async () => {
    const nothing = { rows: [], counts: { active: 0, disabled: 0, expired: 0, sold_out: 0 }, next: null };
    expect(await list({}, asSeller(new Date(), await person()))).toEqual(nothing);
    expect(await list()).toEqual(nothing);
    const formerAgent = await agentOf(seller);
    await linkOf({}, formerAgent);
    await call("DELETE", `/api/agents/${formerAgent.agentId}`, { session: seller.session });
    await remove(await linkOf(), { agentId: shop.agentId, session: seller.session });
    expect(await list()).toEqual(nothing);
    expect(await list({ agentId: agent.agentId as AgentId })).toEqual(nothing);
  });

  test("contains each link with its agent, receiving address and number of payments", async () => {
    const second = await agentOf(seller, "Second shop");
    const first = await linkOf({ maxUses: 5 });
    const last = await linkOf({ network: "base-sepolia" }, second);
    await recordPayments(first, 2, 1, 3);
    const { rows } = await list();
    const views = rows.map(({ view, agentName }) => [
      agentName,
      JSON.parse(
        JSON.stringify(toLinkView(whole(view), links.linkUrl(testSystem.system, view.link.linkId), new Date()), write),
      ),
    ]);
    expect(views).toEqual([
      ["Second shop", ((await read(last, second)).body as Json).paymentLink],
      ["Atlas Research", ((await read(first, shop)).body as Json).paymentLink],
    ]);
    expect(rows.map(({ view }) => view.uses)).toEqual([
      { settled: 0, open: 0 },
      { settled: 2, open: 1 },
    ]);
    expect(await links.getForOwner(asSeller(), first)).toEqual(rows[1] && { ...rows[1], view: whole(rows[1].view) });
    expect(await ids({ agentId: second.agentId as AgentId })).toEqual([last]);
  });

  const write = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

  test("contains a link only for its owner, while the link and its agent exist", async () => {
    const linkId = await linkOf();
    const missing = { code: "LINK_NOT_FOUND" };
    await expect(links.getForOwner(asSeller(new Date(), otherPerson), linkId)).rejects.toMatchObject(missing);
    await expect(links.getForOwner(asSeller(), NOBODYS)).rejects.toMatchObject(missing);
    await call("DELETE", `/api/agents/${shop.agentId}`, { session: seller.session });
    await expect(links.getForOwner(asSeller(), linkId)).rejects.toMatchObject(missing);
  });

  test("computes states at the time of reading, for filters and counts", async () => {
    const soon = new Date(Date.now() + 3_600_000);
    const found: Record<LinkState, LinkId[]> = {
      active: [
        await linkOf(),
        await linkOf({ maxUses: 3 }),
        await linkOf({ expiresAt: LATER }),
        await linkOf({ maxUses: 2 }),
      ],
      disabled: [await linkOf(), await linkOf({ expiresAt: soon, maxUses: 1 })],
      expired: [await linkOf({ expiresAt: soon }), await linkOf({ expiresAt: soon, maxUses: 1 })],
      sold_out: [await linkOf({ maxUses: 1 }), await linkOf({ maxUses: 2, expiresAt: LATER })],
    };
    const [, used = NOBODYS, , freed = NOBODYS] = found.active;
    await recordPayments(used, 1, 1);
    await recordPayments(freed, 1, 0, 4);
    for (const linkId of found.disabled) {
      await edit(linkId, { status: "disabled" }, { agentId: shop.agentId, session: seller.session });
      await recordPayments(linkId, 1);
    }
    await recordPayments(found.expired[1] ?? NOBODYS, 1);
    await recordPayments(found.sold_out[0] ?? NOBODYS, 1);
    await recordPayments(found.sold_out[1] ?? NOBODYS, 1, 1);
    const counts = { active: 4, disabled: 2, expired: 2, sold_out: 2 };

    const after = asSeller(soon);
    for (const [state, expected] of Object.entries(found) as [LinkState, LinkId[]][]) {
      const page = await list({ state }, after);
      expect(page.rows.map(({ view }) => view.link.linkId).sort()).toEqual([...expected].sort());
      expect(page.counts).toEqual(counts);
      for (const { view } of page.rows) {
        expect(toLinkView(whole(view), "", soon).unavailableReason).toBe(REASONS[state]);
      }
    }
    const before = asSeller(new Date(soon.getTime() - 1));
    expect((await list({}, before)).counts).toEqual({ active: 5, disabled: 2, expired: 0, sold_out: 3 });
  });

  test.each([
    ["market", ["market"]],
    ["MARKET REPORT", ["market"]],
    ["é", ["accent"]],
    ["É", ["accent"]],
    ["50%", ["percent"]],
    ["%", ["percent"]],
    ["_", ["underscore"]],
    ["\\", ["backslash"]],
    ["a_b", ["underscore"]],
    ["aXb", []],
    ["atlas", ["accent", "backslash", "market", "percent", "underscore"]],
    ["SECOND", ["second"]],
    ["'; drop table payment_links; --", []],
  ] as const)("finds %j in descriptions and agents' names, literally and ignoring case", async (search, expected) => {
    const texts = {
      market: "AI market report\nof November",
      accent: "Café",
      percent: "50% off",
      underscore: "a_b",
      backslash: "back\\slash",
    };
    const named = new Map<LinkId, string>();
    for (const [name, description] of Object.entries(texts)) named.set(await linkOf({ description }), name);
    named.set(await linkOf({ description: "x" }, await agentOf(seller, "Second shop")), "second");
    const page = await list({ search });
    expect(page.rows.map(({ view }) => named.get(view.link.linkId)).sort()).toEqual(expected);
    expect(page.counts.active).toBe(expected.length);
  });

  test("finds a link by its id or a part of it, and by its receiving address", async () => {
    const elsewhere = await agentOf(seller, "Elsewhere");
    const receivingAddress = freshAddress();
    await setReceivingAddress({ owner: seller, agent: elsewhere }, receivingAddress);
    const [base, sepolia] = [await linkOf(), await linkOf({ network: "base-sepolia" })];
    const own = await linkOf({}, elsewhere);
    const { body } = await call("GET", "/api/wallet", { session: seller.session });
    const wallets = new Map((body as Json).wallets.map((wallet: Json) => [wallet.network, wallet.address]));
    const searches: [string, LinkId[]][] = [
      [base, [base]],
      [base.slice(10, 20).toLowerCase(), [base]],
      [receivingAddress, [own]],
      [receivingAddress.slice(0, 12).toLowerCase(), [own]],
      [receivingAddress.slice(2, 14), []],
      [String(wallets.get("base")), [base]],
      [String(wallets.get("base-sepolia")).toUpperCase().replace("0X", "0x"), [sepolia]],
      [freshAddress(), []],
    ];
    for (const [search, expected] of searches) expect([search, await ids({ search })]).toEqual([search, expected]);
  });

  const orders = (["created", "price", "paid", "name"] as const).flatMap((by) =>
    [true, false].map((isAscending) => [by, isAscending] as const),
  );

  test.each(orders)(
    "pages through all links once in the order %s (ascending %s), also those with equal values",
    async (by, isAscending) => {
      const all: { linkId: LinkId; keys: Record<typeof by, string | number> }[] = [];
      for (let index = 0; index < 12; index++) {
        const amount = ["5", "40", "300000000000000000000000000001"][index % 3] ?? "";
        const description = ["beta", "  Alpha\nx", "", "é", "z".repeat(1000), "Beta"][index % 6] ?? "";
        const linkId = await linkOf({ amount, description });
        await recordPayments(linkId, index % 4, 1, 1);
        const name = description.trimStart().slice(0, 60).toLowerCase();
        all.push({ linkId, keys: { created: index, price: amount.padStart(40, "0"), paid: index % 4, name } });
      }
      const way = isAscending ? 1 : -1;
      const expected = all
        .map((entry, index) => ({ ...entry, at: index }))
        .sort((a, b) => way * (compare(a.keys[by], b.keys[by]) || a.at - b.at))
        .map(({ linkId }) => linkId);
      for (const limit of [5, 12]) expect(await inOrder({ by, isAscending }, limit)).toEqual(expected);
    },
  );

  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

  test("skips and repeats nothing when links are created and deleted between two pages", async () => {
    const linkIds: LinkId[] = [];
    for (let index = 0; index < 9; index++) linkIds.unshift(await linkOf());
    const [, , cursor = NOBODYS] = linkIds;
    let isFirst = true;
    const seen = await inOrder(NEWEST, 3, async () => {
      await linkOf();
      // The last link of the page before.
      if (isFirst) await remove(cursor, { agentId: shop.agentId, session: seller.session });
      isFirst = false;
    });
    expect(seen).toEqual(linkIds);
  });
});
