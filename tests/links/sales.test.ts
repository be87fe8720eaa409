import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LinkId, OwnerId } from "@/lib/core/ids";
import { SALE_COLUMNS } from "@/lib/links/sales/contract";
import type { TestOwner } from "../support/actors";
import { csvText, formulasIn, type Line, parseCsv } from "../support/csv";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { type Sold, sold } from "../support/sales";
import { freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const NOW = new Date("2026-06-15T12:00:00.000Z");
const TODAY = "2026-06-15T00:00:00.000Z";
const dateOf = (text: string) => new Date(text);
const justBefore = (text: string) => new Date(dateOf(text).getTime() - 1);

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let sales: typeof import("@/lib/links/sales/service");
let closeSystem: () => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  sales = await import("@/lib/links/sales/service");
  ({ closeSystem } = await import("../support/wiring"));
});

afterAll(async () => {
  await closeSystem?.();
  await testSystem?.close();
  await world?.stop();
});

type Seller = Parties & { sell: (sale?: Partial<Sold>) => ReturnType<typeof sold>; agentId: string };

async function seller(): Promise<Seller> {
  const pair = await linkedPair();
  const { agentId } = pair.agent;
  // The value that a sale through the service sets.
  await testSystem.sql`update agents set sold_at = now() where id = ${agentId}`;
  return { ...pair, agentId, sell: (sale = {}) => sold(testSystem.sql, { agentId, at: NOW, ...sale }) };
}

async function linkOf({ agent }: Parties, description = "A report"): Promise<LinkId> {
  const { body } = await call("POST", "/api/payment-links", {
    bearer: agent.jwt,
    json: { amount: "1000000", description },
  });
  return (body as Json).paymentLink.linkId;
}

async function asking(owner: TestOwner) {
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const actor = { type: "owner" as const, ownerId: row?.id as OwnerId, address: owner.address };
  return { ...testSystem.system, now: () => NOW, requestId: "test", actor };
}

const overview = async ({ owner }: Parties, options: Partial<Parameters<typeof sales.overview>[1]> = {}) =>
  sales.overview(await asking(owner), { period: "7d", ...options });

const none = { volume: 0n, settled: 0, failed: 0, pending: 0, payers: 0, average: null };

