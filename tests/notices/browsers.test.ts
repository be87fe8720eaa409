import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { newId, type OwnerId } from "@/lib/core/ids";
import { createPushSend, pushSome } from "@/lib/notices/browsers/jobs";
import { BROWSERS_MAX } from "@/lib/notices/browsers/rules";
import { forgetEnded } from "@/lib/notices/browsers/store";
import { browserRecipients } from "@/lib/notices/enqueue";
import { forgetOld } from "@/lib/notices/outbox";
import { PER_HOUR } from "@/lib/notices/quotas";
import { record } from "@/lib/platform/events";
import type { Lease } from "@/lib/platform/lease";
import * as sample from "@/lib/samples";
import { passOn } from "@/lib/webhooks/jobs";
import { newOwner, signInOwner, type TestOwner } from "../support/actors";
import { failLikeOldNode, HOSTILE_HEADERS } from "../support/hostile-names";
import { call } from "../support/http";
import type { Json } from "../support/mandates";
import { type PushService, startPushService, type TestBrowser } from "../support/push-service";
import { leaseFor, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const DAY_MS = 86_400_000;
const PATH = "/api/notices/browsers";

let world: World;
let service: PushService;
let testSystem: ReturnType<typeof openSystem>;
let webhooks: Lease;
let pushes: Lease;
let ahead = 0;

beforeAll(async () => {
  service = await startPushService();
  world = await createWorld();
  process.env.RATE_LIMITS = `${LOOSE_LIMITS.RATE_LIMITS},browser_per_owner=${BROWSERS_MAX + 1}/1h`;
  testSystem = openSystem({ now: () => new Date(Date.now() + ahead) });
  webhooks = await leaseFor(testSystem.system, "webhooks");
  pushes = await leaseFor(testSystem.system, "pushes");
});
afterEach(() => {
  vi.restoreAllMocks();
  ahead = 0;
  service.answer(null);
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
  await service?.close();
});

const list = ({ session }: TestOwner) => call("GET", PATH, { session });
const addBrowser = ({ session }: TestOwner, json: object) => call("POST", PATH, { session, json });
const remove = ({ session }: TestOwner, id: string) => call("DELETE", `${PATH}/${id}`, { session });
const browsersOf = async (owner: TestOwner): Promise<Json[]> =>
  ((await list(owner)).body as { browsers: Json[] }).browsers;

const newBrowser = async (owner: TestOwner): Promise<TestBrowser> =>
  service.subscribe(((await list(owner)).body as { publicKey: string }).publicKey);

/** An owner whose sign-in event was processed before a browser was subscribed. */
async function ownerToTell(): Promise<TestOwner> {
  const owner = await newOwner();
  while ((await passOn(testSystem.system, webhooks)) > 0);
  return owner;
}

/** Passes events on, sends what is due, and returns the notices that came to this browser. */
async function noticesSentTo({ endpoint }: TestBrowser) {
  while ((await passOn(testSystem.system, webhooks)) > 0);
  while ((await pushSome(testSystem.system, createPushSend(testSystem.system), pushes)) > 0);
  return service.got.filter(({ path }) => endpoint.endsWith(path));
}

type Subscriber = TestOwner & { ownerId: OwnerId; browser: TestBrowser };

/** An owner with one browser, after its first notice. */
async function subscriber(kinds?: string[]): Promise<Subscriber> {
  const owner = await ownerToTell();
  const browser = await newBrowser(owner);
  expect(await addBrowser(owner, { ...browser, ...(kinds && { kinds }) })).toMatchObject({ status: 200 });
  await noticesSentTo(browser);
  service.got.length = 0;
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  return { ...owner, browser, ownerId: row?.id };
}

const disabled = (ownerId: OwnerId) => ({ type: "webhook.disabled", subject: newId("webhook"), ownerId });
const happen = (...owners: { ownerId: OwnerId }[]) =>
  record(testSystem.system.db, testSystem.system.now(), ...owners.map(({ ownerId }) => disabled(ownerId)));
const rowsOf = ({ browser }: Subscriber) =>
  testSystem.sql`select p.state, p.attempts, p.body, p.last_error from pushes p join notice_browsers b on b.id = p.browser_id
    where b.endpoint = ${browser.endpoint} and p.about not like 'psh_%' order by p.created_at`.then((rows) => [
    ...rows,
  ]);

describe("a browser that gets push notices", () => {
  test("is added with every kind of notice, gets one that says so, and is listed with its device", async () => {
    const owner = await ownerToTell();
    const browser = await newBrowser(owner);
    expect(await addBrowser(owner, browser)).toMatchObject({
      status: 200,
      body: { browsers: [{ endpoint: browser.endpoint, isOfThisSession: true, lastError: null }] },
    });
    expect(await addBrowser(owner, { ...browser, kinds: ["sign_in"] })).toMatchObject({
      body: { browsers: [{ kinds: ["sign_in"] }] },
    });
    const got = await noticesSentTo(browser);
    expect(got.map(({ notice }) => notice.title)).toEqual(["Notifications are on"]);
    expect(got[0]).toMatchObject({ ttl: "86400", urgency: "normal" });
    expect(await call("GET", PATH)).toMatchObject({ status: 401 });
  });

  test("is addressed with a signing key of the service, which is stored encrypted and does not change", async () => {
    const owner = await newOwner();
    const { publicKey } = (await list(owner)).body as { publicKey: string };
    expect(publicKey).toMatch(/^B[\w-]{86}$/);
    expect((await list(await newOwner())).body).toMatchObject({ publicKey });
    const [row] = await testSystem.sql`select sealed_key from service_secrets where name = 'vapid_keys'`;
    expect(row?.sealed_key).toMatch(/^v1\./);
    expect(row?.sealed_key).not.toContain(publicKey);
  });

  test.each([
    ["http://push.example/x"],
    ["https://10.0.0.1/x"],
    ["https://169.254.169.254/latest"],
    ["https://intranet/x"],
    ["https://user@push.example/x"],
    ["file:///etc/passwd"],
    ["push"],
    [`https://${"a.".repeat(125)}test/x`],
  ])("is refused and not stored with a push endpoint at %s", async (endpoint) => {
    const owner = await newOwner();
    const { keys } = await newBrowser(owner);
    expect(await addBrowser(owner, { endpoint, keys })).toMatchObject({
      status: 422,
      body: { code: "subscription_refused" },
    });
    expect(await browsersOf(owner)).toEqual([]);
  });

  test("is refused with a malformed subscription", async () => {
    const owner = await newOwner();
    const { endpoint, keys } = await newBrowser(owner);
    const notOnTheCurve = `BA${"A".repeat(85)}`;
    const body = { code: "subscription_refused" };
    expect(await addBrowser(owner, { endpoint, keys: { ...keys, p256dh: notOnTheCurve } })).toMatchObject({
      status: 422,
      body,
    });
    for (const wrong of [
      {},
      { endpoint },
      { endpoint, keys: { ...keys, auth: "short" } },
      { endpoint: `https://push.example/${"x".repeat(1024)}`, keys },
      { endpoint, keys, kinds: ["other"] },
    ]) {
      expect(await addBrowser(owner, wrong)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    }
    expect(await browsersOf(owner)).toEqual([]);
  });

  test("is one of at most ten per owner, and adding one is rate limited", async () => {
    const owner = await newOwner();
    for (let i = 0; i < BROWSERS_MAX; i++) expect((await addBrowser(owner, await newBrowser(owner))).status).toBe(200);
    const next = await newBrowser(owner);
    expect(await addBrowser(owner, next)).toMatchObject({ status: 409, body: { code: "too_many_browsers" } });
    const [first] = await browsersOf(owner);
    expect(await remove(owner, String(first?.browserId))).toMatchObject({ status: 200 });
    expect(await addBrowser(owner, next)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(await browsersOf(owner)).toHaveLength(BROWSERS_MAX - 1);
  });

  test("of an earlier signing key is deleted when another one is added, and does not count towards the ten", async () => {
    const owner = await newOwner();
    for (let i = 0; i < BROWSERS_MAX; i++) expect((await addBrowser(owner, await newBrowser(owner))).status).toBe(200);
    const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
    await testSystem.sql`update notice_browsers set vapid_key = 'earlier' where owner_id = ${row?.id}`;
    expect(await browsersOf(owner)).toEqual([]);
    const next = await newBrowser(owner);
    expect(await addBrowser(owner, next)).toMatchObject({
      status: 200,
      body: { browsers: [{ endpoint: next.endpoint }] },
    });
    expect(await testSystem.sql`select 1 from notice_browsers where owner_id = ${row?.id}`).toHaveLength(1);
  });

  test("can be removed only by its owner", async () => {
    const owner = await subscriber();
    const id = String((await browsersOf(owner))[0]?.browserId);
    const missing = { status: 404, body: { code: "browser_not_found" } };
    expect(await remove(await newOwner(), id)).toMatchObject(missing);
    expect(await remove(owner, id)).toMatchObject({ status: 200, body: { browsers: [] } });
    expect(await remove(owner, id)).toMatchObject(missing);
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toEqual([]);
  });

  test("does not delay others' events while it is being removed, and cannot be removed while it gets a notice", async () => {
    const [owner, otherSubscriber] = [await subscriber(), await subscriber()];
    const { endpoint } = owner.browser;
    await testSystem.sql.begin(async (sql) => {
      await sql`delete from notice_browsers where endpoint = ${endpoint}`;
      await happen(owner, otherSubscriber);
      expect(await noticesSentTo(otherSubscriber.browser)).toHaveLength(1);
    });
    expect(await noticesSentTo(owner.browser)).toEqual([]);

    await testSystem.system.db.transaction(async (tx) => {
      expect(await browserRecipients(testSystem.system, tx, [otherSubscriber.ownerId])).toHaveLength(1);
      const removed = testSystem.sql.begin(async (sql) => {
        await sql`set local lock_timeout = '100ms'`;
        await sql`delete from notice_browsers where endpoint = ${otherSubscriber.browser.endpoint}`;
      });
      await expect(removed).rejects.toThrow("lock timeout");
    });
  });

  test("belongs to whoever is signed in there, and nobody else can take over its endpoint", async () => {
    const owner = await subscriber();
    const otherOwner = await newOwner();
    await happen(owner);
    while ((await passOn(testSystem.system, webhooks)) > 0);
    const { keys } = await newBrowser(otherOwner);
    expect(await addBrowser(otherOwner, { ...owner.browser, keys })).toMatchObject({ status: 422 });
    expect(await browsersOf(owner)).toHaveLength(1);
    expect(await addBrowser(otherOwner, owner.browser)).toMatchObject({ status: 200 });
    expect(await browsersOf(owner)).toEqual([]);
    // What waited for the owner before is not shown to the other.
    expect((await noticesSentTo(owner.browser)).map(({ notice }) => notice.title)).toEqual(["Notifications are on"]);
  });

  test("gets nothing and is deleted once its session was ended", async () => {
    const owner = await subscriber();
    const second = await signInOwner(owner.account);
    await noticesSentTo(owner.browser);
    service.got.length = 0;
    await happen(owner);
    while ((await passOn(testSystem.system, webhooks)) > 0);
    expect(await call("DELETE", "/api/sessions", { session: second })).toMatchObject({ status: 200 });
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toEqual([]);
    expect(await browsersOf({ ...owner, session: second })).toEqual([]);
    await forgetEnded(testSystem.system.db, 1000);
    expect(await testSystem.sql`select 1 from notice_browsers where endpoint = ${owner.browser.endpoint}`).toHaveLength(
      0,
    );
  });

  const expire = (owner: Subscriber, days: number) =>
    testSystem.sql`update sessions set expires_at = now() - ${days} * interval '1 day' where owner_id = ${owner.ownerId}`;

  test("stays when its session expires, until the owner ends all other sessions", async () => {
    const owner = await subscriber();
    await expire(owner, 1);
    const session = await signInOwner(owner.account);
    expect(await noticesSentTo(owner.browser)).toHaveLength(1);
    expect(await browsersOf({ ...owner, session })).toHaveLength(1);
    const mine = await newBrowser({ ...owner, session });
    expect(await addBrowser({ ...owner, session }, mine)).toMatchObject({ status: 200 });
    await noticesSentTo(mine);
    expect(await call("DELETE", "/api/sessions", { session })).toMatchObject({ status: 200, body: { ended: 0 } });
    service.got.length = 0;
    await happen(owner);
    expect([await noticesSentTo(owner.browser), await noticesSentTo(mine)]).toMatchObject([[], [{}]]);
    expect(await browsersOf({ ...owner, session })).toMatchObject([{ endpoint: mine.endpoint }]);
  });

  test("gets nothing when its session expired so long ago that it was deleted", async () => {
    const owner = await subscriber();
    await expire(owner, 31);
    const session = await signInOwner(owner.account);
    expect(await noticesSentTo(owner.browser)).toEqual([]);
    expect(await browsersOf({ ...owner, session })).toEqual([]);
    await forgetEnded(testSystem.system.db, 1000);
    expect(await testSystem.sql`select 1 from notice_browsers where endpoint = ${owner.browser.endpoint}`).toHaveLength(
      0,
    );
  });

  test("stays when its session expired recently, and the next session there takes it over", async () => {
    const owner = await subscriber();
    const session = await signInOwner(owner.account);
    await noticesSentTo(owner.browser);
    expect(await browsersOf({ ...owner, session })).toMatchObject([{ isOfThisSession: false }]);
    expect(await addBrowser({ ...owner, session }, owner.browser)).toMatchObject({
      body: { browsers: [{ isOfThisSession: true }] },
    });
    service.got.length = 0;
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toHaveLength(1);
  });
});

describe("a push notice", () => {
  const ASKED = "Approve 1.50 test USDC on Base Sepolia to shop.example?";

  test("says what happened in the service's own words, and links to a page of this site", async () => {
    const owner = await subscriber();
    const event = disabled(owner.ownerId);
    await record(testSystem.system.db, new Date(), event, {
      type: "payment.approval_requested",
      subject: "apr_1",
      ownerId: owner.ownerId,
      meta: { resource: "https://shop.example/?secret=1", summary: { ...sample.summary, title: ASKED } },
    });
    const got = await noticesSentTo(owner.browser);
    expect(got.map(({ urgency, notice }) => [urgency, notice.title, notice.path]).sort()).toEqual([
      ["high", ASKED, "/authorize/payment/apr_1"],
      ["normal", "A webhook was disabled", `/dashboard/webhooks/${event.subject}`],
    ]);
    expect(JSON.stringify(got)).not.toContain("secret");
  });

  test("is sent only for the chosen kinds", async () => {
    const owner = await subscriber(["sign_in"]);
    await happen(owner);
    await signInOwner(owner.account);
    expect((await noticesSentTo(owner.browser)).map(({ notice }) => notice.title)).toEqual([
      "New sign-in to your account",
    ]);
  });

  test("is sent a limited number of times in an hour", async () => {
    const owner = await subscriber();
    await happen(...Array.from({ length: PER_HOUR.other + 5 }, () => owner));
    // The first one counts.
    expect(await noticesSentTo(owner.browser)).toHaveLength(PER_HOUR.other - 1);
    ahead = 2 * 3_600_000;
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toHaveLength(PER_HOUR.other);
  });

  test("of a sign-in or an approval is sent even after many small payments", async () => {
    const owner = await subscriber();
    const paid = Array.from({ length: PER_HOUR.other + 5 }, () => ({
      type: "settlement.settled",
      subject: newId("settlement"),
      ownerId: owner.ownerId,
      meta: { amount: "1", network: "base", purpose: "upl" },
    }));
    const meta = { summary: { ...sample.summary, title: ASKED } };
    const approval = { type: "payment.approval_requested", subject: "apr_1", ownerId: owner.ownerId, meta };
    await record(testSystem.system.db, new Date(), ...paid, approval, disabled(owner.ownerId));
    await signInOwner(owner.account);
    const titles = (await noticesSentTo(owner.browser)).map(({ notice }) => String(notice.title));
    expect(titles.filter((title) => title.startsWith("You received"))).toHaveLength(PER_HOUR.small_sum);
    expect(titles).toContain("New sign-in to your account");
    expect(titles).toContain(ASKED);
    expect(titles).toContain("A webhook was disabled");
  });

  test.each([404, 410])("answered with %i removes the browser", async (status) => {
    const owner = await subscriber();
    service.answer(status);
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toEqual([]);
    expect(await browsersOf(owner)).toEqual([]);
  });

  test("that the push service refuses is not sent again; with an unknown outcome it is, when the push service says so", async () => {
    const owner = await subscriber();
    service.answer(400);
    await happen(owner);
    expect(await noticesSentTo(owner.browser)).toEqual([]);
    expect(await rowsOf(owner)).toMatchObject([{ state: "failed", attempts: 1, body: "", last_error: "HTTP 400" }]);
    expect(await browsersOf(owner)).toMatchObject([{ lastError: "HTTP 400" }]);

    service.answer("silence");
    await happen(owner);
    await noticesSentTo(owner.browser);
    service.answer(503, { "retry-after": "600" });
    ahead = 70_000;
    await noticesSentTo(owner.browser);
    expect((await rowsOf(owner))[1]).toMatchObject({ state: "waiting", attempts: 2, last_error: "HTTP 503" });
    service.answer(null);
    ahead = 500_000;
    expect(await noticesSentTo(owner.browser)).toEqual([]);
    ahead = 700_000;
    expect(await noticesSentTo(owner.browser)).toHaveLength(1);
    expect((await rowsOf(owner))[1]).toMatchObject({ state: "sent", attempts: 3, body: "" });
    expect(await browsersOf(owner)).toMatchObject([{ lastError: null }]);
  });

  test("is not sent to a host name that resolves to a private address", async () => {
    const owner = await subscriber();
    await testSystem.sql`update notice_browsers set endpoint = 'https://10.0.0.1/x' where endpoint = ${owner.browser.endpoint}`;
    await happen(owner);
    await noticesSentTo(owner.browser);
    expect(await browsersOf(owner)).toMatchObject([{ lastError: "address_refused" }]);
  });

  test("that cannot be built is dropped, and delays nobody else's", async () => {
    const [owner, otherSubscriber] = [await subscriber(), await subscriber()];
    const endpoint = `https://${"a.".repeat(200)}test/${newId("browser")}`;
    await testSystem.sql`update notice_browsers set endpoint = ${endpoint} where endpoint = ${owner.browser.endpoint}`;
    owner.browser.endpoint = endpoint;
    await happen(owner, otherSubscriber);
    expect(await noticesSentTo(otherSubscriber.browser)).toHaveLength(1);
    const lastError = expect.stringMatching(/^cannot be sent: ./);
    expect(await rowsOf(owner)).toMatchObject([{ state: "failed", attempts: 1, body: "", last_error: lastError }]);
    expect(await browsersOf(owner)).toMatchObject([{ lastError }]);
  });

  test("is tried again after an error, but not for ever", async () => {
    const owner = await subscriber();
    await happen(owner);
    while ((await passOn(testSystem.system, webhooks)) > 0);
    const fail = () => pushSome(testSystem.system, () => Promise.reject(new Error("broken")), pushes);
    expect(await fail()).toBe(1);
    expect(await rowsOf(owner)).toMatchObject([{ state: "waiting", attempts: 1, last_error: "broken" }]);
    for (let attempts = 2; attempts <= 10; attempts++) {
      ahead += DAY_MS / 2;
      expect(await fail()).toBe(1);
    }
    expect(await rowsOf(owner)).toMatchObject([{ state: "failed", attempts: 10, body: "" }]);
  });

  test("is deleted after 30 days", async () => {
    const owner = await subscriber();
    const count = async () =>
      (
        await testSystem.sql`select 1 from pushes p join notice_browsers b on b.id = p.browser_id
      where b.owner_id = ${owner.ownerId}`
      ).length;
    ahead = 29 * DAY_MS;
    await forgetOld(testSystem.system, "pushes", 1000);
    expect(await count()).toBe(1);
    ahead = 31 * DAY_MS;
    await forgetOld(testSystem.system, "pushes", 1000);
    expect(await count()).toBe(0);
  });
});

test("a push service that responds with hostile header names stops nobody's notices, also on a Node that cannot parse them", async () => {
  const hostile = await startPushService();
  const otherSubscriber = await subscriber();
  const owner = await ownerToTell();
  const browser = hostile.subscribe(((await list(owner)).body as { publicKey: string }).publicKey);
  expect(await addBrowser(owner, browser)).toMatchObject({ status: 200 });
  await noticesSentTo(browser);
  failLikeOldNode();
  hostile.answer(503, { ...HOSTILE_HEADERS, "retry-after": "60" });
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const victim: Subscriber = { ...owner, browser, ownerId: row?.id };
  await happen(victim, otherSubscriber);
  expect(await noticesSentTo(otherSubscriber.browser)).toHaveLength(1);
  expect(await rowsOf(victim)).toMatchObject([{ state: "waiting", attempts: 1, last_error: "HTTP 503" }]);
  expect(await rowsOf(otherSubscriber)).toMatchObject([{ state: "sent" }]);
  await hostile.close();
});
