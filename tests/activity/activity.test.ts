import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { record } from "@/lib/platform/events";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { csvText, formulasIn, type Line, parseCsv } from "../support/csv";
import { BASE_URL, call, fetchPath } from "../support/http";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const HEADER = ["time", "type", "agent_id", "agent_name", "subject", "details", "id"];

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let agents: typeof import("@/lib/agents/service");
let closeSystem: () => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  agents = await import("@/lib/agents/service");
  ({ closeSystem } = await import("../support/wiring"));
});

afterAll(async () => {
  await closeSystem?.();
  await testSystem?.close();
  await world?.stop();
});

type Person = TestOwner & { ownerId: OwnerId };

async function person(): Promise<Person> {
  const owner = await newOwner();
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  return { ...owner, ownerId: row?.id };
}

const link = ({ agentId }: TestAgent, { ownerId }: Person) =>
  testSystem.system.db.transaction((tx) => agents.linkAgent(tx, agentId as AgentId, ownerId, new Date()));

async function linkedAgent(name: string, owner: Person): Promise<TestAgent> {
  const agent = await newAgent(name);
  await link(agent, owner);
  return agent;
}

/** The response, with an unread body. */
async function open({ session }: TestOwner, filter: Record<string, string> = {}): Promise<Response> {
  const headers = { cookie: `next-auth.session-token=${session}`, origin: BASE_URL };
  return fetchPath("GET", `/api/activity.csv?${new URLSearchParams(filter)}`, { headers });
}

const refusal = ({ session }: TestOwner, filter: Record<string, string> = {}) =>
  call("GET", `/api/activity.csv?${new URLSearchParams(filter)}`, { session });

async function linesOf(owner: TestOwner, filter: Record<string, string> = {}): Promise<Line[]> {
  const response = await open(owner, filter);
  expect(response.status).toBe(200);
  return parse(await csvText(response));
}

const typesOf = async (owner: TestOwner, filter: Record<string, string> = {}) =>
  (await linesOf(owner, filter)).map((line) => line.type);

const parse = (text: string): Line[] => parseCsv(text, HEADER);

/** `count` events with the same time, as a batch inserts them. */
const crowd = ({ agentId }: TestAgent, ownerId: OwnerId | null, count: number, time: Date) =>
  testSystem.sql`insert into events (id, type, owner_id, agent_id, subject, meta, created_at)
    select 'evt_' || substr(md5(${agentId}::text || n), 1, 24), 'VC_ISSUED', ${ownerId}, ${agentId}, 'vc_' || n, '{}', ${time}
    from generate_series(1, ${count}::int) n`;