describe("the overview of sales", () => {
  test("sums settled payments, and counts failed and pending ones separately", async () => {
    const shop = await seller();
    const [ann, bob] = [freshAddress(), freshAddress()];
    for (const sale of [
      { amount: 1_000_000n, payer: ann },
      { amount: 2_000_000n, payer: ann },
      { amount: 1n, payer: bob },
      { amount: 50_000_000n, payer: freshAddress(), state: "void" as const },
      { amount: 70_000_000n, state: "claimed" as const },
      { amount: 70_000_000n, state: "broadcast" as const },
    ]) {
      await shop.sell({ at: dateOf(TODAY), ...sale });
    }
    const { current, previous, steps, hasSold, networks } = await overview(shop);
    expect(current).toEqual({ volume: 3_000_001n, settled: 3, failed: 1, pending: 2, payers: 2, average: 1_000_000n });
    expect(previous).toEqual(none);
    expect(steps.map(({ volume, payments }) => [volume, payments])).toEqual([
      ...Array.from({ length: 6 }, () => [0n, 0]),
      [3_000_001n, 3],
    ]);
    expect([hasSold, networks]).toEqual([true, ["base"]]);
  });

  test("assigns each payment to the period and day of its creation, exact to the millisecond", async () => {
    const shop = await seller();
    // The last seven days begin on the 9th. The seven days before end at this hour of the 8th.
    const moments = {
      "before both": justBefore("2026-06-02T00:00:00.000Z"),
      "the first moment of the previous": dateOf("2026-06-02T00:00:00.000Z"),
      "the last of the previous": justBefore("2026-06-08T12:00:00.000Z"),
      "between the two": dateOf("2026-06-08T12:00:00.000Z"),
      "still between": justBefore("2026-06-09T00:00:00.000Z"),
      "the first moment of the current": dateOf("2026-06-09T00:00:00.000Z"),
      "the end of its first day": justBefore("2026-06-10T00:00:00.000Z"),
      "its second day": dateOf("2026-06-10T00:00:00.000Z"),
      "the last moment": justBefore(NOW.toISOString()),
      later: dateOf("2026-06-15T12:00:00.001Z"),
    };
    // Powers of two: every sum identifies its payments.
    for (const [index, moment] of Object.values(moments).entries()) {
      await shop.sell({ at: moment, amount: 2n ** BigInt(index) });
    }
    const { current, previous, steps } = await overview(shop);
    expect([previous.volume, previous.settled]).toEqual([2n + 4n, 2]);
    expect([current.volume, current.settled]).toEqual([32n + 64n + 128n + 256n, 4]);
    expect(steps.map(({ volume }) => volume)).toEqual([32n + 64n, 128n, 0n, 0n, 0n, 0n, 256n]);
  });

  test.each(["7d", "30d", "90d", "12m"] as const)("has bars that add up to the total for %s", async (period) => {
    const shop = await seller();
    const days = [0, 1, 6, 7, 29, 30, 89, 90, 334, 364, 400];
    for (const [index, day] of days.entries()) {
      await shop.sell({ at: new Date(NOW.getTime() - day * 86_400_000), amount: 2n ** BigInt(index) });
    }
    const { current, steps, span } = await overview(shop, { period });
    expect(steps.reduce((sum, { volume }) => sum + volume, 0n)).toBe(current.volume);
    expect(steps.reduce((sum, { payments }) => sum + payments, 0)).toBe(current.settled);
    const inSpan = days.filter((day) => new Date(NOW.getTime() - day * 86_400_000) >= span.from);
    expect(current.settled).toBe(inSpan.length - 1);
    expect(current.settled).toBe({ "7d": 2, "30d": 4, "90d": 6, "12m": 8 }[period]);
  });

  test("never adds test money to real money", async () => {
    const shop = await seller();
    await shop.sell({ at: dateOf(TODAY), amount: 3n });
    await shop.sell({ at: dateOf(TODAY), amount: 5n, network: "base-sepolia" });
    await shop.sell({ at: dateOf("2026-06-05T00:00:00Z"), amount: 7n, network: "base-sepolia" });
    const main = await overview(shop);
    expect([main.network, main.networks]).toEqual(["base", ["base", "base-sepolia"]]);
    expect([main.current.volume, main.previous.volume, main.steps.at(-1)?.volume]).toEqual([3n, 0n, 3n]);
    const otherOverview = await overview(shop, { network: "base-sepolia" });
    expect([otherOverview.current.volume, otherOverview.previous.volume, otherOverview.steps.at(-1)?.volume]).toEqual([
      5n,
      7n,
      5n,
    ]);
    const tester = await seller();
    await tester.sell({ at: dateOf(TODAY), network: "base-sepolia" });
    expect((await overview(tester)).network).toBe("base-sepolia");
  });

  test("counts sales of deleted agents and links, and of no other owner", async () => {
    const [shop, stranger] = [await seller(), await seller()];
    const linkId = await linkOf(shop);
    await shop.sell({ at: dateOf(TODAY), amount: 1n, linkId });
    await shop.sell({ at: dateOf(TODAY), amount: 2n });
    await stranger.sell({ at: dateOf(TODAY), amount: 4n });
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: shop.agent.jwt });
    await call("DELETE", `/api/agents/${shop.agentId}`, { session: shop.owner.session });
    expect((await overview(shop)).current.volume).toBe(3n);
    expect((await overview(stranger)).current.volume).toBe(4n);
  });

  test("does not count refunds or the owner's own transfers", async () => {
    const shop = await seller();
    const { settlementId } = await shop.sell({ at: dateOf(TODAY), amount: 9n });
    await shop.sell({ at: dateOf(TODAY), amount: 2n });
    await testSystem.sql`delete from received_payments where settlement_id = ${settlementId}`;
    await testSystem.sql`update settlements set purpose = 'refund' where id = ${settlementId}`;
    expect((await overview(shop)).current.volume).toBe(2n);
  });

  test('distinguishes "never sold" from "no recent sales"', async () => {
    const shop = await seller();
    expect(await overview(shop)).toMatchObject({ hasSold: false, networks: [], network: "base", current: none });
    await shop.sell({ at: dateOf("2020-01-01T00:00:00Z") });
    expect(await overview(shop)).toMatchObject({ hasSold: true, networks: [], current: none });
  });
});

