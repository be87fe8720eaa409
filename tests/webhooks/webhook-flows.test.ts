import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { newId, type OwnerId } from "@/lib/core/ids";
import { record } from "@/lib/platform/events";
import { type Lease, LeaseLost } from "@/lib/platform/lease";
import type { Post, Reply } from "@/lib/platform/outbound";
import { observerName, relayerName } from "@/lib/settlements/jobs";
import { claim, passOn, webhookJob } from "@/lib/webhooks/jobs";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { assertDocumentedMessage } from "../support/documented";
import { failLikeOldNode, HOSTILE_HEADERS } from "../support/hostile-names";
import { call } from "../support/http";
import { type Json, linkedPair } from "../support/mandates";
import { type Receiver, startReceiver, verified } from "../support/receiver";
import { startReplica, until } from "../support/replica";
import { leaseFor, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const HOUR_MS = 3_600_000;
const CLAIM_MS = 60_000;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let lease: Lease;
let receivers: Receiver[];
let ahead = 0;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  testSystem = openSystem({ now: () => new Date(Date.now() + ahead) });
  lease = await leaseFor(testSystem.system, "webhooks");
});
beforeEach(() => {
  receivers = [];
  ahead = 0;
});
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  for (const { body } of receivers.flatMap(({ got }) => got)) assertDocumentedMessage(JSON.parse(body));
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
  await testSystem.sql`delete from webhooks`;
  await testSystem.sql`delete from event_outbox`;
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

