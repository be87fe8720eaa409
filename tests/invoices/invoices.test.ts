import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newId, type OwnerId } from "@/lib/core/ids";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceItem } from "@/lib/invoices/views";
import type { Ctx, Owner } from "@/lib/platform/context";
import { NETWORKS } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";
import { newAgent } from "../support/actors";
import { BAD_AMOUNTS } from "../support/bad-links";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { until } from "../support/replica";
import { claimFrom, freshAddress, openSystem, paying, randomNonce } from "../support/system";
import { createWorld, type World } from "../support/world";

const LATER = "2090-01-31";
/** A year that is not this one. */
const OTHER_YEAR = new Date().getUTCFullYear() + 5;
const NOBODYS = "inv_000000000000000000000000";
const payTo = freshAddress();

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let seller: Parties;
let otherParties: Parties;

beforeAll(async () => {
  world = await createWorld();
  Object.assign(process.env, { POLL_MILLISECONDS: "400" });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  [seller, otherParties] = [await linkedPair(), await linkedPair()];
  await setReceivingAddress(seller, payTo);
  workers = wiring.startWorkers();
  await world.mint(toAddress(payer().address), 1_000_000_000n);
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const payer = (): HDAccount => {
  const [account] = world.accounts;
  if (!account) throw new Error("no such account");
  return account;
};
const body = (response: Answer) => response.body as Json;
const line = (change: object = {}) => ({ description: "Consulting", quantity: "1", unitAmount: "10000", ...change });
const request = (change: object = {}) => ({
  buyer: { name: "Example Ltd" },
  dueDate: LATER,
  lines: [line()],
  ...change,
});
const create = (json: unknown, { agent }: Parties = seller, headers: Record<string, string> = {}) =>
  call("POST", "/api/invoices", { bearer: agent.jwt, json, headers });
async function created(change: object = {}, parties: Parties = seller): Promise<Json> {
  const response = await create(request(change), parties);
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return body(response).invoice;
}
const read = (invoiceId: string, { agent }: Parties = seller) =>
  call("GET", `/api/invoices/${invoiceId}`, { bearer: agent.jwt });
const invoiceOf = async (invoiceId: string) => body(await read(invoiceId)).invoice;
const cancel = (invoiceId: string, { agent }: Parties = seller) =>
  call("POST", `/api/invoices/${invoiceId}/cancel`, { bearer: agent.jwt });
const pay = (linkId: string, amount: bigint) =>
  call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(payer(), payTo, amount)) });
const count = async () => (await testSystem.sql`select count(*)::int as n from payment_links`)[0]?.n as number;

async function expectInvalid(change: object, field: string): Promise<void> {
  const countBefore = await count();
  const response = await create(request(change));
  expectRefused(response, 400, "INVALID_REQUEST", { field, reason: expect.any(String), message: expect.any(String) });
  expect(await count()).toBe(countBefore);
}

/** Writes a payment of the link as the service does at a claim. */
async function underWay(linkId: string): Promise<void> {
  await testSystem.sql`insert into settlements ${testSystem.sql({
    id: newId("settlement"),
    network: "base-sepolia",
    asset: NETWORKS["base-sepolia"].usdc,
    payer: freshAddress(),
    nonce: randomNonce(),
    payee: freshAddress(),
    amount: "1",
    valid_after: "0",
    valid_before: "4102444800",
    signature: "0x",
    purpose: "link",
    subject: linkId,
    resource: "",
    description: "",
    state: "declined",
    failure_code: "INSUFFICIENT_FUNDS",
    claimed_at_block: "0",
    created_at: new Date(),
  })}`;
}
const settle = (linkId: string, state: "void" | "settled") =>
  testSystem.sql`update settlements set state = ${state}, ended_at = now(), tx_hash = ${randomNonce()}, block_number = 1,
    failure_code = ${state === "void" ? "EXPIRED" : null} where subject = ${linkId}`;

/** What a page of the dashboard reads with. */
async function asOwner({ owner, agent }: Parties): Promise<Ctx<Owner>> {
  const [row] = await testSystem.sql`select owner_id from agents where id = ${agent.agentId}`;
  const ownerId: OwnerId = row?.owner_id;
  return { ...testSystem.system, requestId: "test", actor: { type: "owner", ownerId, address: owner.address } };
}