const PATH = "/api/received-payments.csv";

async function open({ owner }: Parties, filter: Record<string, string> = {}): Promise<Response> {
  const headers = { cookie: `next-auth.session-token=${owner.session}`, origin: BASE_URL };
  return fetchPath("GET", `${PATH}?${new URLSearchParams(filter)}`, { headers });
}

const refusal = ({ owner }: Parties, filter: Record<string, string>) =>
  call("GET", `${PATH}?${new URLSearchParams(filter)}`, { session: owner.session });

async function linesOf(shop: Parties, filter: Record<string, string> = {}): Promise<Line[]> {
  const response = await open(shop, filter);
  expect(response.status).toBe(200);
  return parseCsv(await csvText(response), SALE_COLUMNS);
}

const idsOf = async (shop: Parties, filter: Record<string, string> = {}) =>
  (await linesOf(shop, filter)).map((line) => Number(line.id));

describe(`GET ${PATH}`, () => {
  test("returns a CSV file of the payments that the owner's agents received, newest first", async () => {
    const shop = await seller();
    const linkId = await linkOf(shop, "A report");
    const upl = await shop.sell({ amount: 1_250_000n, description: "Payment to Test agent" });
    const bought = await shop.sell({ amount: 1n, linkId, description: "A report, as it was", state: "claimed" });
    await shop.sell({ network: "base-sepolia", state: "void" });
    const response = await open(shop);
    const today = new Date().toISOString().slice(0, 10);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="tessera-payments-${today}.csv"`,
        "cache-control": "no-store",
        "x-request-id": expect.any(String),
      },
    ]);
    const [failed, pending, settled, ...rest] = parseCsv(await csvText(response), SALE_COLUMNS);
    expect(rest).toEqual([]);
    const ofAgent = { time: NOW.toISOString(), currency: "USDC", agent_id: shop.agentId, agent_name: "Test agent" };
    expect(settled).toEqual({
      ...ofAgent,
      id: String(upl.id),
      status: "settled",
      amount_atomic: "1250000",
      amount: "1.25",
      network: "base",
      payer: upl.payer,
      payee: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      tx_hash: upl.txHash,
      source: "upl",
      description: "Payment to Test agent",
      link_id: "",
      link_description: "",
      settlement_id: upl.settlementId,
      receipt_url: `${BASE_URL}/receipt/${upl.settlementId}`,
      refunded_atomic: "0",
      refunded: "0.00",
      failure_code: "",
      still_valid_until: "",
      link_title: "",
      reference: "",
      metadata: "",
      quantity: "1",
      answers: "",
    });
    expect(pending).toMatchObject({
      ...ofAgent,
      id: String(bought.id),
      status: "pending",
      amount_atomic: "1",
      amount: "0.000001",
      tx_hash: "",
      source: "payment_link",
      description: "A report, as it was",
      link_id: linkId,
      link_description: "A report",
    });
    expect(failed).toMatchObject({ status: "failed", network: "base-sepolia", tx_hash: "" });
  });

  test("filters by each parameter and by several at once, and returns only the owner's payments", async () => {
    const [shop, stranger] = [await seller(), await seller()];
    const linkId = await linkOf(shop);
    const payer = freshAddress();
    const june = await shop.sell({ at: dateOf("2026-06-01T00:00:00.000Z"), payer });
    const july = await shop.sell({ at: dateOf("2026-07-31T23:59:59.999Z"), linkId, state: "void" });
    const test = await shop.sell({ at: dateOf("2026-08-01T00:00:00.000Z"), linkId, network: "base-sepolia", payer });
    const theirs = await stranger.sell({ at: dateOf("2026-07-01T00:00:00.000Z"), payer });
    const waiting = await shop.sell({ at: dateOf("2026-08-02T00:00:00.000Z"), state: "broadcast" });

    const listIds = (filter: Record<string, string>) => idsOf(shop, filter);
    expect(await listIds({})).toEqual([waiting.id, test.id, july.id, june.id]);
    expect(await listIds({ link: linkId })).toEqual([test.id, july.id]);
    expect(await listIds({ agent: shop.agentId })).toHaveLength(4);
    expect(await listIds({ source: "upl" })).toEqual([waiting.id, june.id]);
    expect(await listIds({ source: "payment_link" })).toEqual([test.id, july.id]);
    expect(await listIds({ payer: payer.toLowerCase() })).toEqual([test.id, june.id]);
    expect(await listIds({ payer: theirs.payer, source: "upl" })).toEqual([june.id]);
    expect(await listIds({ tx: String(test.txHash).toUpperCase().replace("X", "x") })).toEqual([test.id]);
    expect(await listIds({ tx: String(theirs.txHash) })).toEqual([]);
    expect(await listIds({ status: "pending" })).toEqual([waiting.id]);
    expect(await listIds({ status: "failed" })).toEqual([july.id]);
    expect(await listIds({ status: "settled", link: linkId })).toEqual([test.id]);
    expect(await listIds({ from: "2026-08-01" })).toEqual([waiting.id, test.id]);
    expect(await listIds({ to: "2026-07-31" })).toEqual([july.id, june.id]);
    expect(await listIds({ from: "2026-06-01", to: "2026-06-01" })).toEqual([june.id]);
    expect(await listIds({ from: "2026-06-02", to: "2026-06-01" })).toEqual([]);
  });

  test("contains the sales of a deleted agent and of a deleted link, by name", async () => {
    const shop = await seller();
    const linkId = await linkOf(shop);
    const { id } = await shop.sell({ linkId });
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: shop.agent.jwt });
    await call("DELETE", `/api/agents/${shop.agentId}`, { session: shop.owner.session });
    for (const filter of [{}, { link: linkId }, { agent: shop.agentId }]) {
      expect(await linesOf(shop, filter)).toMatchObject([
        { id: String(id), link_id: linkId, agent_name: "Test agent" },
      ]);
    }
  });

  test("treats another owner's agent or link as unknown", async () => {
    const [shop, stranger] = [await seller(), await seller()];
    const linkId = await linkOf(stranger);
    for (const [filter, code] of [
      [{ agent: stranger.agentId }, "agent_not_found"],
      [{ link: linkId }, "link_not_found"],
      [{ link: "lnk_000000000000000000000000" }, "link_not_found"],
    ] as const) {
      const { status, body, headers } = await refusal(shop, filter);
      expect([status, body]).toMatchObject([404, { status: "error", code }]);
      expect(headers.has("content-disposition")).toBe(false);
    }
  });

  test.each([
    ["status", "refundable"],
    ["status", ""],
    ["link", "' or 1=1"],
    ["link", "lnk_"],
    ["agent", "nobody"],
    ["source", "firewall"],
    ["payer", "0x12"],
    ["tx", "0x12"],
    ["from", "yesterday"],
    ["from", "2026-02-30"],
    ["from", "0000-01-01"],
    ["to", "2026-1-1"],
    ["to", "2026-01-01T00:00:00Z"],
  ])("rejects %s=%s instead of ignoring it", async (name, value) => {
    const shop = await seller();
    const { status, body } = await refusal(shop, { [name]: value });
    expect([status, body]).toMatchObject([400, { status: "error", code: "invalid_request", field: name }]);
    const twice = await call("GET", `${PATH}?${name}=1&${name}=2`, { session: shop.owner.session });
    expect([twice.status, twice.body]).toMatchObject([400, { code: "invalid_request", field: name }]);
  });

  test("contains no spreadsheet formula, and hostile text stays in one cell", async () => {
    const shop = await seller();
    const hostile = "\"\r\n=cmd|' /C calc'!A0,<script>alert(1)</script>;=1\t+1";
    const linkId = await linkOf(shop, hostile);
    await shop.sell({ linkId, description: `=HYPERLINK("https://evil.example";"x")` });
    await shop.sell({ description: "@SUM(A1:A9)" });
    await shop.sell({ description: "  +1" });
    const text = await csvText(await open(shop));
    const lines = parseCsv(text, SALE_COLUMNS);
    expect(lines.map((line) => line.description)).toEqual([
      "  '+1",
      "'@SUM(A1:A9)",
      `'=HYPERLINK("https://evil.example";"x")`,
    ]);
    expect(lines[2]?.link_description).toContain("<script>alert(1)</script>");
    expect(formulasIn(text)).toEqual([]);
  });

  test("contains each of thousands of payments by two agents once, newest first", async () => {
    const shop = await seller();
    const second = await seller();
    await testSystem.sql`update agents set owner_id = (select owner_id from agents where id = ${shop.agentId})
      where id = ${second.agentId}`;
    await crowd([shop.agentId, second.agentId], 2600);
    const ids = await idsOf(shop);
    expect(ids).toHaveLength(2600);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect((await idsOf(shop, { agent: second.agentId })).length).toBe(1300);
  });

  test("neither repeats nor misses sales that happen during the download", async () => {
    const shop = await seller();
    await crowd([shop.agentId], 1200);
    const response = await open(shop);
    await crowd([shop.agentId], 700);
    const lines = parseCsv(await csvText(response), SALE_COLUMNS);
    expect(new Set(lines.map((line) => line.id)).size).toBe(1200);
    expect(lines).toHaveLength(1200);
  });
});

