import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noticeOf } from "@/lib/notices/rules";
import { messageOf } from "@/lib/webhooks/messages";
import { newAgent, type TestAgent } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, signedMandate, v3 } from "../support/mandates";
import { connectV1, requiredV1 } from "../support/mcp";
import { body, cancel, payout, readPayout, requestPayout, walletOf } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;
/** A host that confirms no address. */
let shop: Receiver;
beforeAll(async () => {
  pair = await linkedPair();
  shop = await startReceiver();
});
afterAll(() => shop?.close());

const requestPayment = ({ jwt }: TestAgent, change: object = {}) =>
  call("POST", "/api/payment/x402V1Payment", {
    bearer: jwt,
    json: {
      amount: "250000",
      payTo: freshAddress(),
      resource: "https://api.example.com/weather?key=secret#part",
      description: "Weather for Bern",
      ...change,
    },
  });

/** What the webhook and the browser's notice say of the event about `subject`. */
async function toldOf(subject: string, type: string) {
  const [row] = await service.opened.sql`select * from events where subject = ${subject} and type = ${type}`;
  if (!row) throw new Error(`no ${type} of ${subject}`);
  const { agent_id: agentId, created_at: createdAt, meta } = row;
  const message = messageOf({ type, subject, agentId, meta, createdAt });
  const notice = noticeOf({ id: row.id, type, subject, agentName: "Test agent", meta });
  return { summary: JSON.parse(message?.body ?? "").data.summary, notice };
}

const NOTHING_KNOWN = {
  isFirst: true,
  isInAddressBook: false,
  resemblesKnown: false,
  confirmedBy: null,
  hostHistory: null,
};
/** Of a host that was never paid. */
const NO_HISTORY = {
  ...{ paid: 0, delivered: 0, unseen: 0, refused: 0, priceAsListed: 0, addressesPaid: 0 },
  ...{ listedAmount: null, lastPayTo: null, lastPaidAt: null },
};
const NOTHING_PAID = { ...NOTHING_KNOWN, hostHistory: NO_HISTORY };