describe("a new invoice", () => {
  test("has its own number, exact totals, and a payment link for the total that can be paid once", async () => {
    const invoice = await created({
      buyer: { name: "Example Ltd", email: "ap@example.com", address: "1 Example Street\nBern" },
      number: "2026/A-17",
      issueDate: "2026-11-01",
      dueDate: LATER,
      lines: [line({ quantity: "2.50", unitAmount: "80000000" }), line({ description: "Setup", unitAmount: "1" })],
      tax: { label: "VAT", percent: "8.10" },
      note: "Thank you.\nPlease pay in USDC.",
      sellerDetails: "Shop Ltd, CHE-123",
    });
    expect(invoice).toMatchObject({
      invoiceId: expect.stringMatching(/^inv_[0-9A-Za-z]{24}$/),
      agentId: seller.agent.agentId,
      number: "2026/A-17",
      buyer: { name: "Example Ltd", email: "ap@example.com", address: "1 Example Street\nBern" },
      issueDate: "2026-11-01",
      dueDate: LATER,
      lines: [
        { description: "Consulting", quantity: "2.5", unitAmount: "80000000", amount: "200000000" },
        { description: "Setup", quantity: "1", unitAmount: "1", amount: "1" },
      ],
      subtotal: "200000001",
      // 16,200,000.081 rounded.
      tax: { label: "VAT", percent: "8.1", amount: "16200000" },
      total: "216200001",
      state: "open",
      payment: null,
      cancelledAt: null,
      isPayableAfterDue: true,
      url: `${BASE_URL}/invoice/${invoice.invoiceId}`,
      paymentUrl: `${BASE_URL}/pay/${invoice.linkId}`,
    });
    expect((await read(invoice.invoiceId)).body).toEqual({ success: true, invoice });
    const bearer = seller.agent.jwt;
    const { paymentLink } = body(await call("GET", `/api/payment-links/${invoice.linkId}`, { bearer }));
    expect(paymentLink).toMatchObject({
      amount: "216200001",
      maxUses: 1,
      expiresAt: null,
      isListed: false,
      isRepeatable: false,
      description: "Invoice 2026/A-17",
      reference: "2026/A-17",
      metadata: { invoiceId: invoice.invoiceId },
      invoiceId: invoice.invoiceId,
    });
    const { paymentLinks } = body(await call("GET", "/api/payment-links?limit=100", { bearer }));
    expect(paymentLinks.map(({ linkId }: Json) => linkId)).not.toContain(invoice.linkId);
    const { accepts } = body(await call("GET", `/paymentlink/${invoice.linkId}`));
    expect(accepts[0]).toMatchObject({ maxAmountRequired: "216200001", description: "Invoice 2026/A-17" });
  });

  test("takes the next number of its owner's year, each number once, also in parallel", async () => {
    const parties = await linkedPair();
    const issued = { issueDate: `${OTHER_YEAR}-05-01` };
    const numbers = (await Promise.all(Array.from({ length: 8 }, () => created(issued, parties)))).map(
      ({ number }) => number,
    );
    expect(numbers.sort()).toEqual(Array.from({ length: 8 }, (_, index) => `INV-${OTHER_YEAR}-000${index + 1}`));
    await created({ ...issued, number: `INV-${OTHER_YEAR}-0041` }, parties);
    expect((await created(issued, parties)).number).toBe(`INV-${OTHER_YEAR}-0042`);
    await created({ ...issued, number: `INV-${OTHER_YEAR}-0003x` }, parties);
    expect((await created(issued, parties)).number).toBe(`INV-${OTHER_YEAR}-0043`);
    const ofToday = await created({}, parties);
    expect(ofToday.number).toBe(`INV-${ofToday.issueDate.slice(0, 4)}-0001`);
    const countBefore = await count();
    expectRefused(await create(request({ number: `INV-${OTHER_YEAR}-0001` }), parties), 409, "INVOICE_NUMBER_TAKEN");
    expect(await count()).toBe(countBefore);
    expect((await created({ number: `INV-${OTHER_YEAR}-0001` })).number).toBe(`INV-${OTHER_YEAR}-0001`);
  });

  test("gets the next automatic number whatever numbers were chosen before, also in parallel", async () => {
    const parties = await linkedPair();
    const issued = { issueDate: "2032-05-01" };
    const give = (count: string) => created({ number: `INV-2032-${count}` }, parties);
    const next = async () => (await created(issued, parties)).number;
    expect(await next()).toBe("INV-2032-0001");
    for (const far of ["999999999", "1000000000", `1${"0".repeat(30)}`, "0150", "0151"]) await give(far);
    expect(await next()).toBe("INV-2032-0002");
    for (const near of ["0100", "0149"]) await give(near);
    expect(await next()).toBe("INV-2032-0152");
    // Simulates a sequence that has come this far.
    await testSystem.sql`update invoice_numbers set last = 999999998 where year = 2032`;
    const parallel = await Promise.all([
      next(),
      next(),
      next(),
      create(request({ number: "INV-2032-1000000002" }), parties),
    ]);
    const numbers = parallel.slice(0, 3);
    expect(new Set(numbers).size).toBe(3);
    for (const number of numbers) expect(number).toMatch(/^INV-2032-100000000[1-5]$/);
    expect(await next()).toMatch(/^INV-2032-100000000[4-6]$/);
  });

  test("is created once per Idempotency-Key", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const [first, repeatedResponse] = [await create(request(), seller, key), await create(request(), seller, key)];
    expect(repeatedResponse.body).toEqual(first.body);
    expectRefused(await create(request({ note: "other" }), seller, key), 409, "IDEMPOTENCY_KEY_REUSED");
  });

  test("binds its agent to the owner, and only the owner is paid by it", async () => {
    const parties = await linkedPair();
    const unlink = () => call("POST", "/api/agent/self/unlink", { bearer: parties.agent.jwt });
    await created({}, parties);
    expect((await unlink()).status).toBe(409);
  });

  test("sums in cents; exact sums if a price is finer than a cent", async () => {
    const tax = { label: "VAT", percent: "23" };
    const inCents = await created({ lines: [line({ unitAmount: "134380000" })], tax });
    expect([inCents.tax, inCents.total]).toMatchObject([{ amount: "30910000" }, "165290000"]);
    const exact = await created({ lines: [line({ unitAmount: "134380001" })], tax });
    expect([exact.tax, exact.total]).toMatchObject([{ amount: "30907400" }, "165287401"]);
  });

  test("requires an agent with an owner", async () => {
    const response = await call("POST", "/api/invoices", { bearer: (await newAgent()).jwt, json: request() });
    expect([response.status, response.body]).toMatchObject([409, { code: "WALLET_NOT_LINKED" }]);
  });
});

