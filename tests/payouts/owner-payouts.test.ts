import { describe, expect, test } from "vitest";
import { type Address, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import * as book from "@/lib/payouts/address-book/service";
import { PAYOUT_COLUMNS } from "@/lib/payouts/owner/contract";
import * as owners from "@/lib/payouts/owner/service";
import { NETWORKS } from "@/lib/x402/networks";
import { newAgent, newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { csvText, formulasIn, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { freshAddress, type Json, linkedPair, pay, signedMandate } from "../support/mandates";
import {
  body,
  createPayout,
  decide,
  ended,
  endedOwned,
  funded,
  outcome,
  payout,
  requestedPayout,
  requestPayout,
  WRONG_CHECKSUM,
  walletOf,
} from "../support/payouts";
import { runService } from "../support/service";

const service = runService();

const get = (owner: TestOwner, path: string) => call("GET", path, { session: owner.session });
const list = async (owner: TestOwner, query = "") => body(await get(owner, `/api/wallet/payouts${query}`));
const names = async (owner: TestOwner, query = "") =>
  (await list(owner, query)).payouts.map((item: Json) => item.payoutId);
const batch = (owner: TestOwner, rows: unknown[], change: object = {}) =>
  confirmedCall(owner, "/api/wallet/payouts/batch", { rows, ...change });
const rich = async (atomic?: bigint) => {
  const owner = await newOwner();
  return { owner, wallet: await funded(service.world, owner, atomic) };
};
/** The viewer of a page. */
const ctxOf = async (owner: TestOwner) => {
  const [row] = await service.opened.sql`select id from owners where address = ${owner.address}`;
  const actor = { type: "owner" as const, ownerId: row?.id as OwnerId, address: owner.address };
  return { ...service.opened.system, requestId: "test", actor };
};

describe("an owner's own payout", () => {
  test("is paid immediately if requested, and only once", async () => {
    const { owner, wallet } = await rich();
    const json = payout({ payoutId: "rent", description: "Rent", approve: true });
    const first = await createPayout(owner, json);
    expect([first.status, body(first).payout]).toMatchObject([
      201,
      { payoutId: "rent", status: "authorized", agentId: null, agentName: null, mandateId: null, approvalUrl: null },
    ]);
    const done = await endedOwned(owner, body(first).payout.payoutRecordId);
    expect(done.status).toBe("succeeded");
    const repeatedResponse = await createPayout(owner, json);
    // Blocks continue to arrive.
    const confirmations = expect.any(Number);
    expect([repeatedResponse.status, body(repeatedResponse).payout]).toEqual([200, { ...done, confirmations }]);
    expect(body(repeatedResponse).payout.confirmations).toBeGreaterThanOrEqual(done.confirmations);
    expect(await service.world.balanceOf(wallet)).toBe(990_000n);
    expect(outcome(await createPayout(owner, { ...json, amount: "1" }))).toEqual([409, "payout_conflict"]);
  });

  test("can wait up to a day before it is approved, cancelled or denied", async () => {
    const { owner } = await rich();
    const created = body(await createPayout(owner, payout({ payoutId: "later" }))).payout;
    expect(created.status).toBe("pending_authorization");
    expect(created.expiresAt - Math.floor(Date.parse(created.createdAt) / 1000)).toBe(86_400);
    expect(outcome(await decide(owner, created.payoutRecordId, "approve"))).toEqual([200, "ok"]);
    expect((await endedOwned(owner, created.payoutRecordId)).status).toBe("succeeded");
    const second = body(await createPayout(owner, payout())).payout;
    expect(body(await decide(owner, second.payoutRecordId, "cancel")).payout.status).toBe("cancelled");
    expect(outcome(await decide(owner, second.payoutRecordId, "approve"))).toEqual([410, "payout_cancelled"]);
  });

  test("to an address with a wrong checksum is refused, also in a split, and nothing is stored", async () => {
    const owner = await newOwner();
    const split = [payout(), payout({ toAddress: WRONG_CHECKSUM })];
    for (const json of [payout({ toAddress: WRONG_CHECKSUM }), { recipients: split }]) {
      const refusal = await call("POST", "/api/wallet/payouts", { session: owner.session, json });
      expect(outcome(refusal)).toEqual([400, "invalid_request"]);
      expect(body(refusal).error).toMatch(/wrong EIP-55 checksum/);
    }
    expect(body(await get(owner, "/api/wallet/payouts")).payouts).toEqual([]);
  });

  test("that was stored for later is paid when it is sent again with approve", async () => {
    const { owner } = await rich();
    const json = payout({ payoutId: "now" });
    await createPayout(owner, json);
    const repeatedResponse = await createPayout(owner, { ...json, approve: true });
    expect([repeatedResponse.status, body(repeatedResponse).payout.status]).toEqual([200, "authorized"]);
    expect((await endedOwned(owner, body(repeatedResponse).payout.payoutRecordId)).status).toBe("succeeded");
  });

  test("sent twenty times at once is paid once", async () => {
    const { owner } = await rich();
    const json = payout({ payoutId: "race", approve: true });
    const responses = await Promise.all(Array.from({ length: 20 }, () => createPayout(owner, json)));
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
    await endedOwned(owner, body(responses[0] as never).payout.payoutRecordId);
    expect(await service.world.balanceOf(json.toAddress as Address)).toBe(10_000n);
  });

  test("can go to the owner's own address, as a withdrawal", async () => {
    const { owner } = await rich();
    const created = body(await createPayout(owner, payout({ toAddress: owner.address, approve: true }))).payout;
    expect((await endedOwned(owner, created.payoutRecordId)).status).toBe("succeeded");
    expect(await service.world.balanceOf(owner.address)).toBe(10_000n);
  });

  test("above the balance is rejected, and nothing is stored", async () => {
    const { owner } = await rich(9_999n);
    expect(outcome(await createPayout(owner, payout({ approve: true })))).toEqual([409, "insufficient_balance"]);
    expect(await names(owner)).toEqual([]);
  });

  test.each<[string, object, number, string]>([
    ["no amount", { amount: undefined }, 400, "invalid_request"],
    ["approve as a text", { approve: "yes" }, 400, "invalid_request"],
    ["the zero address", { toAddress: ZERO_ADDRESS }, 400, "invalid_recipient"],
    ["another network", { network: "polygon" }, 422, "unsupported_network"],
  ])("with %s is rejected", async (_, change, status, code) => {
    const { owner } = await rich();
    expect(outcome(await createPayout(owner, payout(change)))).toEqual([status, code]);
    expect(await names(owner)).toEqual([]);
  });

  test("can have the same payoutId as an agent's, and cannot be read publicly", async () => {
    const { agent, owner } = await linkedPair();
    await requestedPayout(agent, { payoutId: "twin" });
    expect((await createPayout(owner, payout({ payoutId: "twin" }))).status).toBe(201);
    expect(await names(owner)).toEqual(["twin", "twin"]);
  });
});

describe("a batch of payouts", () => {
  test("creates a payout for each valid row, reports each invalid row, and pays nothing twice when repeated", async () => {
    const { owner, wallet } = await rich(25_000n);
    const rows = [
      payout({ payoutId: "row_0" }),
      payout({ payoutId: "row_1", amount: "0" }),
      payout(),
      payout({ payoutId: "row_3", toAddress: NETWORKS.base.usdc }),
      "not a row",
      payout({ payoutId: "row_5", description: "Fifth" }),
      payout({ payoutId: "row_0" }),
      payout({ payoutId: "row_7" }),
    ];
    const conflicts = async () =>
      body(await batch(owner, rows, { approve: true })).results.map((result: Json) => [
        ...[result.index, result.payoutId, result.status, result.code],
      ]);
    const bad = [
      [1, null, 400, "invalid_request"],
      [2, null, 400, "payout_id_required"],
      [3, "row_3", 400, "invalid_recipient"],
      [4, null, 400, "invalid_request"],
    ];
    const expected = (status: number) => [
      [0, "row_0", status, null],
      ...bad,
      [5, "row_5", status, null],
      [6, "row_0", 409, "payout_conflict"],
      [7, "row_7", 409, "insufficient_balance"],
    ];
    expect(await conflicts()).toEqual(expected(201));
    expect(await conflicts()).toEqual(expected(200));
    for (const { payoutRecordId } of (await list(owner)).payouts) await endedOwned(owner, payoutRecordId);
    expect(await conflicts()).toEqual(expected(200));
    expect(await service.world.balanceOf(wallet)).toBe(5_000n);
    expect(await names(owner)).toEqual(["row_5", "row_0"]);
    const [first, second] = body(await batch(owner, rows)).results;
    expect(first).toMatchObject({ message: null, payout: { status: "succeeded" } });
    expect(second).toMatchObject({ message: expect.stringMatching(/^amount: /), payout: null });
  });

  test.each<[string, object]>([
    ["no rows", { rows: [] }],
    ["101 rows", { rows: Array.from({ length: 101 }, (_, index) => payout({ payoutId: `many_${index}` })) }],
    ["rows that are not a list", { rows: {} }],
  ])("with %s is rejected as a whole", async (_, json) => {
    const owner = await newOwner();
    const response = await call("POST", "/api/wallet/payouts/batch", { session: owner.session, json });
    expect(outcome(response)).toEqual([400, "invalid_request"]);
    expect(await names(owner)).toEqual([]);
  });

  test("of a hundred rows can be stored for later", async () => {
    const owner = await newOwner();
    const rows = Array.from({ length: 100 }, (_, index) => payout({ payoutId: `later_${index}` }));
    const { results } = body(await batch(owner, rows));
    expect(new Set(results.map((result: Json) => result.status))).toEqual(new Set([201]));
  });
});

describe("the list of payouts", () => {
  test("contains the owner's payouts and those of their agents, and no others, with every filter", async () => {
    const { agent, owner } = await linkedPair();
    const to = freshAddress();
    await requestedPayout(agent, { payoutId: "agents_1", description: "50% off_" });
    await requestedPayout(agent, { payoutId: "agents_2", bizId: "invoice 9", network: "base-sepolia" });
    const own = body(await createPayout(owner, payout({ payoutId: "own_1", toAddress: to }))).payout;
    await decide(owner, own.payoutRecordId, "cancel");
    await requestedPayout((await linkedPair()).agent, { payoutId: "strangers" });
    expect(await names(owner)).toEqual(["own_1", "agents_2", "agents_1"]);
    expect(await names(owner, "?agent=me")).toEqual(["own_1"]);
    expect(await names(owner, `?agent=${agent.agentId}`)).toEqual(["agents_2", "agents_1"]);
    expect(await names(owner, "?status=cancelled")).toEqual(["own_1"]);
    expect(await names(owner, "?network=base-sepolia")).toEqual(["agents_2"]);
    expect(await names(owner, "?bizId=invoice%209")).toEqual(["agents_2"]);
    expect(await names(owner, `?text=${to.slice(4, 20).toLowerCase()}`)).toEqual(["own_1"]);
    expect(await names(owner, "?text=INVOICE")).toEqual(["agents_2"]);
    expect(await names(owner, "?text=50%25%20off_")).toEqual(["agents_1"]);
    expect(await names(owner, "?text=%25")).toEqual(["agents_1"]);
    expect(await names(owner, "?text=gents_")).toEqual(["agents_2", "agents_1"]);
    expect(await names(owner, "?from=2999-01-01")).toEqual([]);
    expect(await names(owner, "?to=2999-01-01&from=2020-01-01")).toHaveLength(3);
    const first = await list(owner, "?limit=2");
    expect(await names(owner, `?limit=2&cursor=${first.nextCursor}`)).toEqual(["agents_1"]);
    const stranger = (await newAgent()).agentId;
    expect(await names(owner, `?agent=${stranger}`)).toEqual([]);
    for (const query of ["?agent=all", "?from=yesterday", "?status=open", "?limit=0", "?text=a&text=b"]) {
      expect([query, ...outcome(await get(owner, `/api/wallet/payouts${query}`))]).toEqual([
        ...[query, 400, "invalid_request"],
      ]);
    }
  });

  test("of waiting payouts contains only agents' requests", async () => {
    const { agent, owner } = await linkedPair();
    const { payoutId, id } = await requestedPayout(agent);
    await createPayout(owner, payout());
    await decide(owner, (await requestedPayout(agent)).id, "deny");
    const ctx = await ctxOf(owner);
    expect((await owners.listWaiting(ctx)).map((view) => view.payout.payoutId)).toEqual([payoutId]);
    await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    expect(await owners.listWaiting(ctx)).toEqual([]);
    expect((await owners.get(ctx, id as never)).payout.payoutId).toBe(payoutId);
  });

  test("as CSV has a line for each recipient and no spreadsheet formula", async () => {
    const { agent, owner } = await linkedPair();
    const recipients = [freshAddress(), freshAddress()].map((toAddress) => ({ toAddress, shareBps: 5000 }));
    await requestPayout(agent, { payoutId: "p_1", amount: "5", recipients, description: "=HYPERLINK(1)", bizId: "@x" });
    const headers = { cookie: `next-auth.session-token=${owner.session}` };
    const path = `/api/wallet/payouts.csv?agent=${agent.agentId}`;
    const text = await csvText(await fetchPath("GET", path, { headers }));
    const lines = parseCsv(text, PAYOUT_COLUMNS);
    expect(lines).toMatchObject(
      ["3", "2"].map((amount, index) => ({
        payout_id: "p_1",
        leg: String(index),
        to_address: recipients[index]?.toAddress,
        amount_atomic: amount,
        share_bps: "5000",
        total_atomic: "5",
        agent_id: agent.agentId,
        status: "pending_authorization",
      })),
    );
    expect(formulasIn(text)).toEqual([]);
    const strangers = `/api/wallet/payouts.csv?agent=${(await newAgent()).agentId}`;
    expect(outcome(await get(owner, strangers))).toEqual([404, "agent_not_found"]);
  });
});

test("the wallet's balance is divided into pending, signed and available amounts", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  const wallet = await funded(service.world, owner);
  await service.workers.stop();
  try {
    await requestPayout(agent, payout({ payoutId: "reserved", amount: "300000", mandateId }));
    await pay(agent, mandateId, { amount: "200000" });
    const { balances } = body(await get(owner, "/api/wallet/balances"));
    expect(balances).toEqual([
      {
        network: "base",
        address: wallet,
        balance: "1000000",
        reserved: "300000",
        pending: "200000",
        available: "500000",
      },
      {
        network: "base-sepolia",
        address: await walletOf(owner, "base-sepolia"),
        balance: "0",
        reserved: "0",
        pending: "0",
        available: "0",
      },
    ]);
  } finally {
    service.workers.start();
  }
  await ended(agent, "reserved");
  const [{ balance, reserved, available }] = body(await get(owner, "/api/wallet/balances")).balances;
  expect([balance, reserved, available]).toEqual(["700000", "0", "500000"]);
});

describe("the address book", () => {
  const add = (owner: TestOwner, json: object) => confirmedCall(owner, "/api/wallet/addresses", json);
  const rename = (owner: TestOwner, address: string, json: object) =>
    call("PATCH", `/api/wallet/addresses/${address}`, { session: owner.session, json });
  const remove = (owner: TestOwner, address: string) =>
    call("DELETE", `/api/wallet/addresses/${address}`, { session: owner.session });
  const bookOf = async (owner: TestOwner) =>
    body(await get(owner, "/api/wallet/addresses")).addresses.map(({ address, name }: Json) => [address, name]);

  test("stores names by address, for each owner", async () => {
    const [owner, otherOwner] = [await newOwner(), await newOwner()];
    const [a, b] = [freshAddress(), freshAddress()];
    const added = await add(owner, { address: a.toLowerCase(), name: " Zoë " });
    expect([added.status, added.body]).toEqual([
      201,
      { status: "ok", address: { address: a, name: "Zoë", createdAt: expect.any(String) } },
    ]);
    await add(owner, { address: b, name: "anna" });
    await add(otherOwner, { address: a, name: "Theirs" });
    expect(await bookOf(owner)).toEqual([
      [b, "anna"],
      [a, "Zoë"],
    ]);
    expect(outcome(await add(owner, { address: a, name: "Again" }))).toEqual([409, "address_exists"]);
    expect(outcome(await rename(owner, a, { name: "Zoe" }))).toEqual([200, "ok"]);
    expect(outcome(await remove(owner, b))).toEqual([200, "ok"]);
    expect(await bookOf(owner)).toEqual([[a, "Zoe"]]);
    expect(await bookOf(otherOwner)).toEqual([[a, "Theirs"]]);
    for (const response of [await remove(owner, b), await rename(owner, b, { name: "x" })]) {
      expect(outcome(response)).toEqual([404, "address_not_found"]);
    }
  });

  test.each<[string, object, string]>([
    ["an empty name", { name: "  " }, "invalid_request"],
    ["no name", { name: undefined }, "invalid_request"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "invalid_request"],
    ["a name that turns the text around it", { name: "a\u202e" }, "invalid_request"],
    ["an invalid address", { address: "0x1" }, "invalid_request"],
    ["a wrong checksum", { address: WRONG_CHECKSUM }, "invalid_request"],
    ["the zero address", { address: ZERO_ADDRESS }, "invalid_recipient"],
    ["USDC", { address: NETWORKS.base.usdc }, "invalid_recipient"],
  ])("rejects %s", async (_, change, code) => {
    const owner = await newOwner();
    expect(outcome(await add(owner, { address: freshAddress(), name: "x", ...change }))).toEqual([400, code]);
    expect(await bookOf(owner)).toEqual([]);
  });

  test("holds at most a thousand addresses, also with simultaneous requests", async () => {
    const owner = await newOwner();
    const { actor } = await ctxOf(owner);
    await service.opened.sql`
      insert into payout_addresses (owner_id, address, name, created_at)
      select ${actor.ownerId}, '0x' || lpad(n::text, 40, '0'), 'n' || n, now() from generate_series(1, 997) n`;
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => add(owner, { address: freshAddress(), name: "x" })),
    );
    expect(responses.map((response) => outcome(response).join(" ")).sort()).toEqual([
      ...Array(3).fill("201 ok"),
      ...Array(3).fill("409 address_book_full"),
    ]);
    await service.opened.sql`delete from payout_addresses where owner_id = ${actor.ownerId}`;
  });
});