describe("GET /api/activity.csv", () => {
  test("returns a CSV file of the owner's events, newest first", async () => {
    const owner = await person();
    const agent = await linkedAgent("Shopper", owner);
    const response = await open(owner);
    const today = new Date().toISOString().slice(0, 10);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="tessera-activity-${today}.csv"`,
        "cache-control": "no-store",
        "x-request-id": expect.any(String),
      },
    ]);
    const event = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      id: expect.stringMatching(/^evt_/),
      details: "{}",
    };
    const ofAgent = { ...event, agent_id: agent.agentId, agent_name: "Shopper", subject: agent.agentId };
    expect(parse(await csvText(response))).toEqual([
      { ...ofAgent, type: "agent.linked" },
      { ...ofAgent, type: "agent.registered" },
      { ...event, type: "owner.signed_in", agent_id: "", agent_name: "", subject: owner.ownerId },
    ]);
  });

  test("requires an owner's session; an agent's login is rejected", async () => {
    const agent = await newAgent();
    for (const options of [{}, { bearer: agent.jwt }]) {
      const { status, body } = await call("GET", "/api/activity.csv", options);
      expect([status, body]).toMatchObject([401, { status: "error", code: "session_required" }]);
    }
  });

  test("contains no events of other owners and no events without an owner", async () => {
    const [owner, stranger] = [await person(), await person()];
    const theirs = await linkedAgent("Theirs", stranger);
    const unlinked = await newAgent("Unlinked");
    await record(
      testSystem.system.db,
      new Date(),
      { type: "identity.key_published", subject: "key", meta: {} },
      { type: "VC_ISSUED", subject: newId("credential"), agentId: unlinked.agentId as AgentId },
      { type: "VC_ISSUED", subject: newId("credential"), agentId: theirs.agentId as AgentId },
    );
    expect(await typesOf(owner)).toEqual(["owner.signed_in"]);
    const { status, body, headers } = await refusal(owner, { agent: theirs.agentId });
    expect([status, body]).toMatchObject([404, { status: "error", code: "agent_not_found" }]);
    expect(headers.has("content-disposition")).toBe(false);
  });

  test("contains the events of an agent from before it was linked and from after it was deleted", async () => {
    const owner = await person();
    const agent = await newAgent("Early bird");
    const json = { challenge: "c", audience: "https://early.example", ttl_seconds: 900 };
    await call("POST", "/agent/vc/issue", { bearer: agent.jwt, json });
    await link(agent, owner);
    await testSystem.sql`update agents set bound_at = now() where id = ${agent.agentId}`;
    await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    expect(await typesOf(owner, { agent: agent.agentId })).toEqual([
      "agent.deleted",
      "agent.linked",
      "VC_ISSUED",
      "agent.registered",
    ]);
    const [issued] = await linesOf(owner, { kind: "credential" });
    expect(issued).toMatchObject({ agent_name: "Early bird", agent_id: agent.agentId });
    expect(JSON.parse(issued?.details ?? "")).toEqual({
      jti: issued?.subject,
      audience: "https://early.example",
      ttl_seconds: 900,
      challenge_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("filters by agent, by kind, by exact type, and by several of these at once", async () => {
    const owner = await person();
    const [first, second] = [await linkedAgent("First", owner), await linkedAgent("Second", owner)];
    await crowd(first, owner.ownerId, 1, new Date());
    await crowd(second, null, 1, new Date());
    await record(testSystem.system.db, new Date(), {
      type: "payment.settled",
      subject: newId("payment"),
      ownerId: owner.ownerId,
      agentId: first.agentId as AgentId,
    });
    const sortedTypes = async (filter: Record<string, string>) => (await typesOf(owner, filter)).sort();

    expect(await sortedTypes({ kind: "money" })).toEqual(["payment.settled"]);
    expect(await sortedTypes({ kind: "credential" })).toEqual(["VC_ISSUED", "VC_ISSUED"]);
    expect(await sortedTypes({ kind: "owner" })).toEqual(["owner.signed_in"]);
    expect(await sortedTypes({ type: "agent.linked" })).toEqual(["agent.linked", "agent.linked"]);
    expect(await sortedTypes({ agent: second.agentId })).toEqual(["VC_ISSUED", "agent.linked", "agent.registered"]);
    expect(await sortedTypes({ agent: first.agentId, kind: "agent" })).toEqual(["agent.linked", "agent.registered"]);
    expect(await sortedTypes({ agent: first.agentId, type: "VC_ISSUED" })).toEqual(["VC_ISSUED"]);
    expect(await sortedTypes({ agent: second.agentId, type: "payment.settled" })).toEqual([]);
    expect(await sortedTypes({ kind: "mandate", type: "agent.linked" })).toEqual([]);
  });

  test("rejects an invalid filter instead of ignoring it", async () => {
    const owner = await person();
    for (const [name, value] of [
      ["agent", "nobody"],
      ["kind", "everything"],
      ["type", "a.b.c"],
      ["type", "' or 1=1"],
    ] as const) {
      const { status, body } = await refusal(owner, { [name]: value });
      expect([status, body]).toMatchObject([400, { code: "invalid_request", field: name }]);
    }
  });

  test("contains no spreadsheet formula, and hostile text stays in one cell", async () => {
    const owner = await person();
    const name = '=HYPERLINK("https://evil.example";"x"), "y";=1+1';
    const agent = await linkedAgent(name, owner);
    const audience = "\"\r\n=cmd|' /C calc'!A0,\u202e<script>alert(1)</script>;=1\t+1";
    await call("POST", "/agent/vc/issue", { bearer: agent.jwt, json: { challenge: "c", audience, ttl_seconds: 1 } });
    const text = await csvText(await open(owner, { agent: agent.agentId }));
    const [issued, ...rest] = parse(text);
    expect(rest).toHaveLength(2);
    expect(issued?.agent_name).toBe(`'${name.replace(";=", ";'=")}`);
    expect(JSON.parse(issued?.details ?? "")).toMatchObject({ audience });
    expect(formulasIn(text)).toEqual([]);
  });

  test("contains each of ten thousand events with the same time exactly once", async () => {
    const owner = await person();
    const agent = await linkedAgent("Busy", owner);
    const time = new Date();
    await crowd(agent, owner.ownerId, 6000, time);
    const unlinked = await linkedAgent("Busy before", owner);
    await crowd(unlinked, null, 4000, time);
    const lines = await linesOf(owner, { kind: "credential" });
    expect(lines).toHaveLength(10_000);
    expect(new Set(lines.map((line) => line.id)).size).toBe(10_000);
    expect(new Set(lines.map((line) => line.time))).toEqual(new Set([time.toISOString()]));
  });

  test("neither repeats nor misses events that are recorded during the download", async () => {
    const owner = await person();
    const agent = await linkedAgent("Steady", owner);
    const time = new Date(Date.now() - 60_000);
    await crowd(agent, owner.ownerId, 2000, time);
    const response = await open(owner, { type: "VC_ISSUED" });
    const later = await linkedAgent("Later", owner);
    await crowd(later, owner.ownerId, 1000, new Date());
    const lines = parse(await csvText(response));
    expect(lines).toHaveLength(2000);
    expect(new Set(lines.map((line) => line.subject)).size).toBe(2000);
    expect(lines.filter((line) => line.agent_id !== agent.agentId)).toEqual([]);
  });

  test("aborts the download when a page of events cannot be read, instead of ending the file early", async () => {
    const owner = await person();
    await crowd(await linkedAgent("Cut off", owner), owner.ownerId, 2000, new Date());
    const response = await open(owner);
    expect(response.status).toBe(200);
    await testSystem.sql`alter table events rename to events_elsewhere`;
    try {
      await expect(response.text()).rejects.toThrow();
      // A failure before the first line gets an ordinary error response.
      const { status, body } = await refusal(owner);
      expect([status, body]).toMatchObject([500, { status: "error", code: "internal_error" }]);
    } finally {
      await testSystem.sql`alter table events_elsewhere rename to events`;
    }
  });
});