describe("the API refuses an invoice, and creates nothing, for", () => {
  test.each([
    ["lines", []],
    ["lines", Array.from({ length: 51 }, () => line())],
    ["lines", "x"],
    ["lines", { 0: line() }],
    ["lines", null],
  ])("invalid lines: %s %#", (field, lines) => expectInvalid({ lines }, field));

  test("more than 50 lines; exactly 50 are accepted", async () => {
    const { lines, total } = await created({ lines: Array.from({ length: 50 }, () => line()) });
    expect([lines.length, total]).toEqual([50, "500000"]);
  });

  test.each(["0", "0.000", "-1", "1.0001", "1e3", "", "1,5", "NaN", "Infinity", "9".repeat(5000), 1, 1.5, null, ["1"]])(
    "a quantity of %j",
    (quantity) => expectInvalid({ lines: [line(), line({ quantity })] }, "lines.1.quantity"),
  );

  test.each(BAD_AMOUNTS)("a unit amount of %j", (unitAmount) =>
    expectInvalid({ lines: [line({ unitAmount })] }, "lines.0.unitAmount"),
  );

  test("a line whose amount is not a whole number of atomic units", () =>
    expectInvalid({ lines: [line(), line({ quantity: "0.5", unitAmount: "3" })] }, "lines.1.quantity"));

  test("a total of 2^256", async () => {
    const most = (2n ** 256n - 1n).toString();
    await expectInvalid({ lines: [line({ unitAmount: most }), line({ unitAmount: "1" })] }, "lines");
    await expectInvalid({ lines: [line({ unitAmount: most, quantity: "2" })] }, "lines");
    await expectInvalid({ lines: [line({ unitAmount: most })], tax: { percent: "0.001" } }, "lines");
    await expectInvalid({ lines: [line({ unitAmount: most })], tax: { amount: most } }, "lines");
    expect((await created({ lines: [line({ unitAmount: most })] })).total).toBe(most);
  });

  test.each([
    ["tax", {}],
    ["tax", { percent: "1", amount: "1" }],
    ["tax.percent", { percent: "-1" }],
    ["tax.percent", { percent: "100.001" }],
    ["tax.percent", { percent: 19 }],
    ["tax.amount", { amount: "-1" }],
    ["tax.amount", { amount: 1 }],
    ["tax.label", { percent: "1", label: "" }],
    ["tax.label", { percent: "1", label: "x".repeat(41) }],
    ["tax", "19%"],
  ])("an invalid value of %s in %j", (field, tax) => expectInvalid({ tax }, field));

  test.each([
    "2026-02-30",
    "2026-1-1",
    "31.01.2026",
    "1999-12-31",
    "12026-01-01",
    "2026-01-01T00:00:00Z",
    20260101,
    null,
  ])("a due date of %j", (dueDate) => expectInvalid({ dueDate }, "dueDate"));

  test.each(["", " 1", "a b", "/1", "Ä1", "<b>", "x".repeat(41), "1\n2", 7, {}])("the number %j", (number) =>
    expectInvalid({ number }, "number"),
  );

  test.each([
    ["buyer", null],
    ["buyer.name", {}],
    ["buyer.name", { name: "" }],
    ["buyer.name", { name: " \u200b" }],
    ["buyer.name", { name: "x".repeat(101) }],
    ["buyer.name", { name: "a\u202eb" }],
    ["buyer.email", { name: "x", email: "nobody" }],
    ["buyer.email", { name: "x", email: "a@b.example\nBcc: c@d.example" }],
    ["buyer.address", { name: "x", address: "x".repeat(501) }],
    ["buyer.address", { name: "x", address: "a\u0000" }],
  ])("an invalid buyer: %s %#", (field, buyer) => expectInvalid({ buyer }, field));

  test.each([
    ["lines.0.description", { lines: [line({ description: "x".repeat(201) })] }],
    ["lines.0.description", { lines: [line({ description: "a\nb" })] }],
    ["lines.0.description", { lines: [line({ description: "\ud800" })] }],
    ["lines.0.description", { lines: [line({ description: undefined })] }],
    ["note", { note: "x".repeat(1001) }],
    ["note", { note: "a\u202eb" }],
    ["sellerDetails", { sellerDetails: "x".repeat(501) }],
    ["network", { network: "ethereum" }],
    ["currency", { currency: "EUR" }],
    ["isPayableAfterDue", { isPayableAfterDue: "no" }],
  ])("an invalid value of %s %#", (field, change) => expectInvalid(change, field));

  test("a due date before the issue date, and a past due date on an invoice that cannot be paid late", async () => {
    const countBefore = await count();
    const past = { issueDate: "2020-01-01", dueDate: "2020-01-31" };
    expectRefused(await create(request({ dueDate: "2020-01-31" })), 400, "DUE_DATE_BEFORE_ISSUE");
    expectRefused(await create(request({ ...past, dueDate: "2019-12-31" })), 400, "DUE_DATE_BEFORE_ISSUE");
    expectRefused(await create(request({ ...past, isPayableAfterDue: false })), 400, "DUE_DATE_IN_PAST");
    expect(await count()).toBe(countBefore);
  });

  test("a body that is too large", async () => {
    expectRefused(await create(request({ note: "x".repeat(140_000) })), 413, "BODY_TOO_LARGE", { bytesMax: 131_072 });
  });
});