async function receiving(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

type Added = { webhookId: string; secret: string };

async function added(owner: TestOwner, json: object): Promise<Added> {
  const { status, body } = await confirmedCall(owner, "/api/webhooks", json);
  expect({ status, body }).toMatchObject({ status: 201 });
  return { webhookId: (body as Json).webhook.webhookId, secret: (body as Json).secret };
}

const change = (owner: TestOwner, { webhookId }: Added, json: object) =>
  confirmedCall(owner, `/api/webhooks/${webhookId}`, json, undefined, "PATCH");

const logOf = async ({ session }: TestOwner, { webhookId }: Added): Promise<Json[]> =>
  ((await call("GET", `/api/webhooks/${webhookId}/deliveries?limit=100`, { session })).body as Json).deliveries;

const webhookOf = async ({ session }: TestOwner, { webhookId }: Added): Promise<Json> =>
  ((await call("GET", `/api/webhooks/${webhookId}`, { session })).body as Json).webhook;

const ownerIdOf = async ({ address }: TestOwner): Promise<OwnerId> => {
  const [row] = await testSystem.sql`select id from owners where address = ${address}`;
  return row?.id;
};

/** Records an event of the owner, as a domain does. */
const happens = (ownerId: OwnerId, time = new Date()) => ({
  at: time,
  event: { type: "credits.taken_back", subject: newId("creditTransaction"), ownerId, meta: { amount: "5" } },
});

async function recorded(ownerId: OwnerId, count = 1): Promise<void> {
  const { at, event } = happens(ownerId);
  await record(testSystem.system.db, at, ...Array.from({ length: count }, () => event));
}

/** Rounds until nothing more is due. */
async function work(job = webhookJob(testSystem.system)): Promise<void> {
  for (;;) {
    await job.round(lease, true);
    await job.stop?.();
    const [row] = await testSystem.sql`
      select (select count(*) from event_outbox)::int as events, (select count(*) from webhook_deliveries
        where state = 'waiting' and next_attempt_at <= ${testSystem.system.now()})::int as due`;
    if (row?.events === 0 && row.due === 0) return;
  }
}

const typesAt = (receiver: Receiver) => receiver.got.map(({ body }) => JSON.parse(body).type).sort();

describe("/readyz", () => {
  /** After the time for which one reading serves all. */
  const report = async (): Promise<Json> => {
    await sleep(1_100);
    return (await call("GET", "/readyz")).body;
  };

  /** Simulates another process that reads and sends on every network, because only the tested job runs here. */
  async function withOtherJobs(): Promise<void> {
    const { config } = testSystem.system;
    const names = NETWORK_NAMES.flatMap((network) => [
      observerName(network),
      ...config.relayerKeys.map((key) => relayerName(network, key)),
    ]);
    await testSystem.sql`
      insert into leases (name, holder, fence, expires_at, worked_at)
      select name, 'another process', 1, now() + interval '1 hour', now() from unnest(${names}::text[]) as name
      on conflict (name) do update set expires_at = excluded.expires_at, worked_at = excluded.worked_at`;
  }

  test("reports how long events and messages wait, without those of failing receivers, and does not affect readiness", async () => {
    await withOtherJobs();
    const [good, bad] = await Promise.all([receiving(), receiving()]);
    bad.answerStatus(500);
    const owner = await newOwner();
    const ownerId = await ownerIdOf(owner);
    const [taking, failing] = await Promise.all([
      added(owner, { url: good.url }),
      added(owner, { url: bad.url, eventTypes: ["credits.taken_back"] }),
    ]);
    await work();
    expect(await report()).toMatchObject({ status: "ok", webhooks: { oldestEventSeconds: 0, oldestDueSeconds: 0 } });

    const { event } = happens(ownerId);
    await record(testSystem.system.db, new Date(Date.now() - 300_000), event);
    await record(testSystem.system.db, new Date(Date.now() - 200_000), event);
    const waiting = await report();
    expect(waiting).toMatchObject({ status: "ok", webhooks: { oldestDueSeconds: 0 } });
    expect(waiting.webhooks.oldestEventSeconds).toBeGreaterThanOrEqual(300);

    await work();
    const makeDue = ({ webhookId }: Added) => testSystem.sql`update webhook_deliveries
      set state = 'waiting', next_attempt_at = now() - interval '500 seconds' where webhook_id = ${webhookId}`;
    await makeDue(failing);
    expect((await report()).webhooks).toMatchObject({ oldestEventSeconds: 0, oldestDueSeconds: 0 });
    await makeDue(taking);
    const due = await report();
    expect(due).toMatchObject({ status: "ok", webhooks: { oldestEventSeconds: 0 } });
    expect(due.webhooks.oldestDueSeconds).toBeGreaterThanOrEqual(500);
  });
});

describe("a receiver that responds with hostile header names", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([200, 503])(
    "and status %i delays nobody's messages, also on a Node that cannot parse the headers",
    async (status) => {
      const [hostile, good] = await Promise.all([receiving(), receiving()]);
      hostile.answerStatus(status, { ...HOSTILE_HEADERS, "retry-after": "60" });
      const [victim, otherOwner] = await Promise.all([newOwner(), newOwner()]);
      const webhook = await added(victim, { url: hostile.url });
      await added(otherOwner, { url: good.url });
      await work();
      const before = { hostile: hostile.got.length, good: good.got.length };
      failLikeOldNode();
      await recorded(await ownerIdOf(victim));
      await recorded(await ownerIdOf(otherOwner));
      await work();
      expect(good.got.length).toBe(before.good + 1);
      expect(hostile.got.length).toBe(before.hostile + 1);
      vi.restoreAllMocks();
      const [delivery] = await logOf(victim, webhook);
      expect(delivery).toMatchObject({ attempts: [{ status }] });
    },
  );
});

