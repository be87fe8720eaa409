import { beforeAll, describe, expect, test } from "vitest";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { freshAddress, linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { body, createPayout, decide, outcome, payout, requestedPayout, requestPayout } from "../support/payouts";
import { shareService } from "../support/service";

const LISTS = "/api/wallet/payee-lists";
const SCAN = "/api/transaction-firewall/sentinel/api/prompt-scan";
const HOST = "api.example.com";

const service = shareService();
let pair: Parties;
let mandateId: string;

const change = (json: object, { owner } = pair) => call("POST", LISTS, { session: owner.session, json });
const signedChange = (json: object, { owner } = pair) => confirmedCall(owner, LISTS, json);
const requestV1 = (json: object) =>
  call("POST", "/api/payment/x402V1Payment", {
    bearer: pair.agent.jwt,
    json: { amount: "10000", resource: `https://${HOST}/a`, ...json },
  });
const credits = (resource = `${BASE_URL}${SCAN}`) =>
  pay(pair.agent, mandateId, {
    network: "service-credits",
    assetAddress: "service-credit",
    amount: "50",
    payTo: "sentinel",
    resource,
  });
const refusal = ({ status, body: json }: Answer) => [status, json];

beforeAll(async () => {
  pair = await linkedPair();
  ({ mandateId } = await signedMandate({ limitAmount: "20000000" }, pair));
});

/** The id of an owner who has signed in. */
async function idOf({ account }: TestOwner): Promise<string> {
  const [row] = await service.opened.sql<{ id: string }[]>`select id from owners where address = ${account.address}`;
  return row?.id ?? "";
}

/** The answers of every door that an agent or the owner pays an address through. */
async function atEveryDoor(toAddress: string): Promise<Answer[]> {
  const shares = [freshAddress(), toAddress].map((address) => ({ toAddress: address, amount: "10000" }));
  const split = payout({ toAddress: undefined, amount: undefined, recipients: shares });
  return [
    await pay(pair.agent, mandateId, { payTo: toAddress }),
    await requestV1({ payTo: toAddress }),
    await requestPayout(pair.agent, payout({ toAddress })),
    await requestPayout(pair.agent, payout({ toAddress, mandateId })),
    await requestPayout(pair.agent, split),
    await createPayout(pair.owner, { ...payout({ toAddress, approve: true }), network: "base", currency: "USDC" }),
  ];
}

describe("the deny list", () => {
  const denied = freshAddress();

  test("holds at every door, at once, and names itself", async () => {
    expect(outcome(await pay(pair.agent, mandateId, { payTo: denied }))).toEqual([200, "ok"]);
    const added = await change({ list: "deny", add: [denied.toLowerCase()] });
    expect(refusal(added)).toMatchObject([
      200,
      { isAllowListOn: false, entries: [{ list: "deny", payee: denied, createdAt: expect.any(String) }] },
    ]);
    for (const answer of await atEveryDoor(denied))
      expect(refusal(answer)).toMatchObject([
        403,
        {
          code: "payee_denied",
          list: "yours",
          rule: "deny",
          address: denied,
          message: expect.stringContaining(`${BASE_URL}/dashboard/wallet#payees`),
        },
      ]);
    expect(outcome(await pay(pair.agent, mandateId, { payTo: freshAddress() }))).toEqual([200, "ok"]);
  });

  test("tells the owner once of a payment that was under way", async () => {
    const events = await service.opened.sql`select meta from events
      where type = 'payee.denied_under_way' and subject = ${denied} and owner_id = ${await idOf(pair.owner)}`;
    expect(events).toEqual([{ meta: { list: "yours", network: "base", amount: "10000" } }]);
  });

  test("is another owner's business", async () => {
    const others = await signedMandate();
    expect((await pay(others.agent, others.mandateId, { payTo: denied })).status).toBe(200);
  });

  test("has hosts: each port of a name, and no other name", async () => {
    expect((await change({ list: "deny", add: ["Tracker.Example", "api.example.net:8443"] })).status).toBe(200);
    const at = async (resource: string) =>
      outcome(await pay(pair.agent, mandateId, { resource, payTo: freshAddress() }));
    expect(await at("https://tracker.example/a")).toEqual([403, "payee_denied"]);
    expect(await at("https://tracker.example:9000/a")).toEqual([403, "payee_denied"]);
    expect(await at("https://api.example.net:8443/a")).toEqual([403, "payee_denied"]);
    expect(await at("https://api.example.net/a")).toEqual([200, "ok"]);
    expect(await at("https://eu.tracker.example/a")).toEqual([200, "ok"]);
    const host = { list: "yours", host: "tracker.example" };
    expect((await requestV1({ payTo: freshAddress(), resource: "https://tracker.example/b" })).body).toMatchObject(
      host,
    );
  });

  test("holds for service credits", async () => {
    expect(outcome(await credits())).toEqual([403, "insufficient_credits"]);
    await change({ list: "deny", add: [new URL(BASE_URL).host] });
    expect(outcome(await credits())).toEqual([403, "payee_denied"]);
    expect(outcome(await signedChange({ list: "deny", remove: [new URL(BASE_URL).host] }))).toEqual([200, "ok"]);
  });

  test("holds for what a person has approved before", async () => {
    const [single, waiting] = [freshAddress(), freshAddress()];
    const { approvalId } = body(await requestV1({ payTo: single }));
    expect((await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
    const { id } = await requestedPayout(pair.agent, { toAddress: waiting });
    expect((await change({ list: "deny", add: [single, waiting] })).status).toBe(200);
    expect(outcome(await requestV1({ payTo: single, approvalId }))).toEqual([403, "payee_denied"]);
    expect(outcome(await decide(pair.owner, id, "approve"))).toEqual([403, "payee_denied"]);
    expect(outcome(await signedChange({ list: "deny", remove: [single] }))).toEqual([200, "ok"]);
    expect(outcome(await requestV1({ payTo: single, approvalId }))).toEqual([200, "ok"]);
  });

  test("is shortened by a signature of the owner's wallet only", async () => {
    const response = await change({ list: "deny", remove: [denied] });
    expect(outcome(response)).toEqual([403, "signature_required"]);
    expect(body(response).typedData).toMatchObject({
      primaryType: "PayeeLists",
      message: { list: "deny list", added: "no payee", removed: denied, allowList: "stays as it is" },
    });
    expect(outcome(await pay(pair.agent, mandateId, { payTo: denied }))).toEqual([403, "payee_denied"]);
    expect(outcome(await signedChange({ list: "deny", remove: [denied] }))).toEqual([200, "ok"]);
    expect(outcome(await pay(pair.agent, mandateId, { payTo: denied }))).toEqual([200, "ok"]);
  });
});

describe("the allow list", () => {
  const allowed = freshAddress();

  test("is turned on without a signature; then only what is on it is paid", async () => {
    expect(outcome(await change({ list: "allow", add: [allowed] }))).toEqual([403, "signature_required"]);
    expect(outcome(await signedChange({ list: "allow", add: [allowed, HOST] }))).toEqual([200, "ok"]);
    expect(
      outcome(await pay(pair.agent, mandateId, { payTo: freshAddress(), resource: "https://a.example/" })),
    ).toEqual([200, "ok"]);
    expect(outcome(await change({ list: "allow", isAllowListOn: true }))).toEqual([200, "ok"]);
    const other = freshAddress();
    const elsewhere = await pay(pair.agent, mandateId, { payTo: other, resource: "https://a.example/" });
    expect(refusal(elsewhere)).toMatchObject([
      403,
      { code: "payee_denied", list: "yours", rule: "allow", address: other },
    ]);
    expect(outcome(await pay(pair.agent, mandateId, { payTo: other }))).toEqual([200, "ok"]);
    expect(outcome(await pay(pair.agent, mandateId, { payTo: allowed, resource: "https://a.example/" }))).toEqual([
      200,
      "ok",
    ]);
  });

  test("has no host for payouts: each address must be on it", async () => {
    const shares = [allowed, freshAddress()].map((toAddress) => ({ toAddress, amount: "10000" }));
    const split = payout({ toAddress: undefined, amount: undefined, recipients: shares });
    expect(outcome(await requestPayout(pair.agent, split))).toEqual([403, "payee_denied"]);
    expect((await requestPayout(pair.agent, payout({ toAddress: allowed }))).status).toBe(201);
  });

  test("covers the service's own scans only if its host is on it", async () => {
    expect(body(await credits())).toMatchObject({ code: "payee_denied", rule: "allow", host: new URL(BASE_URL).host });
  });

  test("is turned off by a signature only", async () => {
    const off = { list: "allow", isAllowListOn: false };
    expect(outcome(await change({ list: "allow", remove: [HOST] }))).toEqual([200, "ok"]);
    expect(outcome(await pay(pair.agent, mandateId, { payTo: freshAddress() }))).toEqual([403, "payee_denied"]);
    expect(outcome(await change(off))).toEqual([403, "signature_required"]);
    expect(body(await signedChange(off))).toMatchObject({ isAllowListOn: false });
    expect(outcome(await pay(pair.agent, mandateId, { payTo: freshAddress() }))).toEqual([200, "ok"]);
  });
});

test("a payment and a denial at the same moment: none is signed after the denial has answered", async () => {
  const { agent, owner, mandateId: id } = await signedMandate({ limitAmount: "20000000" });
  const payTo = freshAddress();
  const parties = { owner, agent };
  const before = Array.from({ length: 20 }, () => pay(agent, id, { payTo }));
  const denied = change({ list: "deny", add: [payTo] }, parties);
  const answers = [...before, ...Array.from({ length: 20 }, () => pay(agent, id, { payTo }))];
  expect((await denied).status).toBe(200);
  const [{ signed } = { signed: 0 }] = await service.opened.sql<{ signed: number }[]>`
    select count(*)::int as signed from reservations where payee = ${payTo}`;
  const outcomes = (await Promise.all(answers)).map((answer) => outcome(answer)[1]);
  expect(new Set([...outcomes, "ok", "payee_denied"])).toEqual(new Set(["ok", "payee_denied"]));
  expect(outcomes.filter((code) => code === "ok")).toHaveLength(signed);
  const told = await service.opened
    .sql`select 1 from events where type = 'payee.denied_under_way' and subject = ${payTo}`;
  expect(told).toHaveLength(signed);
});

describe("a change", () => {
  test.each([
    ["a wrong checksum", { list: "deny", add: ["0x70997970c51812dc3A010C7d01b50e0d17dc79C8"] }],
    ["a URL", { list: "deny", add: ["https://a.example/"] }],
    ["a wildcard", { list: "deny", add: ["*.example"] }],
    ["another list", { list: "grey", add: [] }],
    ["21 entries", { list: "deny", add: Array.from({ length: 21 }, (_, index) => `h${index}.example`) }],
    ["no list", { add: ["a.example"] }],
  ])("with %s is refused", async (_name, json) => {
    expect(outcome(await change(json))).toEqual([400, "invalid_request"]);
  });

  test("of nothing changes nothing and is no event", async () => {
    const parties = await linkedPair();
    const ownerId = await idOf(parties.owner);
    const count = async () =>
      (
        await service.opened
          .sql`select 1 from events where type = 'owner.payee_lists_changed' and owner_id = ${ownerId}`
      ).length;
    expect((await change({ list: "deny", add: ["a.example"] }, parties)).status).toBe(200);
    expect((await change({ list: "deny", add: ["a.example"], remove: ["b.example"] }, parties)).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test("beyond 500 entries is refused", async () => {
    const owner = await newOwner();
    expect(
      (await call("POST", LISTS, { session: owner.session, json: { list: "deny", add: ["a.example"] } })).status,
    ).toBe(200);
    await service.opened.sql`insert into listed_payees (owner_id, list, payee, created_at)
      select ${await idOf(owner)}, 'deny', 'h' || n || '.example', now() from generate_series(1, 499) n`;
    const full = await call("POST", LISTS, { session: owner.session, json: { list: "deny", add: ["b.example"] } });
    expect(outcome(full)).toEqual([409, "payee_list_full"]);
    const read = await call("GET", LISTS, { session: owner.session });
    expect(body(read).entries).toHaveLength(500);
  });
});
