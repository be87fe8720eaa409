import { beforeAll, describe, expect, test } from "vitest";
import * as agents from "@/lib/agents/service";
import * as approvals from "@/lib/approvals/service";
import { COUNTED_MAX } from "@/lib/core/page";
import * as links from "@/lib/links/service";
import * as lists from "@/lib/mandates/lists";
import * as payouts from "@/lib/payouts/owner/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, type Parties, proposed, signedMandate } from "../support/mandates";
import { runService } from "../support/service";

/** One agent of an owner has a hundred thousand rows of each kind. The rows of other agents must stay visible. */

const service = runService();
const ROWS = 100_000;

let pair: Parties;
let quiet: TestAgent;
let ctx: Ctx<Owner>;
let mine: { active: string; paused: string; waiting: string };

/** Another agent of the same owner. */
async function another({ owner }: Parties): Promise<TestAgent> {
  const agent = await newAgent("Quiet agent");
  const { mandateId, token } = await proposed(agent);
  await owned(owner, mandateId, "claim", { token });
  await owned(owner, mandateId, "reject");
  return agent;
}

/** Copies a row `ROWS` times, each copy a millisecond newer than the one before. */
const crowd = (table: string, column: string, prefix: string, id: string, change = "'{}'::jsonb", rows = ROWS) =>
  service.opened.sql.unsafe(
    `insert into ${table} overriding system value
     select r.* from ${table} m cross join generate_series(1, ${rows}) i cross join lateral jsonb_populate_record(m, jsonb_build_object(
       '${column}', '${prefix}_' || lpad(i::text, 24, '0'), 'created_at', m.created_at + i * interval '1 millisecond') || ${change}) r
     where m.${column} = '${id}'`,
  );

beforeAll(async () => {
  pair = await linkedPair();
  quiet = await another(pair);
  const parties = { owner: pair.owner, agent: quiet };
  const { mandateId: active } = await signedMandate({}, parties);
  const { mandateId: paused } = await signedMandate({}, parties);
  await owned(pair.owner, paused, "enabled", { isEnabled: false });
  const { mandateId: waiting } = await proposed(quiet);
  mine = { active, paused, waiting };
  const [owner] = await service.opened.sql`select id, address from owners where address = ${pair.owner.address}`;
  const actor = { type: "owner", ownerId: owner?.id, address: pair.owner.address } as const;
  ctx = { ...service.opened.system, requestId: "test", actor };
}, 60_000);