describe("the life of an invoice", () => {
  test("is paid once, at its link, and has the state paid only after that payment", async () => {
    const { invoiceId, linkId } = await created();
    const response = await pay(linkId, 10_000n);
    expect([response.status, response.body]).toMatchObject([200, { status: "success" }]);
    const { settlementId, receipt } = body(response);
    expect(await invoiceOf(invoiceId)).toMatchObject({
      state: "paid",
      payment: {
        settlementId,
        status: "settled",
        txHash: receipt.txHash,
        settledAt: expect.any(String),
        receiptUrl: `${BASE_URL}/receipt/${settlementId}`,
      },
    });
    expect((await pay(linkId, 10_000n)).status).toBe(410);
    expectRefused(await cancel(invoiceId), 409, "INVOICE_PAID");
    const [event] =
      await testSystem.sql`select meta from events where type = 'payment_link.paid' and subject = ${linkId}`;
    expect(event?.meta).toMatchObject({ reference: `${(await invoiceOf(invoiceId)).number}`, metadata: { invoiceId } });
    expect(await violations(testSystem.system)).toEqual([]);
  });

  test("stays paid after a refund, with the refunded amount", async () => {
    const parties = await linkedPair();
    const { jwt: bearer } = parties.agent;
    const { invoiceId, linkId, refundedAmount } = await created({}, parties);
    expect(refundedAmount).toBe("0");
    const { payTo } = body(await call("GET", `/paymentlink/${linkId}`)).accepts[0];
    const proof = paying(claimFrom(payer(), payTo, 10_000n));
    expect((await call("GET", `/paymentlink/${linkId}`, { headers: proof })).status).toBe(200);
    const [{ id: paymentId }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
    for (const [amount, sum] of [
      ["4000", "4000"],
      ["6000", "10000"],
    ]) {
      const json = { paymentId, amount };
      const { refundId } = body(await call("POST", "/api/payment-links/refunds/initiate", { bearer, json }));
      const approved = await call("POST", `/api/refunds/${refundId}/approve`, { session: parties.owner.session });
      expect([approved.status, approved.body]).toMatchObject([200, {}]);
      await until(
        async () => body(await read(invoiceId, parties)).invoice.refundedAmount === sum,
        `${sum} to be refunded of the invoice`,
      );
      expect(body(await read(invoiceId, parties)).invoice).toMatchObject({ state: "paid", total: "10000" });
    }
    const [listed] = body(await call("GET", "/api/invoices", { bearer })).invoices;
    expect(listed).toMatchObject({ state: "paid", refundedAmount: "10000" });
  });

  test("becomes overdue after the due date, and can still be paid unless the seller excluded that", async () => {
    const past = { issueDate: "2020-01-01", dueDate: "2020-01-31" };
    const late = await created(past);
    expect(late).toMatchObject({ state: "overdue", dueInDays: expect.any(Number) });
    expect(late.dueInDays).toBeLessThan(-2000);
    expect((await pay(late.linkId, 10_000n)).status).toBe(200);
    expect(await invoiceOf(late.invoiceId)).toMatchObject({ state: "paid" });

    const strict = await created({ isPayableAfterDue: false });
    const bearer = seller.agent.jwt;
    const { paymentLink } = body(await call("GET", `/api/payment-links/${strict.linkId}`, { bearer }));
    expect(paymentLink.expiresAt).toBe("2090-02-01T00:00:00.000Z");
    await testSystem.sql`update invoices set issue_date = '2020-01-01', due_date = '2020-01-31'
      where invoice_id = ${strict.invoiceId}`;
    expect(await invoiceOf(strict.invoiceId)).toMatchObject({ state: "expired" });
  });

  test("shows a pending payment before any other state, until the payment ends", async () => {
    const { invoiceId, linkId } = await created();
    await underWay(linkId);
    const pending = { status: "pending", txHash: null, settledAt: null };
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: "payment_under_way", payment: pending });
    const response = await cancel(invoiceId);
    expect([response.status, body(response).message]).toEqual([200, expect.stringContaining("may still settle")]);
    expect(body(response).invoice).toMatchObject({ state: "payment_under_way", cancelledAt: expect.any(String) });
    await settle(linkId, "void");
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: "cancelled", payment: null });
    await settle(linkId, "settled");
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: "paid", payment: { status: "settled" } });
    await testSystem.sql`delete from settlements where subject = ${linkId}`;
  });

  test("can end with a cancellation: its link is closed to everybody, and cancelling again changes nothing", async () => {
    const { invoiceId, linkId } = await created();
    const first = await cancel(invoiceId);
    expect([first.status, first.body]).toMatchObject([
      200,
      { message: expect.stringContaining("No new payment can begin"), invoice: { state: "cancelled", payment: null } },
    ]);
    expect((await cancel(invoiceId)).body).toEqual(first.body);
    const closed = await pay(linkId, 10_000n);
    expect([closed.status, closed.body]).toMatchObject([
      410,
      { code: "LINK_DISABLED", sellerMessage: "The seller cancelled this invoice." },
    ]);
    const events = await testSystem.sql`select type from events where subject = ${linkId} order by created_at`;
    expect(events.map(({ type }) => type)).toEqual(["payment_link.created", "payment_link.updated"]);
  });

  test("keeps the seller's name and domain of the day of issue, whatever happens to the profile", async () => {
    const parties = await linkedPair();
    const { agentId } = parties.agent;
    const { session } = parties.owner;
    const [agent] = await testSystem.sql`select owner_id, name from agents where id = ${agentId}`;
    const rename = (name: string) => call("PATCH", "/api/seller/profile", { session, json: { name } });
    const plain = await created({}, parties);
    expect(plain).toMatchObject({ sellerName: agent?.name, sellerDomain: null });
    await testSystem.sql`insert into seller_domains ${testSystem.sql({
      id: newId("domain"),
      owner_id: agent?.owner_id,
      origin: "https://shop.example",
      token: "token",
      verified_at: new Date(),
      created_at: new Date(),
    })}`;
    expect((await rename("Shop Ltd")).status).toBe(200);
    const named = await created({}, parties);
    expect(named).toMatchObject({ sellerName: "Shop Ltd", sellerDomain: "shop.example" });
    expect((await rename("Other Ltd")).status).toBe(200);
    await testSystem.sql`update agents set name = 'Other' where id = ${agentId}`;
    await testSystem.sql`update seller_domains set verified_at = null where owner_id = ${agent?.owner_id}`;
    for (const invoiceBefore of [plain, named])
      expect((await read(invoiceBefore.invoiceId, parties)).body).toEqual({ success: true, invoice: invoiceBefore });
    expect(await created({}, parties)).toMatchObject({ sellerName: "Other Ltd", sellerDomain: null });
  });

  test("keeps its payment link unchanged: nobody can edit or delete that link directly", async () => {
    const { invoiceId, linkId } = await created();
    const { agent, owner } = seller;
    const own = { bearer: agent.jwt };
    const [path, owned] = [`/api/payment-links/${linkId}`, `/api/agents/${agent.agentId}/payment-links/${linkId}`];
    for (const json of [{ maxUses: null }, { status: "disabled" }, { expiresAt: null }, {}])
      expectRefused(await call("PATCH", path, { ...own, json }), 409, "LINK_OF_INVOICE", { invoiceId });
    expectRefused(await call("DELETE", path, own), 409, "LINK_OF_INVOICE", { invoiceId });
    const session = { session: owner.session };
    const json = { maxUses: 2 };
    expectRefused(await call("PATCH", owned, { ...session, json }), 409, "link_of_invoice", { invoiceId });
    expectRefused(await call("DELETE", owned, session), 409, "link_of_invoice", { invoiceId });
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: "open" });
  });
});

