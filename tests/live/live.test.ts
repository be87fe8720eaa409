import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AgentId, newId, type OwnerId, type SessionId } from "@/lib/core/ids";
import {
  ADDRESS_STREAMS_MAX,
  createStreams,
  missedSince,
  OWNER_STREAMS_MAX,
  type Stream,
  type Streams,
  streamsOf,
} from "@/lib/live/service";
import { announceSoon } from "@/lib/platform/announcements";
import type { Owner } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import type { Lease } from "@/lib/platform/lease";
import { passOn } from "@/lib/webhooks/jobs";
import { newAgent, newOwner, signInOwner, type TestOwner } from "../support/actors";
import { type EventStream, listenTo, refusedStream } from "../support/event-stream";
import { call } from "../support/http";
import { freshAddress, pay, signedMandate } from "../support/mandates";
import { until } from "../support/replica";
import { leaseFor, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const CALLER = "127.0.0.1";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let lease: Lease;
const streams: EventStream[] = [];

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  lease = await leaseFor(testSystem.system, "webhooks");
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

type Person = TestOwner & { ownerId: OwnerId };

async function person(): Promise<Person> {
  const owner = await newOwner();
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  await passOn(testSystem.system, lease);
  return { ...owner, ownerId: row?.id };
}

async function listening(options: Parameters<typeof listenTo>[0]) {
  const stream = await listenTo(options);
  streams.push(stream);
  return stream;
}

/** An event of the owner, as a domain records it; passed on by the job. */
async function happens(ownerId: OwnerId | null, change: { agentId?: AgentId; at?: Date } = {}): Promise<string> {
  const subject = newId("creditTransaction");
  const { at = new Date(), ...rest } = change;
  await record(testSystem.system.db, at, {
    type: "credits.taken_back",
    subject,
    ownerId,
    meta: { amount: "5" },
    ...rest,
  });
  await passOn(testSystem.system, lease);
  const [row] = await testSystem.sql`select id from events where subject = ${subject}`;
  return row?.id;
}

describe("GET /api/events", () => {
  test("requires a session", async () => {
    expect(await refusedStream()).toMatchObject({ status: 401, body: { code: "session_required" } });
  });

  test("sends an owner the id and kind of each new event, and nothing of other owners", async () => {
    const [owner, otherPerson] = [await person(), await person()];
    const [mine, theirs] = [await listening(owner), await listening(otherPerson)];
    expect(Object.fromEntries(mine.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const id = await happens(owner.ownerId);
    expect(await mine.next()).toEqual({ event: "change", id, data: { id, kind: "credits.taken_back" } });
    const last = await happens(otherPerson.ownerId);
    expect(await theirs.next()).toMatchObject({ id: last });
  });

  test("sends an agent's event to the agent's present owner, although the event names no owner", async () => {
    const owner = await person();
    const agent = await newAgent();
    await testSystem.sql`update agents set owner_id = ${owner.ownerId} where id = ${agent.agentId}`;
    const stream = await listening(owner);
    const id = await happens(null, { agentId: agent.agentId as AgentId });
    expect(await stream.next()).toMatchObject({ event: "change", id });
  });

  test("begins after the event that a page shows, and a minute before the last event of an interrupted connection", async () => {
    const owner = await person();
    const [first, second, third] = [
      await happens(owner.ownerId),
      await happens(owner.ownerId),
      await happens(owner.ownerId),
    ];
    const idsOf = async (options: { since?: string; lastEventId?: string }) => {
      const { missed, ready } = await listening({ ...owner, ...options });
      expect(ready.id).toBe(third);
      return missed.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([]);
    expect(await idsOf({ since: third })).toEqual([]);
    expect(await idsOf({ since: second })).toEqual([third]);
    // Also the sign-in, less than a minute before.
    expect(await idsOf({ lastEventId: second })).toEqual([expect.stringMatching(/^evt_/), first, third]);
    expect(await idsOf({ lastEventId: second, since: third })).toHaveLength(3);
  });

  test("sends only that something was missed when it does not know the last event", async () => {
    const [owner, otherPerson] = [await person(), await person()];
    const foreign = await happens(otherPerson.ownerId);
    for (const lastEventId of ["none", foreign, "evt_\u00e9"]) {
      const { missed } = await listening({ ...owner, since: encodeURIComponent(lastEventId) });
      expect(missed).toEqual([{ event: "change", id: null, data: { id: null, kind: "missed" } }]);
    }
    expect(await call("GET", `/api/events?lastEventId=${"x".repeat(101)}`, { session: owner.session })).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
  });

  test("reports a signed payment, which no event records", async () => {
    const { owner, agent, mandateId } = await signedMandate();
    await passOn(testSystem.system, lease);
    const stream = await listening(owner);
    expect(await pay(agent, mandateId)).toMatchObject({ status: 200 });
    // The job passes on what the owner did before, too, as late as it comes to it.
    let message = await stream.next();
    while (message?.id) message = await stream.next();
    expect(message).toEqual({ event: "change", id: null, data: { id: null, kind: "payment.signed" } });
  });

  test("limits the number of open streams per owner; closed ones do not count", async () => {
    const owner = await person();
    for (let index = 0; index < OWNER_STREAMS_MAX; index++) await listening(owner);
    expect(await refusedStream(owner.session)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    streams.at(-1)?.close();
    await until(
      async () =>
        listening(owner).then(
          () => true,
          () => false,
        ),
      "a free place",
    );
  });
});

describe("the event streams from one client address", () => {
  const ownerNumber = (n: number): Owner => ({
    type: "owner",
    ownerId: `own_${n}` as OwnerId,
    address: freshAddress(),
  });
  const openBy = (all: Streams, caller: string, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => all.open(ownerNumber(from + index), caller));

  test("are limited together for all owners there, and closing one allows another", () => {
    const all = createStreams(testSystem.system);
    const [first] = openBy(all, "203.0.113.1", ADDRESS_STREAMS_MAX);
    expect(() => openBy(all, "203.0.113.1", 1, 500)).toThrow(expect.objectContaining({ code: "rate_limited" }));
    openBy(all, "203.0.113.2", 1, 600);
    first?.end();
    openBy(all, "203.0.113.1", 1, 700);
    all.close();
  });

  test("lose one to an address with fewer streams when the process has no free stream left", async () => {
    const all = createStreams(testSystem.system, 10);
    const many = openBy(all, "203.0.113.1", 8);
    openBy(all, "203.0.113.2", 2, 100);
    const honest = openBy(all, "203.0.113.3", 1, 200);
    const isEnded = async ({ body }: Stream) => {
      const reader = body.getReader();
      const read = await Promise.race([reader.read(), sleep(20)]);
      return read?.done === true;
    };
    expect(await Promise.all(many.map(isEnded))).toEqual([...Array(7).fill(false), true]);
    expect(await Promise.all(honest.map(isEnded))).toEqual([false]);
    // Its own share is no less than others': it cannot take from them.
    expect(() => openBy(all, "203.0.113.1", 1, 300)).toThrow(expect.objectContaining({ code: "unavailable" }));
    openBy(all, "203.0.113.4", 3, 400);
    all.close();
  });
});

describe("the event streams of this process", () => {
  const owner = async (): Promise<{ ownerId: OwnerId; sessionId: SessionId; person: Person }> => {
    const one = await person();
    const [row] = await testSystem.sql`select id from sessions where owner_id = ${one.ownerId}`;
    return { ownerId: one.ownerId, sessionId: row?.id, person: one };
  };
  const actorOf = ({ ownerId, sessionId, person: { address } }: Awaited<ReturnType<typeof owner>>) => ({
    type: "owner" as const,
    ownerId,
    sessionId,
    address,
  });
  const reading = (stream: Stream) => {
    const reader = stream.body.getReader();
    const decoder = new TextDecoder();
    return async () => {
      const { value } = await reader.read();
      return value && decoder.decode(value);
    };
  };

  test("end with their session, and not with another session", async () => {
    const of = await owner();
    await signInOwner(of.person.account);
    const [, other] = await testSystem.sql`select id from sessions where owner_id = ${of.ownerId} order by created_at`;
    const ownStreams = streamsOf(testSystem.system);
    const [ending, staying] = [
      ownStreams.open(actorOf(of), CALLER),
      ownStreams.open({ ...actorOf(of), sessionId: other?.id }, CALLER),
    ];
    for (const stream of [ending, staying]) stream.begin([], null);
    await call("DELETE", `/api/sessions/${of.sessionId}`, { session: of.person.session });
    await ownStreams.beat();
    const [readEnding, readStaying] = [reading(ending), reading(staying)];
    await readEnding();
    await readEnding();
    expect(await readEnding()).toBeUndefined();
    await readStaying();
    await readStaying();
    expect(await readStaying()).toContain('"kind":"missed"');
    expect(await readStaying()).toContain("event: alive");
    staying.end();
  });

  test("find an event whose notification was lost, once", async () => {
    const of = await owner();
    const ownStreams = streamsOf(testSystem.system);
    const stream = ownStreams.open(actorOf(of), CALLER);
    const [row] =
      await testSystem.sql`select id from events where owner_id = ${of.ownerId} order by created_at desc limit 1`;
    stream.begin([], row?.id);
    const next = reading(stream);
    // What the sign-in did may be announced after the last event was read.
    while (!(await next())?.includes("event: ready"));
    await ownStreams.beat();
    expect(await next()).toContain("event: alive");
    const time = new Date(Date.now() + 1_000);
    await record(testSystem.system.db, time, { type: "credits.taken_back", subject: "x", ownerId: of.ownerId });
    await testSystem.sql`delete from event_outbox`;
    await ownStreams.beat();
    expect(await next()).toContain('"kind":"missed"');
    expect(await next()).toContain("event: alive");
    await ownStreams.beat();
    expect(await next()).toContain("event: alive");
    stream.end();
  });

  test("send missed events first and then those recorded while the stream was opened, each once", async () => {
    const of = await owner();
    const stream = streamsOf(testSystem.system).open(actorOf(of), CALLER);
    await until(async () => {
      await sleep(0);
      return testSystem.sql`select 1 from pg_stat_activity where application_name = 'tessera hub'`.then(
        (rows) => rows.length > 0,
      );
    }, "the listener");
    await sleep(100);
    const id = await happens(of.ownerId);
    await sleep(200);
    stream.begin([{ id, kind: "credits.taken_back" }], id);
    const next = reading(stream);
    expect(await next()).toContain("retry:");
    announceSoon(testSystem.system, of.ownerId, "payment.signed");
    // Also what the owner did before, such as signing in: on a busy machine it is announced late.
    const lines: string[] = [];
    while (lines.at(-1) !== 'event: change\ndata: {"id":null,"kind":"payment.signed"}\n\n') {
      const line = await next();
      if (line === undefined) throw new Error("the stream ended");
      lines.push(line);
    }
    expect(lines.filter((line) => line.startsWith(`id: ${id}\nevent: change`))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("event: ready"))).toHaveLength(1);
    expect(lines.findIndex((line) => line.includes("event: ready"))).toBeGreaterThan(
      lines.findIndex((line) => line.startsWith(`id: ${id}\n`)),
    );
    stream.end();
  });

  test("disconnect a browser that does not read", async () => {
    const of = await owner();
    const stream = streamsOf(testSystem.system).open(actorOf(of), CALLER);
    const many = Array.from({ length: 400 }, () => ({ id: newId("event"), kind: "payment.settled" }));
    stream.begin(many, null);
    const next = reading(stream);
    let count = 0;
    while ((await next()) !== undefined) count += 1;
    expect(count).toBeLessThan(300);
  });

  test("close for good", async () => {
    const otherSystem = openSystem();
    const of = await owner();
    const ownStreams = streamsOf(otherSystem.system);
    const stream = ownStreams.open(actorOf(of), CALLER);
    stream.begin([], null);
    ownStreams.close();
    const next = reading(stream);
    await next();
    await next();
    expect(await next()).toBeUndefined();
    expect(() => ownStreams.open(actorOf(of), CALLER)).toThrow(expect.objectContaining({ code: "unavailable" }));
    await otherSystem.close();
  });
});

test("events with equal times are ordered by their position in the list", () => {
  const time = new Date("2026-03-01T12:00:00Z");
  const events = ["c", "b", "a"].map((id) => ({ id, type: `${id}.x`, createdAt: time }));
  const idsSince = (lastEventId: string, isReconnecting: boolean) =>
    missedSince(events, { lastEventId, isReconnecting }).map(({ id }) => id);
  expect(idsSince("b", false)).toEqual(["c"]);
  expect(idsSince("b", true)).toEqual(["a", "c"]);
});