describe("the check of a payout's recipients", () => {
  /** An address with the same first and last four digits. */
  const twinOf = (address: string, filler: string) =>
    toAddress(`0x${address.slice(2, 6)}${filler.repeat(32)}${address.slice(-4)}`);

  test("reports known, new, named and look-alike addresses, and the owner's own", async () => {
    const { agent, owner } = await linkedPair();
    const wallet = await funded(service.world, owner);
    const [named, paid, stranger] = [freshAddress(), freshAddress(), freshAddress()];
    await confirmedCall(owner, "/api/wallet/addresses", { address: named, name: "Bob" });
    const payoutBefore = body(await createPayout(owner, payout({ toAddress: paid, approve: true }))).payout;
    await endedOwned(owner, payoutBefore.payoutRecordId);

    const to = {
      named,
      paid,
      stranger,
      ownLogin: owner.address,
      likeNamed: twinOf(named, "a"),
      likePaid: twinOf(paid, "b"),
      likeLogin: twinOf(owner.address, "c"),
      likeWallet: twinOf(wallet, "d"),
    };
    const recipients = Object.values(to).map((toAddress) => ({ toAddress, amount: "1" }));
    const { payoutRecordId } = body(await requestPayout(agent, { recipients }));
    const ctx = await ctxOf(owner);
    const weighed = await book.weigh(ctx, await owners.get(ctx, payoutRecordId));
    expect(weighed).toMatchObject({ network: "base", balance: 990_000n, available: 990_000n, reserved: 0n });
    const is = { isFirst: true, bookName: null, looksLike: null, isOwn: false };
    expect(weighed.legs).toEqual(
      [
        { ...is, bookName: "Bob" },
        { ...is, isFirst: false },
        is,
        { ...is, isOwn: true },
        { ...is, looksLike: { address: named, name: "Bob", kind: "book" } },
        { ...is, looksLike: { address: paid, name: null, kind: "paid" } },
        { ...is, looksLike: { address: owner.address, name: null, kind: "login" } },
        { ...is, looksLike: { address: wallet, name: null, kind: "wallet" } },
      ].map((leg, index) => ({ index, toAddress: Object.values(to)[index], ...leg })),
    );
  });

  test("reveals nothing about the payments of other owners", async () => {
    const { owner: payer } = await rich();
    const to = freshAddress();
    await endedOwned(
      payer,
      body(await createPayout(payer, payout({ toAddress: to, approve: true }))).payout.payoutRecordId,
    );
    const { agent, owner } = await linkedPair();
    const { id } = await requestedPayout(agent, { toAddress: to });
    const ctx = await ctxOf(owner);
    const { legs } = await book.weigh(ctx, await owners.get(ctx, id as never));
    expect(legs).toMatchObject([{ isFirst: true, looksLike: null }]);
  });

  test("is shown on the payout's page to anyone with the token, with the possible actions", async () => {
    const agent = await newAgent();
    const { id, token } = await requestedPayout(agent);
    const anonymous = { ...service.opened.system, requestId: "test", actor: { type: "anonymous" as const } };
    const step = async (ctx: typeof anonymous | Awaited<ReturnType<typeof ctxOf>>) =>
      (await owners.forDeciding(ctx, id as never, token)).nextStep;
    const owner = await newOwner();
    expect([await step(anonymous), await step(await ctxOf(owner))]).toEqual(["sign_in", "claim"]);
    await decide(owner, id, "claim", { token });
    expect(await step(await ctxOf(owner))).toBe("decide");
    expect(await step(await ctxOf(await newOwner()))).toBe("linked_elsewhere");
    await expect(owners.forDeciding(anonymous, id as never, undefined)).rejects.toMatchObject({
      code: "payout_not_found",
    });
    await expect(owners.forDeciding(anonymous, id as never, `${token}x`)).rejects.toMatchObject({
      code: "payout_not_found",
    });
    expect((await owners.forDeciding(await ctxOf(owner), id as never, undefined)).status).toBe("pending_authorization");
  });
});