describe("the summary of a payment that waits", () => {
  test("is the same in the 202, its repetition, the webhook, and in words of the notice", async () => {
    const payTo = freshAddress();
    const answer = body(await requestPayment(pair.agent, { payTo }));
    expect(answer.summary).toEqual({
      kind: "payment",
      title: "Approve 0.25 USDC to api.example.com?",
      text: "Your agent “Test agent” asks you to pay 0.25 USDC to api.example.com. The request ends after ten minutes.",
      agentName: "Test agent",
      amount: "250000",
      amountFormatted: "0.25",
      currency: "USDC",
      network: "base",
      recipients: 1,
      payee: { address: payTo, known: NOTHING_PAID },
      host: "api.example.com",
      resource: "https://api.example.com/weather",
      reason: "Weather for Bern",
      mandate: null,
      exceededCap: null,
      expiresAt: expect.any(String),
    });
    expect(Math.floor(Date.parse(answer.summary.expiresAt) / 1000)).toBe(answer.expiresAt);
    const again = body(await requestPayment(pair.agent, { payTo, approvalId: answer.approvalId }));
    expect(again.summary).toEqual(answer.summary);
    const { summary, notice } = await toldOf(answer.approvalId, "payment.approval_requested");
    expect(summary).toEqual(answer.summary);
    expect(notice).toMatchObject({ subject: summary.title, lines: [summary.text] });
  });

  test("knows nothing of the payee while the agent has no owner", async () => {
    const { summary } = body(await requestPayment(await newAgent()));
    expect(summary.payee.known).toBeNull();
  });

  test("says what the owner's data shows of the payee, and none of the owner's own names", async () => {
    const parties = await linkedPair();
    const named = freshAddress();
    const json = { address: named, name: "My landlord" };
    expect((await confirmedCall(parties.owner, "/api/wallet/addresses", json)).status).toBe(201);
    const knownOf = async (payTo: string) => body(await requestPayment(parties.agent, { payTo })).summary.payee.known;
    expect(await knownOf(named)).toEqual({ ...NOTHING_PAID, isInAddressBook: true });
    const lookalike = `${named.slice(0, 6)}${"0".repeat(32)}${named.slice(-4)}`.toLowerCase();
    expect(await knownOf(lookalike)).toMatchObject({ isInAddressBook: false, resemblesKnown: true });
    const answer = await requestPayment(parties.agent, { payTo: named });
    expect(JSON.stringify(answer.body)).not.toContain("landlord");
  });

  test("says which of the owner's caps it exceeds, also in the webhook and the notice, and which payout does", async () => {
    const parties = await linkedPair();
    const cap = { maxAmountPer24Hours: "200000", waitingMax: 3 };
    const set = await call("POST", "/api/wallet/spending-caps", { session: parties.owner.session, json: cap });
    expect(set.status).toBe(200);
    const fitting = body(await requestPayment(parties.agent, { amount: "200000" }));
    expect(fitting.summary.exceededCap).toBeNull();
    const answer = body(await requestPayment(parties.agent));
    const exceededCap = {
      limitOf: "owner",
      window: "24_hours",
      maxAmount: "200000",
      remainingAmount: "200000",
      availableAt: null,
      canAsk: true,
    };
    expect(answer.summary.exceededCap).toEqual(exceededCap);
    const told = await toldOf(answer.approvalId, "payment.approval_requested");
    expect(told.summary).toEqual(answer.summary);
    expect(told.notice?.lines[0]).toMatch(/It exceeds your limit of 0\.20 USDC in 24 hours, of which 0\.20 is left\.$/);
    // A cap that was set since lets nothing exceed it.
    const strict = { agentId: parties.agent.agentId, maxAmountPer30Days: "10000" };
    const json = { ...strict, network: "base" };
    expect((await call("POST", "/api/wallet/spending-caps", { session: parties.owner.session, json })).status).toBe(
      200,
    );
    const again = { payTo: answer.summary.payee.address, approvalId: answer.approvalId };
    expect(body(await requestPayment(parties.agent, again)).summary.exceededCap).toMatchObject({
      limitOf: "agent",
      window: "30_days",
      canAsk: false,
    });
    const paidOut = body(await requestPayout(parties.agent, payout({ amount: "30000" })));
    expect(paidOut.summary.exceededCap).toMatchObject({ limitOf: "agent", maxAmount: "10000" });
    expect(paidOut.summary.text).toContain("exceeds your limit for this agent of 0.01 USDC in 30 days");
  });

  test("counts what the owner has approved before as taken from their limit", async () => {
    const parties = await signedMandate();
    const cap = { maxAmountPer24Hours: "400000", waitingMax: 3 };
    await call("POST", "/api/wallet/spending-caps", { session: parties.owner.session, json: cap });
    const [first, second] = [
      body(await requestPayment(parties.agent)),
      body(await requestPayment(parties.agent, { amount: "150001" })),
    ];
    expect(second.summary.exceededCap).toBeNull();
    const approved = await confirmedCall(parties.owner, `/api/approvals/${first.approvalId}/approve`, {});
    expect(approved.status).toBe(200);
    const { payee } = second.summary;
    const json = { payTo: payee.address, amount: "150001", approvalId: second.approvalId };
    expect(body(await requestPayment(parties.agent, json)).summary.exceededCap).toMatchObject({
      maxAmount: "400000",
      remainingAmount: "150000",
    });
    const fitting = body(await requestPayment(parties.agent, { amount: "150000" }));
    expect(fitting.summary.exceededCap).toBeNull();
  });

  test("bounds and cleans what agents and sellers write", async () => {
    const host = `${"a".repeat(60)}.${"b".repeat(60)}.evil.example`;
    const { summary, approvalId } = body(
      await requestPayment(pair.agent, {
        resource: `https://${host}/${"p".repeat(1500)}`,
        description: `\u202eevil\r\n\r\n*Approved* <b>${"x".repeat(1000)}`,
      }),
    );
    expect(summary.host).toMatch(/^….{50}$/u);
    expect(summary.host.endsWith(".evil.example")).toBe(true);
    expect(summary.title).toContain(summary.host);
    expect([...summary.resource].length).toBe(501);
    expect([...summary.reason].length).toBe(201);
    expect(summary.reason).toMatch(/^evil \*Approved\* <b>x+…$/);
    expect((await toldOf(approvalId, "payment.approval_requested")).summary).toEqual(summary);
    const { summary: plain } = body(await requestPayment(pair.agent, { description: " \n\u200b " }));
    expect(plain.reason).toBeNull();
  });

  test("shows the host that is called, and an agent's name that cannot end its quotes", async () => {
    const agent = await newAgent("Bob” asks you to pay 0.01 USDC to shop.com. “");
    const resource = "https://\u0430pple.com/\u202emoc.elppa";
    const { summary } = body(await requestPayment(agent, { resource }));
    expect(summary).toMatchObject({
      host: "xn--pple-43d.com",
      resource: "https://xn--pple-43d.com/%E2%80%AEmoc.elppa",
      text: "Your agent “Bob' asks you to pay 0.01 USDC to shop.com. '” asks you to pay 0.25 USDC to xn--pple-43d.com. The request ends after ten minutes.",
    });
  });

  test("is in the results over MCP", async () => {
    const client = await connectV1(pair.agent.token);
    const payTo = freshAddress();
    const required = JSON.parse(requiredV1("https://api.example.com/x", payTo, "250000"));
    const { value } = await client.call("request_x402_payment", { payment_required: required });
    expect(value.summary).toMatchObject({ kind: "payment", amount: "250000", payee: { address: payTo } });
    await client.close();
  });
});