describe("the list of an agent's invoices", () => {
  test("is sorted newest first, page by page, without the lines", async () => {
    const parties = await linkedPair();
    const made = [await created({}, parties), await created({}, parties), await created({}, parties)].map(
      ({ invoiceId }) => invoiceId,
    );
    const list = async (query: string) =>
      body(await call("GET", `/api/invoices${query}`, { bearer: parties.agent.jwt }));
    const first = await list("?limit=2");
    expect(first.invoices.map(({ invoiceId }: Json) => invoiceId)).toEqual([made[2], made[1]]);
    expect(first.invoices[0]).not.toHaveProperty("lines");
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([rest.invoices.map(({ invoiceId }: Json) => invoiceId), rest.nextCursor]).toEqual([[made[0]], null]);
    for (const query of ["?limit=0", "?limit=101", "?cursor=x", "?limit=1&limit=2"])
      expect((await call("GET", `/api/invoices${query}`, { bearer: parties.agent.jwt })).status).toBe(400);
  });
});

describe("owners of agents", () => {
  const send = (path: string, { owner, agent }: Parties, json?: unknown, agentId = agent.agentId) =>
    call("POST", `/api/agents/${agentId}/invoices${path}`, {
      session: owner.session,
      ...(json !== undefined && { json }),
    });

  test("can create and cancel their agents' invoices", async () => {
    const response = await send("", seller, request());
    const { invoice } = body(response);
    expect([response.status, invoice]).toMatchObject([200, { state: "open", agentId: seller.agent.agentId }]);
    expect(await invoiceOf(invoice.invoiceId)).toEqual(invoice);
    expect(body(await send(`/${invoice.invoiceId}/cancel`, seller)).invoice).toMatchObject({ state: "cancelled" });
    const events = await testSystem.sql`select meta from events where subject = ${invoice.linkId}`;
    expect(events.map(({ meta }) => meta.by)).toEqual(["owner", "owner"]);
    expectRefused(await send("", seller, request({ number: invoice.number })), 409, "invoice_number_taken");
    expectRefused(await send("", seller, request({ dueDate: "2020-01-31" })), 400, "due_date_before_issue");
    const past = { issueDate: "2020-01-01", dueDate: "2020-01-31", isPayableAfterDue: false };
    expectRefused(await send("", seller, request(past)), 400, "due_date_in_past");
    const paid = await created();
    expect((await pay(paid.linkId, 10_000n)).status).toBe(200);
    expectRefused(await send(`/${paid.invoiceId}/cancel`, seller), 409, "invoice_paid");
  });

  test("find each invoice in the list of its state, also a cancelled one with a pending payment", async () => {
    const parties = await linkedPair();
    const ctx = await asOwner(parties);
    const { invoiceId, linkId } = await created({}, parties);
    const listsWithIt = async () => {
      const has = async (filter: invoices.InvoiceFilter) =>
        (await invoices.listForOwner(ctx, { filter, limit: 10 })).items.length > 0;
      const found = await Promise.all(invoices.INVOICE_FILTERS.map(has));
      return invoices.INVOICE_FILTERS.filter((_, index) => found[index]);
    };
    expect(await listsWithIt()).toEqual(["unpaid"]);
    await underWay(linkId);
    expect(await listsWithIt()).toEqual(["unpaid"]);
    expect((await cancel(invoiceId, parties)).status).toBe(200);
    expect(body(await read(invoiceId, parties)).invoice).toMatchObject({ state: "payment_under_way" });
    expect(await listsWithIt()).toEqual(["unpaid"]);
    await settle(linkId, "void");
    expect(await listsWithIt()).toEqual(["cancelled"]);
    await settle(linkId, "settled");
    expect(await listsWithIt()).toEqual(["paid"]);
    await testSystem.sql`delete from settlements where subject = ${linkId}`;
  });

  test("get their own last seller details as the proposal for the next invoice, never those of an agent", async () => {
    const parties = await linkedPair();
    const ctx = await asOwner(parties);
    expect(await invoices.lastSellerDetails(ctx)).toBeNull();
    await created({ sellerDetails: "Pay to another wallet" }, parties);
    expect(await invoices.lastSellerDetails(ctx)).toBeNull();
    expect((await send("", parties, request({ sellerDetails: "Shop Ltd, CHE-123" }))).status).toBe(200);
    await created({ sellerDetails: "Pay to another wallet" }, parties);
    expect(await invoices.lastSellerDetails(ctx)).toBe("Shop Ltd, CHE-123");
  });

  test("see that an invoice can no longer be paid once its agent is deleted", async () => {
    const parties = await linkedPair();
    const { invoiceId } = await created({}, parties);
    expect(body(await read(invoiceId, parties)).invoice).toMatchObject({ state: "open", canBePaid: true });
    const deleted = await call("DELETE", `/api/agents/${parties.agent.agentId}`, { session: parties.owner.session });
    expect(deleted.status).toBe(200);
    const ctx = await asOwner(parties);
    const { items } = await invoices.listForOwner(ctx, { limit: 10 });
    expect(items).toMatchObject([{ invoice: { invoiceId }, isAgentDeleted: true }]);
    for (const item of items)
      expect(toInvoiceItem(item, BASE_URL, new Date())).toMatchObject({ state: "open", canBePaid: false });
    const cancelled = body(await send(`/${invoiceId}/cancel`, parties));
    expect(cancelled.invoice).toMatchObject({ state: "cancelled", canBePaid: false });
  });

  test("and their agents find no invoice of another owner, as if it did not exist", async () => {
    const { invoiceId } = await created();
    for (const id of [invoiceId, NOBODYS]) {
      expectRefused(await read(id, otherParties), 404, "INVOICE_NOT_FOUND");
      expectRefused(await cancel(id, otherParties), 404, "INVOICE_NOT_FOUND");
      expectRefused(await send(`/${id}/cancel`, otherParties), 404, "invoice_not_found");
      expectRefused(
        await send(`/${id}/cancel`, otherParties, undefined, seller.agent.agentId),
        404,
        "invoice_not_found",
      );
    }
    expectRefused(await send("", otherParties, request(), seller.agent.agentId), 404, "agent_not_found");
    const list = await call("GET", "/api/invoices", { bearer: otherParties.agent.jwt });
    expect(body(list).invoices).toEqual([]);
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: "open" });
    for (const bad of ["nobody", "lnk_000000000000000000000000", "inv_0"])
      expectRefused(await read(bad), 400, "INVALID_REQUEST", {
        field: "invoiceId",
        reason: expect.any(String),
      });
  });
});