/** `count` settled payments, distributed over the agents. */
async function crowd(agentIds: string[], count: number): Promise<void> {
  const { sql } = testSystem;
  const prefix = `stl_${Math.random().toString(36).slice(2, 10).padEnd(8, "0")}`;
  await sql`with sale as (
      insert into settlements (id, network, asset, payer, nonce, payee, amount, valid_after, valid_before, signature,
        purpose, subject, agent_id, resource, description, state, claimed_at_block, tx_hash, block_number, created_at, ended_at)
      select ${prefix} || lpad(n::text, 16, '0'), 'base', ${freshAddress()}, ${freshAddress()}, '0x' || md5(${prefix} || n) || md5(n::text), ${freshAddress()},
        n, 0, 1, '0x', 'upl', '', (${sql.array(agentIds)}::uuid[])[1 + n % ${agentIds.length}::int], '', '', 'settled', 0, '0x', 1, now(), now()
      from generate_series(1, ${count}::int) n returning id, agent_id, created_at)
    insert into received_payments (settlement_id, agent_id, owner_id, source, created_at)
    select sale.id, sale.agent_id, a.owner_id, 'upl', sale.created_at from sale join agents a on a.id = sale.agent_id
    order by sale.id`;
}

describe("a page of payments", () => {
  test("continues to the next page without a gap, whatever is sold in between", async () => {
    const shop = await seller();
    const sold = [];
    for (let n = 0; n < 7; n++) sold.push((await shop.sell({ state: n % 2 ? "void" : "settled" })).id);
    const ctx = await asking(shop.owner);
    const seen: number[] = [];
    let place: number | undefined;
    do {
      const page = await sales.list(ctx, { filter: { states: ["settled"] }, before: place, limit: 2 });
      seen.push(...page.rows.map(({ received }) => received.id));
      place = page.next ?? undefined;
      if (seen.length === 2) await shop.sell();
    } while (place !== undefined);
    expect(seen).toEqual(sold.filter((_, n) => n % 2 === 0).reverse());
  });

  test("shows one payment only to its owner, with what was sold", async () => {
    const [shop, stranger] = [await seller(), await seller()];
    const linkId = await linkOf(shop);
    const { id } = await shop.sell({ linkId, content: "shelf 7" });
    expect(await sales.get(await asking(shop.owner), id)).toMatchObject({ content: "shelf 7", link: { linkId } });
    const missing = { code: "PAYMENT_NOT_FOUND" };
    await expect(sales.get(await asking(stranger.owner), id)).rejects.toMatchObject(missing);
    await expect(sales.get(await asking(shop.owner), 999_999_999_999_999)).rejects.toMatchObject(missing);
  });
});