describe("an event", () => {
  test("is sent, signed, to every webhook of its owner that selects it, and to no other", async () => {
    const [everything, few, none, strangers] = await Promise.all([receiving(), receiving(), receiving(), receiving()]);
    const { owner, agent } = await linkedPair();
    const [all, some, off] = await Promise.all([
      added(owner, { url: everything.url }),
      added(owner, { url: few.url, eventTypes: ["mandate.rejected"] }),
      added(owner, { url: none.url }),
      added(await newOwner(), { url: strangers.url }),
    ]);
    await change(owner, off, { enabled: false });
    await work();
    // Events of the agent from before it was linked go to its current owner.
    expect(typesAt(everything)).toEqual(["mandate.claimed", "mandate.created", "mandate.rejected"]);
    expect(typesAt(few)).toEqual(["mandate.rejected"]);
    expect(none.got).toEqual([]);
    expect(strangers.got).toEqual([]);
    for (const request of everything.got) {
      expect(verified(all.secret, request)).toMatchObject({
        data: { agentId: agent.agentId, mandateId: expect.any(String) },
      });
      expect(() => verified(some.secret, request)).toThrow("no signature is right");
    }
    const ids = [...everything.got, ...few.got].map(({ headers }) => headers["webhook-id"]);
    // Two webhooks get the same event under the same id.
    expect(new Set(ids).size).toBe(3);
  });

  test("without its delivery is reported by the invariants, and sent once it is back in the outbox", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await testSystem.sql`update webhooks set updated_at = updated_at - interval '1 minute' where id = ${webhook.webhookId}`;
    await recorded(await ownerIdOf(owner));
    await work();
    expect(await violations(testSystem.system, ["base"])).toEqual([]);
    const [lost] = await testSystem.sql`delete from webhook_deliveries returning event_id`;
    const found = await violations(testSystem.system, ["base"]);
    const example = { id: lost?.event_id, webhook: webhook.webhookId };
    expect(found).toEqual([{ invariant: expect.stringMatching(/^I13 an event/), count: 1, example }]);
    await testSystem.sql`insert into event_outbox (event_id) values (${lost?.event_id})`;
    await work();
    expect(receiver.got.map(({ headers }) => headers["webhook-id"])).toEqual([lost?.event_id, lost?.event_id]);
  });

  test("is sent even if it commits after a later event, and not sent if it is rolled back", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const ownerId = await ownerIdOf(owner);
    await added(owner, { url: receiver.url });
    await work();
    const early = happens(ownerId, new Date(Date.now() - 20_000));
    const never = happens(ownerId);
    let commit = () => {};
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const slow = testSystem.system.db.transaction(async (tx) => {
      await record(tx, early.at, early.event);
      isWritten();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await written;
    const undone = testSystem.system.db.transaction(async (tx) => {
      await record(tx, never.at, never.event);
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    const late = happens(ownerId);
    await record(testSystem.system.db, late.at, late.event);
    await work();
    const subjects = () => receiver.got.map(({ body }) => JSON.parse(body).data.creditTransactionId);
    expect(subjects()).toEqual([late.event.subject]);
    commit();
    await slow;
    await work();
    expect(subjects()).toEqual([late.event.subject, early.event.subject]);
  });

  test("becomes one delivery with any number of processes, and none in a process that lost its lease", async () => {
    const owner = await newOwner();
    const ownerId = await ownerIdOf(owner);
    const receiver = await receiving();
    const webhook = await added(owner, { url: receiver.url });
    await work();
    await recorded(ownerId, 1200);
    await expect(passOn(testSystem.system, { ...lease, fence: lease.fence - 1 })).rejects.toThrow(LeaseLost);
    const otherSystem = openSystem();
    const counts = await Promise.all(
      [testSystem.system, otherSystem.system, testSystem.system, otherSystem.system].map((system) =>
        passOn(system, lease),
      ),
    );
    await otherSystem.close();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1200);
    const [row] = await testSystem.sql`
      select count(*)::int as rows, count(distinct event_id)::int as events from webhook_deliveries
      where webhook_id = ${webhook.webhookId}`;
    expect(row).toEqual({ rows: 1200, events: 1200 });
  });
});

describe("a webhook delivery", () => {
  test("is attempted by one process at a time", async () => {
    const owner = await newOwner();
    for (let index = 0; index < 10; index++) await added(owner, { url: (await receiving()).url });
    await recorded(await ownerIdOf(owner), 4);
    while ((await passOn(testSystem.system, lease)) > 0);
    const otherSystem = openSystem();
    const systems = Array.from({ length: 12 }, (_, index) => (index % 2 ? testSystem.system : otherSystem.system));
    const claims = await Promise.all(systems.map((system) => claim(system, lease, [])));
    await otherSystem.close();
    // Each round starts two per receiver; the others follow in later rounds.
    for (let more = await claim(testSystem.system, lease, []); more.length > 0; ) {
      claims.push(more);
      more = await claim(testSystem.system, lease, []);
    }
    const taken = claims.flat().map(({ delivery }) => delivery);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
    expect(taken.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(taken.length).toBeGreaterThanOrEqual(40);
    expect(await claim(testSystem.system, lease, [])).toEqual([]);
  });

  test("is retried at growing intervals, the same bytes under the same id, until it is accepted", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url, eventTypes: ["credits.taken_back"] });
    await recorded(await ownerIdOf(owner));
    receiver.answerStatus(500);
    await work();
    const wait = async () => {
      const [delivery] = await logOf(owner, webhook);
      expect(delivery.state).toBe("waiting");
      return Date.parse(delivery.nextAttemptAt) - testSystem.system.now().getTime();
    };
    const first = await wait();
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(5_500);
    ahead += first - 4_000;
    await work();
    expect(receiver.got).toHaveLength(1);
    ahead += 4_000;
    receiver.answerStatus(503, { "retry-after": "900" });
    await work();
    expect(receiver.got).toHaveLength(2);
    ahead += await wait();
    expect(ahead).toBeGreaterThan(880_000);
    receiver.accept();
    await work();
    const [delivery] = await logOf(owner, webhook);
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: [
        { status: 500, failure: "status" },
        { status: 503, reply: "status 503" },
        { status: 204, failure: null },
      ],
    });
    expect(receiver.got.map(({ headers, body }) => [headers["webhook-id"], body])).toEqual(
      Array(3).fill([delivery.eventId, delivery.body]),
    );
    const times = receiver.got.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times).toEqual([...new Set(times)].sort());
    for (const [index, request] of receiver.got.entries()) {
      expect(verified(webhook.secret, request, new Date((times[index] ?? 0) * 1000))).toMatchObject({
        type: "credits.taken_back",
      });
    }
  });

  test("is signed with both secrets when the secret was rotated between two attempts", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    receiver.answerStatus(500);
    await work();
    const { body } = await confirmedCall(owner, `/api/webhooks/${webhook.webhookId}/rotate`, {});
    receiver.accept();
    ahead += 6_000;
    await work();
    const last = receiver.got.at(-1);
    if (!last) throw new Error("nothing arrived");
    for (const secret of [webhook.secret, (body as Json).secret]) expect(verified(secret, last)).toHaveProperty("data");
  });

  test("is sent again in time when the process was killed before it recorded the result", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    await testSystem.sql`update leases set expires_at = now() where name = 'webhooks'`;
    const replica = await startReplica({ FAILPOINTS: "webhook.sent=kill" });
    expect(await replica.died).toBe("SIGKILL");
    expect(receiver.got).toHaveLength(1);
    lease = await leaseFor(testSystem.system, "webhooks");
    await work();
    expect(receiver.got).toHaveLength(1);
    expect(await logOf(owner, webhook)).toMatchObject([
      { underway: true, attempts: [{ durationMs: null, status: null }] },
    ]);
    ahead += CLAIM_MS;
    await work();
    const [first, again] = receiver.got;
    expect(receiver.got).toHaveLength(2);
    expect(again).toMatchObject({ body: first?.body, headers: { "webhook-id": first?.headers["webhook-id"] } });
    expect(await logOf(owner, webhook)).toMatchObject([
      { state: "delivered", attempts: [{ durationMs: null, failure: null }, { status: 204 }] },
    ]);
  });

  test("keeps its final state when an older attempt ends later", async () => {
    const owner = await newOwner();
    const receiver = await receiving();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    let respond = (_: Reply) => {};
    const slow: Post = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    const frozen = webhookJob(testSystem.system, slow);
    await frozen.round(lease, true);
    ahead += CLAIM_MS;
    await work();
    respond({ isAnswered: false, why: "timeout" });
    await frozen.stop?.();
    expect(await logOf(owner, webhook)).toMatchObject([
      { state: "delivered", attempts: [{ failure: "timeout" }, { status: 204 }] },
    ]);
    expect((await webhookOf(owner, webhook)).lastFailureAt).toBeNull();
  });

  test("is not delayed by other receivers that do not respond", async () => {
    const [good, bad] = await Promise.all([receiving(), receiving()]);
    const [sufferer, owner] = await Promise.all([newOwner(), newOwner()]);
    await added(sufferer, { url: bad.url });
    await added(owner, { url: good.url });
    bad.answer(() => {});
    await recorded(await ownerIdOf(sufferer), 300);
    await recorded(await ownerIdOf(owner), 20);
    const job = webhookJob(testSystem.system);
    await until(async () => {
      await job.round(lease, true);
      return good.got.length === 20;
    }, "what is due to the other one");
    expect(bad.got.length).toBeLessThanOrEqual(8);
    await bad.close();
    receivers = receivers.filter((receiver) => receiver !== bad);
    await job.stop?.();
  });

  test("to a host above its limit waits and is sent later: none is lost or failed, and verified receivers there do not wait", async () => {
    const shared = await receiving();
    const [owner, knownOwner] = await Promise.all([newOwner(), newOwner()]);
    const [unverified, verifiedOne] = await Promise.all([
      added(owner, { url: `${shared.url}/unverified` }),
      added(knownOwner, { url: `${shared.url}/verified` }),
    ]);
    // Adding them is an event too.
    await testSystem.sql`delete from event_outbox`;
    await testSystem.sql`update webhooks set verified_at = now() where id = ${verifiedOne.webhookId}`;
    for (const each of [owner, knownOwner]) await recorded(await ownerIdOf(each), 8);
    const idsAt = (path: string) =>
      shared.got.filter((request) => request.path.endsWith(path)).map(({ headers }) => headers["webhook-id"]);

    /** Sends everything that fits into one window of the limit, `hours` from now. */
    async function workInWindow(hours: number): Promise<void> {
      ahead = hours * HOUR_MS;
      await testSystem.sql`truncate rate_limits`;
      const RATE_LIMITS = `${LOOSE_LIMITS.RATE_LIMITS},unverified_webhook_per_host=3/1h`;
      // A restart clears the process's local count.
      const limited = openSystem({ now: testSystem.system.now }, { RATE_LIMITS });
      await work(webhookJob(limited.system)).finally(limited.close);
    }

    await workInWindow(0);
    expect([idsAt("/unverified").length, idsAt("/verified").length]).toEqual([3, 8]);
    const waiting = (await logOf(owner, unverified)).filter(({ state }) => state === "waiting");
    expect(waiting.map(({ attempts }) => attempts)).toEqual([[], [], [], [], []]);
    await workInWindow(1.1);
    expect(idsAt("/unverified")).toHaveLength(6);
    await workInWindow(2.2);

    const log = await logOf(owner, unverified);
    expect(log.map(({ state, attempts }) => [state, attempts.length])).toEqual(log.map(() => ["delivered", 1]));
    expect(log).toHaveLength(8);
    expect(idsAt("/unverified").toSorted()).toEqual(log.map(({ eventId }) => eventId).toSorted());
    expect((await webhookOf(owner, unverified)).lastFailureAt).toBeNull();
  });

  test("to a verified receiver is not delayed by any number of unverified hosts that do not respond", async () => {
    const [good, owner, sufferer] = await Promise.all([receiving(), newOwner(), newOwner()]);
    const known = await added(owner, { url: good.url });
    const { webhookId } = await added(sufferer, { url: "https://a.wildcard.example/" });
    await testSystem.sql`update webhooks set verified_at = now() where id = ${known.webhookId}`;
    // More hosts than an owner may add: copies of the first webhook.
    await testSystem.sql`insert into webhooks (id, owner_id, url, receiver, description, is_enabled, enabled_at, created_at, updated_at)
      select 'whk_' || lpad(n::text, 24, '0'), owner_id, 'https://' || n || '.wildcard.example/', n || '.wildcard.example',
        '', true, enabled_at, created_at, updated_at
      from webhooks, generate_series(1, 300) n where id = ${webhookId}`;
    await recorded(await ownerIdOf(sufferer));
    await recorded(await ownerIdOf(owner), 3);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered: string[] = [];
    let slow = 0;
    const post: Post = async ({ hostname }) => {
      if (hostname.endsWith("wildcard.example")) {
        slow += 1;
        await held;
      } else answered.push(hostname);
      return { isAnswered: true, status: 204, body: "", retryAfter: null };
    };
    const job = webhookJob(testSystem.system, post);
    await until(async () => {
      await job.round(lease, true);
      return answered.length === 3;
    }, "what is due to the verified one");
    expect(slow).toBe(48);
    release();
    await job.stop?.();
    await work(webhookJob(testSystem.system, post));
  });

  test("is deleted after thirty days, and not before", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner), 3);
    await work();
    ahead += 30 * 24 * HOUR_MS - 60_000;
    await work();
    expect(await logOf(owner, webhook)).toHaveLength(3);
    ahead += 120_000;
    await work();
    expect(await logOf(owner, webhook)).toHaveLength(0);
  });
});

