import { type SQL, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { type Address, toAddress } from "@/lib/core/address";
import type { FacilitatorKeyId } from "@/lib/core/ids";
import { readUsed } from "@/lib/facilitator/store";
import { newOwner, type TestOwner } from "../support/actors";
import { IS_IN_PROCESS } from "../support/base-url";
import { newKey, requestV1, type SellerKey, settle, verify } from "../support/facilitator";
import { type Answer, call } from "../support/http";
import type { Json } from "../support/mandates";
import { runService } from "../support/service";
import { claimFrom, freshAddress } from "../support/system";

const service = runService();
const AMOUNT = 10_000n;
const KEYS = "/api/facilitator/keys";

let owner: TestOwner;
let stranger: TestOwner;
let payTo: Address;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
});
beforeEach(() => {
  payTo = freshAddress();
});

const send = (method: string, path = "", json?: object, by: TestOwner = owner) =>
  call(method, `${KEYS}${path}`, { session: by.session, ...(json && { json }) });
const body = (response: Answer) => response.body as Json;
const request = () => requestV1(claimFrom(service.payer(), payTo, AMOUNT));
const keyIn = async (keyId: string) => body(await send("GET")).keys.find((key: Json) => key.keyId === keyId);

describe("a facilitator API key", () => {
  test("is created with a secret that no later response contains and that is stored only as a hash", async () => {
    const created = await send("POST", "", { name: "Weather", requestsPerMinute: 30, settlementsPerDay: 5 });
    const { secret, key } = body(created);
    expect([created.status, key]).toEqual([
      201,
      {
        keyId: expect.stringMatching(/^fky_/),
        name: "Weather",
        secretStart: secret.slice(0, 8),
        requestsPerMinute: 30,
        settlementsPerDay: 5,
        lastUsedAt: null,
        revokedAt: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(secret).toMatch(/^tsk_[0-9A-Za-z]{24}$/);
    expect(await keyIn(key.keyId)).toEqual(key);
    expect((await send("GET")).text).not.toContain(secret);
    const rows = await service.opened.sql`select * from facilitator_keys where id = ${key.keyId}`;
    const events = await service.opened.sql`select * from events where subject = ${key.keyId}`;
    expect(events.map(({ type }) => type)).toEqual(["facilitator_key.created"]);
    expect(JSON.stringify([rows, events])).not.toContain(secret);
  });

  // The server takes it out of the path before a handler sees the request.
  test.skipIf(IS_IN_PROCESS)("in the path has the rights of one in the header, and none elsewhere", async () => {
    const { secret, keyId } = await newKey(owner.session);
    const base = `/facilitator/k/${secret}`;
    const json = request();
    const verified = await call("POST", `${base}/verify`, { json });
    expect([verified.status, verified.body]).toMatchObject([200, { isValid: true }]);
    const settled = await call("POST", `${base}//settle`, { json, bearer: "tsk_other" });
    expect([settled.status, settled.body]).toMatchObject([200, { success: true }]);
    for (const path of ["/facilitator//supported", `${base}/supported`, `${base}//supported`])
      expect(body(await call("GET", path)).kinds).toHaveLength(4);
    const wrong = await call("POST", `${base}x/verify`, { json });
    expect([wrong.status, wrong.body]).toMatchObject([401, { code: "invalid_api_key" }]);
    for (const path of [base, `${base}/verfiy`, `${base}/keys`]) {
      const { status, text } = await call("POST", path, { json });
      // No route: as for every page.
      expect([path, status]).toEqual([path, 405]);
      expect(text).not.toContain(secret);
    }
    expect((await send("DELETE", `/${keyId}`)).status).toBe(200);
    expect((await call("POST", `${base}/verify`, { json })).status).toBe(401);
  });

  test("shows when it was last used", async () => {
    const key = await newKey(owner.session);
    await verify(key, request());
    expect((await keyIn(key.keyId)).lastUsedAt).toMatch(/Z$/);
  });

  test("can be renamed and given other limits", async () => {
    const { keyId } = await newKey(owner.session);
    const changed = await send("PATCH", `/${keyId}`, { name: "Renamed", settlementsPerDay: 7 });
    expect([changed.status, body(changed).key]).toMatchObject([200, { name: "Renamed", settlementsPerDay: 7 }]);
    expect(body(changed).key.requestsPerMinute).toBe(600);
  });

  test.each([
    ["no name", { name: "" }],
    ["a name that cannot be seen", { name: "\u200b" }],
    ["a name that changes direction", { name: "Shop\u202e" }],
    ["a name that is too long", { name: "x".repeat(101) }],
    ["no request", { name: "Shop", requestsPerMinute: 0 }],
    ["too many requests", { name: "Shop", requestsPerMinute: 6_001 }],
    ["half a settlement", { name: "Shop", settlementsPerDay: 0.5 }],
    ["too many settlements", { name: "Shop", settlementsPerDay: 100_001 }],
  ])("with %s is refused", async (_, json) => {
    const keysBefore = body(await send("GET")).keys;
    expect((await send("POST", "", json)).status).toBe(400);
    expect(body(await send("GET")).keys).toEqual(keysBefore);
  });

  test("is refused once it is revoked, and cannot be changed then; its payments stay listed", async () => {
    const key = await newKey(owner.session);
    const json = request();
    expect((await settle(key, json)).body).toMatchObject({ success: true });
    const revoked = await send("DELETE", `/${key.keyId}`);
    expect([revoked.status, body(revoked).key.revokedAt]).toEqual([200, expect.any(String)]);
    expect(body(await send("DELETE", `/${key.keyId}`)).key).toEqual(body(revoked).key);
    for (const refusal of [await verify(key, json), await settle(key, json)]) {
      expect([refusal.status, body(refusal).code]).toEqual([401, "invalid_api_key"]);
    }
    const change = await send("PATCH", `/${key.keyId}`, { name: "Again" });
    expect([change.status, body(change).code]).toEqual([409, "key_revoked"]);
    const listed = await call("GET", `/api/facilitator/payments?keyId=${key.keyId}`, { session: owner.session });
    expect(body(listed).payments).toMatchObject([{ payee: payTo, keyId: key.keyId }]);
  });

  test("is one of at most twenty per owner, and revoking one allows a new one", async () => {
    const many = await newOwner();
    const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(many.session)));
    const refusal = await send("POST", "", { name: "Shop" }, many);
    expect([refusal.status, body(refusal).code]).toEqual([409, "too_many_keys"]);
    await send("DELETE", `/${keys[0]?.keyId}`, undefined, many);
    await newKey(many.session);
  });
});

test.each([
  ["no key", undefined],
  ["a wrong key", "tsk_000000000000000000000000"],
  ["the id of a key", "fky_000000000000000000000000"],
])("with %s, /verify and /settle respond with 401 and claim nothing", async (_, bearer) => {
  for (const path of ["verify", "settle"]) {
    const response = await call("POST", `/facilitator/${path}`, { json: request(), ...(bearer && { bearer }) });
    expect([response.status, body(response).code]).toEqual([401, "invalid_api_key"]);
  }
  expect(await service.opened.sql`select 1 from settlements where payee = ${payTo}`).toHaveLength(0);
});

describe("another owner", () => {
  test("sees no keys and no payments, and cannot change a key", async () => {
    const key = await newKey(owner.session);
    expect((await settle(key, request())).body).toMatchObject({ success: true });
    expect(body(await send("GET", "", undefined, stranger)).keys).toEqual([]);
    for (const query of ["", `?keyId=${key.keyId}`]) {
      const listed = await call("GET", `/api/facilitator/payments${query}`, { session: stranger.session });
      expect(body(listed)).toEqual({ status: "ok", payments: [], nextCursor: null });
    }
    const change = await send("PATCH", `/${key.keyId}`, { name: "Mine" }, stranger);
    const revoke = await send("DELETE", `/${key.keyId}`, undefined, stranger);
    for (const refusal of [change, revoke])
      expect([refusal.status, body(refusal).code]).toEqual([404, "key_not_found"]);
    expect(await keyIn(key.keyId)).toMatchObject({ name: "Shop", revokedAt: null });
  });

  test("and anybody without a session are refused at every endpoint for keys", async () => {
    for (const path of [KEYS, "/api/facilitator/payments"]) expect((await call("GET", path)).status).toBe(401);
  });
});

describe("the limits of an API key", () => {
  const limited = (response: Answer) => [
    response.status,
    body(response).code,
    Number(response.headers.get("retry-after")) > 0,
  ];

  test("bound the requests per minute, /verify and /settle together, also simultaneous ones", async () => {
    const key = await newKey(owner.session, { requestsPerMinute: 5 });
    const json = request();
    const responses = await Promise.all(Array.from({ length: 8 }, () => verify(key, json)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(limited(await settle(key, json))).toEqual([429, "too_many_requests", true]);
    expect(await service.opened.sql`select 1 from settlements where payee = ${payTo}`).toHaveLength(0);
    await service.opened
      .sql`update facilitator_usage set started_at = now() - interval '60 seconds' where key_id = ${key.keyId}`;
    expect((await verify(key, json)).body).toMatchObject({ isValid: true });
  });

  test("bound the settlements per day, also simultaneous ones; repeated and refused ones are not counted", async () => {
    const key = await newKey(owner.session, { settlementsPerDay: 2 });
    const first = request();
    expect((await settle(key, first)).body).toMatchObject({ success: true });
    expect((await settle(key, first)).body).toMatchObject({ success: true });
    const poor = requestV1(claimFrom(service.payer(4), payTo, AMOUNT));
    expect((await settle(key, poor)).body).toMatchObject({ success: false, errorReason: "insufficient_funds" });
    const responses = await Promise.all(Array.from({ length: 4 }, () => settle(key, request())));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429]);
    expect(responses.filter(({ status }) => status === 429).map(limited)[0]).toEqual([
      429,
      "too_many_settlements",
      true,
    ]);
    expect(await service.world.balanceOf(payTo)).toBe(2n * AMOUNT);
    // The payment that the limit refused settles once the limit allows it.
    await send("PATCH", `/${key.keyId}`, { settlementsPerDay: 3 });
    expect((await settle(key, request())).body).toMatchObject({ success: true });
  });
});

describe("a payer who presents many proofs for the same money", () => {
  const rowsOf = (key: SellerKey) =>
    service.opened.sql`select state, relayer_nonce, attempts from settlements where subject = ${key.keyId}`;
  const statesOf = async (key: SellerKey) => (await rowsOf(key)).map(({ state }) => state);
  /** How many proofs were part of a transaction: a second one is on a slow machine, and fails on the chain. */
  const sentOf = async (key: SellerKey) =>
    (await rowsOf(key)).filter((row) => row.relayer_nonce !== null || row.attempts > 0).length;

  test("uses up one of the key's daily settlements for each transaction sent, and none for refused proofs", async () => {
    const key = await newKey(owner.session, { settlementsPerDay: 4 });
    const poor = service.payer(5);
    await service.world.mint(toAddress(poor.address), AMOUNT);
    const proofs = Array.from({ length: 8 }, () => requestV1(claimFrom(poor, payTo, AMOUNT)));
    const responses = await Promise.all(proofs.map((json) => settle(key, json)));
    expect(responses.filter(({ body }) => (body as Json).success)).toHaveLength(1);
    await expect.poll(() => statesOf(key)).toEqual(expect.not.arrayContaining(["claimed", "prepared", "broadcast"]));
    const sent = await sentOf(key);
    expect(sent).toBeGreaterThan(0);
    for (let remaining = 4 - sent; remaining > 0; remaining--) {
      const json = request();
      expect((await verify(key, json)).body).toMatchObject({ isValid: true });
      expect(await settle(key, json)).toMatchObject({ status: 200, body: { success: true } });
    }
    expect((await settle(key, request())).status).toBe(429);
  });

  test("uses up daily settlements also with transactions that failed on the chain", async () => {
    const key = await newKey(owner.session);
    expect((await settle(key, request())).body).toMatchObject({ success: true });
    const { db } = service.opened.system;
    const used = async (set: SQL) => {
      let count = -1;
      const since = new Date(Date.now() - 86_400_000);
      const read = db.transaction(async (tx) => {
        await tx.execute(sql`update settlements set ${set} where subject = ${key.keyId}`);
        ({ count } = await readUsed(tx, key.keyId as FacilitatorKeyId, { max: 1, since }));
        tx.rollback();
      });
      await read.catch(() => {});
      return count;
    };
    const declined = sql`state = 'declined', failure_code = 'REVERTED', declined_at = now(), ended_at = null`;
    expect(await used(declined)).toBe(1);
    expect(await used(sql`${declined}, relayer_nonce = null, attempts = 1`)).toBe(1);
    expect(await used(sql`${declined}, relayer_nonce = null, attempts = 0`)).toBe(0);
  });
});

test("/verify rejects a new buyer once the key has no settlement left today", async () => {
  const key = await newKey(owner.session, { settlementsPerDay: 1 });
  expect((await settle(key, request())).body).toMatchObject({ success: true });
  const json = request();
  expect((await verify(key, json)).body).toMatchObject({
    isValid: false,
    invalidReason: "invalid_transaction_state",
    invalidMessage: expect.stringMatching(/settlements of this day/),
  });
  const refusal = await settle(key, json);
  expect([refusal.status, body(refusal).code]).toEqual([429, "too_many_settlements"]);
  const wait = Number(refusal.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(86_000);
  await service.opened
    .sql`update settlements set created_at = created_at - interval '1 day' where subject = ${key.keyId}`;
  expect((await verify(key, json)).body).toMatchObject({ isValid: true });
  expect((await settle(key, json)).body).toMatchObject({ success: true });
});

describe("the limits of payers and owners", () => {
  const settling = async (key: SellerKey, index: number) =>
    settle(key, requestV1(claimFrom(service.payer(index), payTo, AMOUNT)));

  test("a payer above its own limit uses up nothing of the seller's limit", async () => {
    const key = await newKey(owner.session);
    await service.world.mint(toAddress(service.payer(1).address), 100n * AMOUNT);
    const { RATE_LIMITS } = LOOSE_LIMITS;
    await service.restart({ RATE_LIMITS: `${RATE_LIMITS},payment_per_payer=1/1h,facilitator_settle_per_owner=2/1h` });
    await service.opened.sql`truncate rate_limits`;
    onTestFinished(() => service.restart(LOOSE_LIMITS));
    expect((await settling(key, 0)).body).toMatchObject({ success: true });
    for (let round = 0; round < 3; round++)
      expect(await settling(key, 0)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect((await settling(key, 1)).body).toMatchObject({ success: true });
    // A payer whom the seller's limit refuses gets the reason too.
    expect(await settling(key, 2)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(await service.world.balanceOf(payTo)).toBe(2n * AMOUNT);
  });
});

test("a seller who verifies one payer's proof repeatedly uses up nothing of the payer's limit at other sellers", async () => {
  const [key, otherSellerKey] = [await newKey(owner.session), await newKey(owner.session)];
  await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},payment_per_payer=2/1h` });
  await service.opened.sql`truncate rate_limits`;
  onTestFinished(() => service.restart(LOOSE_LIMITS));
  const json = request();
  for (let round = 0; round < 2; round++) expect((await verify(key, json)).body).toMatchObject({ isValid: true });
  expect(await verify(key, json)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect((await verify(otherSellerKey, request())).body).toMatchObject({ isValid: true });
});

test("an owner's received payments are listed page by page, newest first", async () => {
  const seller = await newOwner();
  const keys = [await newKey(seller.session, { name: "One" }), await newKey(seller.session, { name: "Two" })] as const;
  const settlements = await Promise.all(
    Array.from({ length: 55 }, (_, index) => settle(keys[index % 2] as SellerKey, request())),
  );
  const ids = settlements.map((response) => body(response).extra.settlementId);
  const page = async (query: string) =>
    body(await call("GET", `/api/facilitator/payments?${query}`, { session: seller.session }));
  const first = await page("");
  expect(first.payments).toHaveLength(50);
  const second = await page(`cursor=${first.nextCursor}`);
  expect(second.nextCursor).toBeNull();
  const listed = [...first.payments, ...second.payments];
  expect(listed.map(({ settlementId }: Json) => settlementId).sort()).toEqual(ids.sort());
  const times = listed.map(({ createdAt }: Json) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  const ofOne = await page(`keyId=${keys[0].keyId}`);
  expect(ofOne.payments).toHaveLength(28);
  expect(new Set(ofOne.payments.map(({ keyName }: Json) => keyName))).toEqual(new Set(["One"]));
  expect(await service.world.balanceOf(toAddress(payTo))).toBe(55n * AMOUNT);
});
