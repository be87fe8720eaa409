import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { newId, type OwnerId } from "@/lib/core/ids";
import { createMailer, type Mailer, sendSome } from "@/lib/notices/jobs";
import { forgetOld } from "@/lib/notices/outbox";
import { PER_HOUR } from "@/lib/notices/quotas";
import { record } from "@/lib/platform/events";
import type { Lease } from "@/lib/platform/lease";
import { passOn } from "@/lib/webhooks/jobs";
import { newOwner, type TestOwner } from "../support/actors";
import { call } from "../support/http";
import { type MailServer, startMailServer } from "../support/mail-server";
import { type Json, pay, signedMandate } from "../support/mandates";
import { leaseFor, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const FROM = "Tessera <mail@wallet.example>";
const DAY_MS = 86_400_000;

let world: World;
let server: MailServer;
let testSystem: ReturnType<typeof openSystem>;
let mailer: Mailer;
let webhooks: Lease;
let mails: Lease;
let ahead = 0;

beforeAll(async () => {
  server = await startMailServer();
  world = await createWorld();
  Object.assign(process.env, { SMTP_URL: server.url, MAIL_FROM: FROM, RATE_LIMITS: LIMITS });
  testSystem = openSystem({ now: () => new Date(Date.now() + ahead) });
  mailer = createMailer(testSystem.system.config.mail) as Mailer;
  webhooks = await leaseFor(testSystem.system, "webhooks");
  mails = await leaseFor(testSystem.system, "mails");
});
afterEach(() => {
  ahead = 0;
  server.answer(null);
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
  await server?.close();
});

const LIMITS = `${LOOSE_LIMITS.RATE_LIMITS},email_per_owner=3/1h`;

/** Continues with these limits, and with nothing counted. */
async function limited(limits: string): Promise<void> {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  process.env.RATE_LIMITS = limits;
  await testSystem.sql`truncate rate_limits`;
}
afterEach(async () => {
  if (process.env.RATE_LIMITS !== LIMITS) await limited(LIMITS);
});

const settingsOf = ({ session }: TestOwner) => call("GET", "/api/notices", { session });
const change = ({ session }: TestOwner, json: object) => call("PATCH", "/api/notices", { session, json });
const addressOf = ({ address }: TestOwner) => `${address.toLowerCase()}@mail.example`;

const ownerIdOf = async ({ address }: TestOwner): Promise<OwnerId> => {
  const [row] = await testSystem.sql`select id from owners where address = ${address}`;
  return row?.id;
};

/** Passes events on, sends what is due, and returns what came to the owner. */
async function mailsSentTo(owner: TestOwner) {
  while ((await passOn(testSystem.system, webhooks)) > 0);
  while ((await sendSome(testSystem.system, mailer, mails)) > 0);
  return server.got.filter(({ to }) => to.includes(addressOf(owner)));
}

const tokenIn = (text: string, page: string): string =>
  decodeURIComponent(new RegExp(`/notices/${page}\\?token=(\\S+)`).exec(text)?.[1] ?? "");

/** An owner with a confirmed address, after the mail about the sign-in. */
async function subscriber(kinds?: string[]): Promise<TestOwner & { ownerId: OwnerId }> {
  const owner = await newOwner();
  await mailsSentTo(owner);
  expect(await change(owner, { email: addressOf(owner), ...(kinds && { kinds }) })).toMatchObject({ status: 200 });
  const [first] = await mailsSentTo(owner);
  const token = tokenIn(first?.text ?? "", "confirm");
  expect(await call("POST", "/api/notices/confirm", { json: { token } })).toMatchObject({ status: 200 });
  server.got.length = 0;
  return { ...owner, ownerId: await ownerIdOf(owner) };
}

const disabled = (ownerId: OwnerId) => ({ type: "webhook.disabled", subject: newId("webhook"), ownerId });
const stateOf = ({ ownerId }: { ownerId: OwnerId }): Promise<Json[]> =>
  testSystem.sql`select state, attempts, body, last_error from mails where owner_id = ${ownerId} and kind is not null
    order by created_at`.then((rows) => [...rows]);

describe("the settings of notices", () => {
  test("start without a mail address and with every kind; they require a session", async () => {
    const owner = await newOwner();
    expect(await settingsOf(owner)).toMatchObject({
      status: 200,
      body: { isAvailable: true, email: null, isConfirmed: false, kinds: expect.arrayContaining(["sign_in"]) },
    });
    expect(await call("GET", "/api/notices")).toMatchObject({ status: 401 });
    expect(await change(owner, { kinds: ["sign_in"] })).toMatchObject({ status: 422, body: { code: "no_email" } });
  });

  test.each([
    [{}],
    [{ email: "no address" }],
    [{ email: "a@b.example\r\nBcc: c@d.example" }],
    [{ kinds: ["other"] }],
    [{ email: 7 }],
  ])("refuse %j and change nothing", async (json) => {
    const owner = await newOwner();
    expect(await change(owner, json)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await settingsOf(owner)).toMatchObject({ body: { email: null } });
  });

  test("send an address only the confirmation mail until its owner has confirmed it, once or twice", async () => {
    const owner = await newOwner();
    await mailsSentTo(owner);
    expect(await change(owner, { email: addressOf(owner) })).toMatchObject({ body: { isConfirmed: false } });
    await record(testSystem.system.db, new Date(), disabled(await ownerIdOf(owner)));
    const got = await mailsSentTo(owner);
    expect(got.map(({ headers }) => headers.get("subject"))).toEqual(["Confirm your address"]);
    expect(got[0]?.headers.has("list-unsubscribe")).toBe(false);
    const token = tokenIn(got[0]?.text ?? "", "confirm");
    for (const _ of [1, 2])
      expect(await call("POST", "/api/notices/confirm", { json: { token } })).toMatchObject({ status: 200 });
    expect(await settingsOf(owner)).toMatchObject({ body: { email: addressOf(owner), isConfirmed: true } });
  });

  test("confirm one address of one owner per link, within a day", async () => {
    const owner = await newOwner();
    await change(owner, { email: addressOf(owner) });
    const token = tokenIn((await mailsSentTo(owner))[0]?.text ?? "", "confirm");
    const [ownerId, expires, email, mac] = token.split(".");
    const forged = [ownerId, Number(expires) + 1, email, mac].join(".");
    const other = [await ownerIdOf(await newOwner()), expires, email, mac].join(".");
    for (const wrong of ["", "x", forged, other, `${token}.x`]) {
      expect(await call("POST", "/api/notices/confirm", { json: { token: wrong } })).toMatchObject({
        status: 410,
        body: { code: "link_expired" },
      });
    }
    await testSystem.sql`update notice_settings set email = 'new@mail.example' where owner_id = ${ownerId ?? ""}`;
    expect(await call("POST", "/api/notices/confirm", { json: { token } })).toMatchObject({ status: 410 });
    expect(await settingsOf(owner)).toMatchObject({ body: { isConfirmed: false } });
  });

  test("send few mails from new accounts to one stranger, however the address is spelled", async () => {
    await limited(`${LIMITS},email_per_recipient=3/1h`);
    const mails = [];
    for (const email of [
      "victim@mail.example",
      "Victim@mail.example",
      "vic.tim+a@mail.example",
      "victim+b@mail.example",
    ])
      mails.push((await change(await newOwner(), { email })).status);
    expect(mails).toEqual([200, 200, 200, 429]);
    expect(await change(await newOwner(), { email: "somebody@mail.example" })).toMatchObject({ status: 200 });
  });

  test("send few mails from the new accounts of one client address, whoever receives them", async () => {
    await limited(`${LIMITS},email_per_address=2/1h`);
    const statusOf = async (n: number) => (await change(await newOwner(), { email: `n${n}@other.example` })).status;
    expect([await statusOf(1), await statusOf(2), await statusOf(3)]).toEqual([200, 200, 429]);
  });

  test("limit the number of new mail addresses; a removed one gets nothing more", async () => {
    const owner = await subscriber();
    for (const name of ["a", "b"]) expect((await change(owner, { email: `${name}@mail.example` })).status).toBe(200);
    expect(await change(owner, { email: "c@mail.example" })).toMatchObject({
      status: 429,
      body: { code: "rate_limited" },
    });
    await record(testSystem.system.db, new Date(), disabled(owner.ownerId));
    expect(await change(owner, { email: null })).toMatchObject({ status: 200, body: { email: null } });
    expect(await mailsSentTo(owner)).toEqual([]);
  });
});

describe("a notice by mail", () => {
  test("says what happened in plain text, with a link and a way to unsubscribe", async () => {
    const owner = await subscriber();
    const event = disabled(owner.ownerId);
    await record(testSystem.system.db, new Date(), event);
    const [mail] = await mailsSentTo(owner);
    expect(mail?.headers.get("subject")).toBe("A webhook was disabled");
    expect(mail?.headers.get("from")).toBe(FROM);
    expect(mail?.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(mail?.text).toContain(`/dashboard/webhooks/${event.subject}`);
    expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");

    const url = new URL(/<(.+)>/.exec(mail?.headers.get("list-unsubscribe") ?? "")?.[1] ?? "");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const oneClick = () => call("POST", `${url.pathname}${url.search}`, { raw: "List-Unsubscribe=One-Click", headers });
    expect(await oneClick()).toMatchObject({ status: 200 });
    expect(await oneClick()).toMatchObject({ status: 200 });
    expect(await settingsOf(owner)).toMatchObject({ body: { kinds: [], isConfirmed: true } });
    await record(testSystem.system.db, new Date(), disabled(owner.ownerId));
    expect(await mailsSentTo(owner)).toHaveLength(1);
    expect(await call("POST", "/api/notices/unsubscribe?token=x.y")).toMatchObject({ status: 410 });
    expect(tokenIn(mail?.text ?? "", "unsubscribe")).toBe(url.searchParams.get("token"));
  });

  test("is sent only for the chosen kinds, and once when 80 % of a mandate is used", async () => {
    const owner = await subscriber(["budget_low"]);
    const { mandateId } = await signedMandate();
    await testSystem.sql`update mandates set owner_id = ${owner.ownerId}, spent_amount = 800000 where id = ${mandateId}`;
    const settled = { type: "payment.settled", subject: newId("payment"), ownerId: owner.ownerId, meta: { mandateId } };
    await record(testSystem.system.db, new Date(), disabled(owner.ownerId), settled, settled);
    await mailsSentTo(owner);
    await record(testSystem.system.db, new Date(), settled);
    const got = await mailsSentTo(owner);
    expect(got.map(({ headers }) => headers.get("subject"))).toEqual(["80 % of a mandate is used"]);
    await testSystem.sql`update mandates set spent_amount = 0 where id = ${mandateId}`;
  });

  test("is sent once when 80 % of a limit over all spending is used", async () => {
    const owner = await subscriber(["budget_low"]);
    const { mandateId, ...pair } = await signedMandate();
    const cap = { session: pair.owner.session, json: { maxAmountPer24Hours: "12000", maxAmountPer30Days: "20000" } };
    expect((await call("POST", "/api/wallet/spending-caps", cap)).status).toBe(200);
    expect((await pay(pair.agent, mandateId)).status).toBe(200);
    await testSystem.sql`update wallets set owner_id = ${owner.ownerId} where id = (select wallet_id from mandates where id = ${mandateId})`;
    const settled = { type: "payment.settled", subject: newId("payment"), ownerId: owner.ownerId };
    await record(testSystem.system.db, new Date(), settled, settled);
    await mailsSentTo(owner);
    await record(testSystem.system.db, new Date(), settled);
    const got = await mailsSentTo(owner);
    expect(got.map(({ headers }) => headers.get("subject"))).toEqual(["83 % of your limit for 24 hours is used"]);
    const events = await testSystem.sql`select subject, agent_id, meta from events
      where owner_id = ${owner.ownerId} and type = 'wallet.limit_nearly_used'`;
    const meta = { network: "base", window: "24_hours", cap: "12000", usedAmount: "10000" };
    expect(events).toMatchObject([{ subject: expect.stringMatching(/^wal_/), agent_id: null, meta }]);
  });

  test("is sent a limited number of times in an hour", async () => {
    const owner = await subscriber();
    const events = Array.from({ length: PER_HOUR.other + 5 }, () => disabled(owner.ownerId));
    await record(testSystem.system.db, new Date(), ...events);
    // The one with the link counts.
    expect(await mailsSentTo(owner)).toHaveLength(PER_HOUR.other - 1);
    ahead = 2 * 3_600_000;
    await record(testSystem.system.db, testSystem.system.now(), disabled(owner.ownerId));
    expect(await mailsSentTo(owner)).toHaveLength(PER_HOUR.other);
  });

  test("of a sign-in is sent even after many small payments", async () => {
    const owner = await subscriber();
    const paid = Array.from({ length: PER_HOUR.other + 5 }, () => ({
      type: "settlement.settled",
      subject: newId("settlement"),
      ownerId: owner.ownerId,
      meta: { amount: "1", network: "base", purpose: "upl" },
    }));
    const signedIn = { type: "owner.signed_in", subject: owner.ownerId, ownerId: owner.ownerId };
    await record(testSystem.system.db, new Date(), ...paid, signedIn);
    const subjects = (await mailsSentTo(owner)).map(({ headers }) => headers.get("subject"));
    expect(subjects.filter((subject) => subject !== "New sign-in to your account")).toHaveLength(PER_HOUR.small_sum);
    expect(subjects).toHaveLength(PER_HOUR.small_sum + 1);
  });

  test("that the mail server refuses is not sent again; with an unknown outcome it is, with the same id", async () => {
    const owner = await subscriber();
    server.answer(550);
    await record(testSystem.system.db, new Date(), disabled(owner.ownerId));
    expect(await mailsSentTo(owner)).toEqual([]);
    expect(await stateOf(owner)).toMatchObject([{ state: "failed", attempts: 1, body: "" }]);

    server.answer("silence");
    await record(testSystem.system.db, new Date(), disabled(owner.ownerId));
    expect(await mailsSentTo(owner)).toEqual([]);
    server.answer(451);
    ahead = 70_000;
    expect(await mailsSentTo(owner)).toEqual([]);
    expect((await stateOf(owner))[1]).toMatchObject({ state: "waiting", attempts: 2 });
    server.answer(null);
    ahead = 300_000;
    expect(await mailsSentTo(owner)).toHaveLength(1);
    expect((await stateOf(owner))[1]).toMatchObject({ state: "sent", attempts: 3, body: "" });
  });

  test("is deleted after 30 days", async () => {
    const owner = await subscriber();
    ahead = 29 * DAY_MS;
    await forgetOld(testSystem.system, "mails", 1000);
    const count = async () => (await testSystem.sql`select 1 from mails where owner_id = ${owner.ownerId}`).length;
    expect(await count()).toBe(1);
    ahead = 31 * DAY_MS;
    await forgetOld(testSystem.system, "mails", 1000);
    expect(await count()).toBe(0);
  });
});

test("without a configured mail server no address is stored, and the settings say so", async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  delete process.env.SMTP_URL;
  delete process.env.MAIL_FROM;
  const owner = await newOwner();
  expect(await settingsOf(owner)).toMatchObject({ body: { isAvailable: false } });
  expect(await change(owner, { email: addressOf(owner) })).toMatchObject({
    status: 422,
    body: { code: "mail_not_configured" },
  });
});