test("the events of all agents are included for an owner of thousands of agents", async () => {
  const owner = await person();
  const agent = await linkedAgent("One of many", owner);
  await testSystem.sql`
    insert into agents (id, name, client_info, token_hash, owner_id, created_at)
    select gen_random_uuid(), 'Crowd', '', '', ${owner.ownerId}, now() from generate_series(1, 4000)`;
  expect(await typesOf(owner)).toEqual(["agent.linked", "agent.registered", "owner.signed_in"]);
  expect(await typesOf(owner, { agent: agent.agentId })).toEqual(["agent.linked", "agent.registered"]);
});

test("the activity page pages through events with the same time without missing one", async () => {
  const owner = await person();
  const agent = await linkedAgent("Crowded", owner);
  await crowd(agent, owner.ownerId, 150, new Date());
  await crowd(await linkedAgent("Crowded too", owner), null, 150, new Date());
  const actor = { type: "owner" as const, ownerId: owner.ownerId, address: owner.address };
  const asking = { ...testSystem.system, actor };
  const seen: string[] = [];
  let after: Cursor | undefined;
  do {
    const page = await agents.activity(asking, { filter: {}, after, limit: 30 });
    seen.push(...page.rows.map((event) => event.id));
    after = page.next ?? undefined;
  } while (after);
  // Two registrations, two links, one sign-in.
  expect(seen).toHaveLength(305);
  expect(new Set(seen).size).toBe(305);
});