describe("the lists of mandates", () => {
  let hostile: Parties;
  let live: string;
  beforeAll(async () => {
    hostile = pair;
    live = (await signedMandate({}, hostile)).mandateId;
    const { mandateId } = await proposed(hostile.agent);
    await crowd("mandates", "id", "mand", mandateId);
    await service.opened.sql`analyze mandates`;
  }, 120_000);

  test("show an owner usable mandates first, then paused ones, with the counts of all", async () => {
    const { rows, next } = await lists.listForOwner(ctx, {}, { limit: 20 });
    expect(rows).toHaveLength(20);
    expect(rows.slice(0, 3).map((m) => m.mandateId)).toEqual([live, mine.active, mine.paused]);
    expect(next).toMatchObject({ group: "waiting" });
    const counts = await lists.countForOwner(ctx);
    expect(counts).toEqual({ active: 2, paused: 1, waiting: COUNTED_MAX, ended: 2 });
    const ofQuiet = await lists.countForOwner(ctx, { agentId: quiet.agentId as never });
    expect(ofQuiet).toEqual({ active: 1, paused: 1, waiting: 1, ended: 1 });
  });

  test("filtered by status or agent include matches that are far back in the list", async () => {
    const { rows: active } = await lists.listForOwner(ctx, { group: "active" }, { limit: 20 });
    expect(active.map((m) => m.mandateId)).toEqual([live, mine.active]);
    const { rows: ended } = await lists.listForOwner(ctx, { group: "ended" }, { limit: 20 });
    expect(ended.map((m) => m.status)).toEqual(["rejected", "rejected"]);
    const { rows } = await lists.listForOwner(ctx, { agentId: quiet.agentId as never }, { limit: 20 });
    expect(rows.map((m) => m.mandateId).slice(0, 3)).toEqual([mine.active, mine.paused, mine.waiting]);
    expect(rows).toHaveLength(4);
  });

  test("on the overview of waiting requests show each agent's newest one", async () => {
    const { waiting } = await lists.listWatched(ctx, 5);
    expect(waiting).toHaveLength(5);
    expect(waiting.map((m) => m.mandateId)).toContain(mine.waiting);
  });

  test("on the agents page count the usable mandates of each agent", async () => {
    const counts = await lists.countByAgent(ctx);
    expect(counts.get(quiet.agentId as never)).toEqual({ total: 4, active: 1 });
    expect(counts.get(hostile.agent.agentId as never)).toMatchObject({ active: 1 });
  });

  test("for the agent itself start with usable mandates and page through all of them once", async () => {
    const get = async (query = "") =>
      (await call("GET", `/api/mandates${query}`, { bearer: hostile.agent.jwt })).body as Json;
    const first = await get();
    expect(first.mandates).toHaveLength(100);
    expect(first.mandates[0]).toMatchObject({ mandateId: live, status: "signed" });
    expect(first.nextCursor).toMatch(/^waiting\.\d+\.mand_/);
    // The last pages of the list, from the oldest copies on.
    const [{ at } = { at: 0 }] = await service.opened
      .sql`select extract(epoch from created_at) * 1000 as at from mandates where id = ${`mand_${"150".padStart(24, "0")}`}`;
    const seen: string[] = [];
    let cursor: string | null = `waiting.${Math.round(Number(at))}.mand_${"150".padStart(24, "0")}`;
    while (cursor) {
      const page: Json = await get(`?limit=70&cursor=${cursor}`);
      seen.push(...page.mandates.map((m: Json) => m.mandateId));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    // 149 copies, their original, and the request that was rejected when agent and owner were linked.
    expect(seen).toHaveLength(151);
    const { body } = await call("GET", "/api/agent/self/status", { bearer: hostile.agent.jwt });
    expect((body as Json).mandates).toMatchObject({ open: ROWS + 2, total: ROWS + 3, itemsTruncated: true });
    expect((body as Json).mandates.items[0].mandateId).toBe(live);
  });

  test("show waiting and usable mandates also behind many lapsed, rejected and revoked ones", async () => {
    await service.opened.sql`update mandates set created_at = created_at - interval '2 days' where id like 'mand_000%'`;
    const { rows } = await lists.listForOwner(ctx, {}, { limit: 20 });
    expect(
      rows
        .slice(0, 4)
        .map((m) => m.mandateId)
        .sort(),
    ).toEqual([live, mine.active, mine.paused, rows[3]?.mandateId ?? ""].sort());
    expect(rows[3]?.status).toBe("pending_signature");
    expect((await lists.countForOwner(ctx)).waiting).toBe(2);
    expect((await lists.listWatched(ctx, 5)).waiting.map((m) => m.mandateId)).toContain(mine.waiting);
  });

  test.each([
    "",
    "x",
    "active",
    "active.",
    "signed.1.mand_000000000000000000000001",
    "active.1.pay_000000000000000000000001x!",
    "waiting.99999999999999.mand_000000000000000000000001",
  ])("reject the invalid cursor %j", async (cursor) => {
    const { status, body } = await call("GET", `/api/mandates?cursor=${encodeURIComponent(cursor)}`, {
      bearer: quiet.jwt,
    });
    expect([status, (body as Json).code]).toEqual([400, "invalid_request"]);
  });

  test.each(["0", "201", "-1", "1.5", "", "1e2", "07"])("reject the limit %j", async (limit) => {
    const { status } = await call("GET", `/api/mandates?limit=${limit}`, { bearer: quiet.jwt });
    expect(status).toBe(400);
  });
});

test("the list of payments waiting for approval contains each agent's newest one", async () => {
  const requestApproval = async ({ jwt }: TestAgent) => {
    const json = { amount: "1", payTo: freshAddress(), resource: "https://api.example.com/" };
    return ((await call("POST", "/api/payment/x402V1Payment", { bearer: jwt, json })).body as Json)
      .approvalId as string;
  };
  const [own, theirs] = [await requestApproval(quiet), await requestApproval(pair.agent)];
  await crowd("approvals", "id", "apr", theirs);
  const ids = (await approvals.listWaiting(ctx)).map(({ approval }) => approval.id);
  expect(ids).toContain(own);
  expect(ids).toHaveLength(20);
});

test("the list of payouts waiting for approval contains each agent's newest one, and further pages", async () => {
  const requestPayout = async ({ jwt }: TestAgent) => {
    const json = { toAddress: freshAddress(), amount: "1" };
    return ((await call("POST", "/api/payouts", { bearer: jwt, json })).body as Json).payoutId as string;
  };
  const [own, theirs] = [await requestPayout(quiet), await requestPayout(pair.agent)];
  const { sql } = service.opened;
  const [row] = await sql`select id from payouts where payout_id = ${theirs}`;
  await crowd("payouts", "id", "pyo", row?.id, "jsonb_build_object('payout_id', 'copy ' || i)", 20_000);
  await sql`insert into payout_legs select r.* from payout_legs l cross join generate_series(1, 20000) i
    cross join lateral jsonb_populate_record(l, jsonb_build_object('payout', 'pyo_' || lpad(i::text, 24, '0'))) r where l.payout = ${row?.id}`;
  const shown = (await payouts.listWaiting(ctx)).map(({ payout }) => payout.payoutId);
  expect(shown).toContain(own);
  expect(shown).toHaveLength(20);
  const { rows } = await payouts.list(ctx, { agentId: quiet.agentId as never }, { limit: 20 });
  expect(rows.map(({ payout }) => payout.payoutId)).toEqual([own]);
  await sql`delete from payout_legs where payout like 'pyo_000%'`;
  await sql`delete from payouts where id like 'pyo_000%'`;
}, 60_000);

test("one agent's links are found among another agent's, by filter and page", async () => {
  const createLink = async ({ jwt }: TestAgent) =>
    ((await call("POST", "/api/payment-links", { bearer: jwt, json: { amount: "10000" } })).body as Json).paymentLink
      .linkId as string;
  const [own, theirs] = [await createLink(quiet), await createLink(pair.agent)];
  await crowd("payment_links", "link_id", "lnk", theirs, "jsonb_build_object('id', 1000000 + i)");
  const idsOf = (page: Awaited<ReturnType<typeof links.listForOwner>>) => page.rows.map(({ view }) => view.link.linkId);
  const order = { by: "created", isAscending: false } as const;
  const filter = { search: undefined, state: undefined, order, limit: 20 };
  const ofQuiet = await links.listForOwner(ctx, { ...filter, agentId: quiet.agentId as never } as never);
  expect(idsOf(ofQuiet)).toContain(own);
  const all = await links.listForOwner(ctx, filter as never);
  expect(idsOf(all)).not.toContain(own);
});

test("one agent's events are found among another agent's, by filter", async () => {
  const { sql } = service.opened;
  await sql`insert into events (id, type, subject, owner_id, agent_id, meta, created_at)
    select 'evt_' || lpad(i::text, 24, '0'), 'mandate.created', 'x', ${ctx.actor.ownerId}, ${pair.agent.agentId}, '{}', now() + i * interval '1 millisecond'
    from generate_series(1, ${ROWS}) i`;
  const filter = { agent: quiet.agentId as never };
  const { rows } = await agents.activity(ctx, { filter, limit: 5 });
  expect(rows).toHaveLength(5);
  expect(new Set(rows.map((event) => event.agentId))).toEqual(new Set([quiet.agentId]));
  const signed = await agents.activity(ctx, { filter: { type: "mandate.signed" }, limit: 10 });
  expect(signed.rows.length).toBeGreaterThanOrEqual(2);
});