test("the summary of a payee to confirm has the mandate and what is left of it", async () => {
  const parties = await linkedPair();
  await service.world.mint(await walletOf(parties.owner), 10_000_000n);
  const terms = { hostAllowlist: ["localhost"], confirmPayees: true };
  const { mandateId, mandate } = await signedMandate(terms, parties);
  shop.answerStatus(404);
  const payTo = freshAddress();
  const json = v3(mandateId, { payTo, resource: shop.url });
  const pay = () => call("POST", "/api/payment/x402V3Payment", { bearer: parties.agent.jwt, json });
  const answer = await pay();
  expect(answer.status).toBe(202);
  const { summary, payeeId } = body(answer);
  expect(summary).toMatchObject({
    kind: "payee",
    title: `Confirm a new payee of ${new URL(shop.url).host}?`,
    payee: { address: payTo, known: NOTHING_PAID },
    mandate: {
      mandateId,
      remainingAmount: mandate.limitAmount,
      validUntil: new Date(mandate.validUntil).toISOString(),
    },
    expiresAt: null,
  });
  expect(summary.reason).toContain("did not answer with a payment requirement");
  const told = await toldOf(payeeId, "payee.requested");
  expect(told.summary).toEqual(summary);
  expect(told.notice).toMatchObject({ subject: summary.title, lines: [summary.text] });
  expect((await confirmedCall(parties.owner, `/api/payees/${payeeId}/confirm`, {})).status).toBe(200);
  expect((await pay()).status).toBe(200);
  const unlisted = { payTo, resource: shop.url, amount: "1" };
  expect(body(await requestPayment(parties.agent, unlisted)).summary.payee.known).toMatchObject({
    confirmedBy: "owner",
  });
});

describe("the summary of a payout", () => {
  test("is there while it waits, also in the webhook and in words of the notice", async () => {
    const json = payout({ description: "For July", bizId: "order:9" });
    const { summary, payoutId, payoutRecordId } = body(await requestPayout(pair.agent, json));
    expect(summary).toMatchObject({
      kind: "payout",
      title: "Approve a payout of 0.01 USDC?",
      recipients: 1,
      payee: { address: json.toAddress, known: NOTHING_KNOWN },
      host: null,
      reason: "For July",
      mandate: null,
    });
    const told = await toldOf(payoutRecordId, "payout.created");
    expect(told.summary).toEqual(summary);
    expect(told.notice).toMatchObject({ subject: summary.title, lines: [summary.text] });
    expect(body(await readPayout(pair.agent, payoutId)).summary).toEqual(summary);
    expect(body(await cancel(pair.agent, payoutId)).summary).toBeNull();
    expect(body(await readPayout(pair.agent, payoutId)).summary).toBeNull();
  });

  test("counts the recipients when there are several, and is null under a mandate", async () => {
    const recipients = [1, 2].map(() => ({ toAddress: freshAddress(), amount: "10000" }));
    const { summary } = body(await requestPayout(pair.agent, { recipients }));
    expect(summary).toMatchObject({ amount: "20000", recipients: 2, payee: null });
    const parties = await linkedPair();
    await service.world.mint(await walletOf(parties.owner), 10_000_000n);
    const { mandateId } = await signedMandate({ hostAllowlist: ["payout"] }, parties);
    const paid = body(await requestPayout(parties.agent, payout({ mandateId }))) as Json;
    expect(paid.summary).toBeNull();
    expect((await toldOf(paid.payoutRecordId, "payout.created")).summary).toBeNull();
  });
});