describe("a webhook", () => {
  test("whose receiver responds with 410 is disabled immediately, and sends its waiting messages once it is enabled again", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    receiver.answerStatus(500);
    await work();
    await recorded(await ownerIdOf(owner));
    receiver.answerStatus(410);
    await work();
    expect(await webhookOf(owner, webhook)).toMatchObject({ enabled: false, disabledBy: "gone" });
    const states = async () => (await logOf(owner, webhook)).map(({ state }) => state);
    expect(await states()).toEqual(["failed", "paused"]);
    ahead += HOUR_MS;
    // Events while it is disabled are not sent.
    await recorded(await ownerIdOf(owner));
    await work();
    expect(receiver.got).toHaveLength(2);
    const delivered =
      await testSystem.sql`select meta from events where type = 'webhook.disabled' and subject = ${webhook.webhookId}`;
    expect(delivered).toMatchObject([{ meta: { reason: "gone" } }]);

    receiver.accept();
    await change(owner, webhook, { enabled: true });
    expect(await webhookOf(owner, webhook)).toMatchObject({ enabled: true, disabledBy: null });
    await work();
    expect(await states()).toEqual(["failed", "delivered"]);
  });

  test("whose receiver accepts nothing for three days is disabled", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const webhook = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    receiver.answerStatus(404);
    const began = testSystem.system.now().getTime();
    await work();
    for (let attempts = 1; (await webhookOf(owner, webhook)).enabled; attempts++) {
      expect(attempts).toBeLessThan(20);
      const [delivery] = await logOf(owner, webhook);
      expect(delivery.attempts).toHaveLength(attempts);
      ahead += Date.parse(delivery.nextAttemptAt) - testSystem.system.now().getTime();
      await work();
    }
    const hours = (testSystem.system.now().getTime() - began) / HOUR_MS;
    expect(Math.round(hours)).toBe(72);
    expect(await webhookOf(owner, webhook)).toMatchObject({ disabledBy: "failing" });
    expect((await logOf(owner, webhook))[0]).toMatchObject({ state: "failed", nextAttemptAt: null });
  });

  test("that is deleted during a send leaves nothing behind", async () => {
    const receiver = await receiving();
    const owner = await newOwner();
    const { webhookId } = await added(owner, { url: receiver.url });
    await recorded(await ownerIdOf(owner));
    let finish = () => {};
    receiver.answer((_, res) => {
      finish = () => void res.writeHead(204).end();
    });
    const job = webhookJob(testSystem.system);
    await job.round(lease, true);
    await until(async () => receiver.got.length === 1, "the send");
    await call("DELETE", `/api/webhooks/${webhookId}`, { session: owner.session });
    finish();
    await job.stop?.();
    const left = await testSystem.sql`select 1 from webhook_deliveries union all select 1 from webhook_attempts`;
    expect(left).toHaveLength(0);
  });

  test("whose host name cannot be resolved has that reason in its log", async () => {
    const owner = await newOwner();
    const webhook = await added(owner, { url: `https://${randomUUID()}.invalid/` });
    await recorded(await ownerIdOf(owner));
    await work(webhookJob(testSystem.system, async () => ({ isAnswered: false, why: "name_unknown" })));
    expect(await logOf(owner, webhook)).toMatchObject([
      { state: "waiting", attempts: [{ failure: "name_unknown", status: null, reply: null }] },
    ]);
  });
});
