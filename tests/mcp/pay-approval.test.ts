import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAgent, newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { type Answer, call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, connectV2, type McpClient, type Person, requiredV1 } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { runService } from "../support/service";
import * as wiring from "../support/wiring";

const service = runService();
const PRICE = "10000";
let shop: Receiver;
let payTo: string;
/** The proofs that the seller got. */
let proofs: string[];
let price: string;

beforeAll(async () => {
  shop = await startReceiver();
});
afterAll(() => shop?.close());

beforeEach(() => {
  [payTo, proofs, price] = [freshAddress(), [], PRICE];
  shop.answer((request, res) => {
    const proof = request.headers["x-payment"];
    if (typeof proof !== "string") return void res.writeHead(402).end(requiredV1(shop.url, payTo, price));
    proofs.push(proof);
    res.writeHead(200).end("goods");
  });
});

type Buyer = Parties & { client: McpClient };

/** An agent whose owner has money and has signed no mandate for the shop. */
async function newBuyer(person?: Person, parties?: Parties): Promise<Buyer> {
  const { owner, agent } = parties ?? (await linkedPair());
  await service.world.mint(await walletOf(owner), 1_000_000n);
  await signedMandate({ hostAllowlist: ["elsewhere.example"] }, { owner, agent });
  const connect = person ? connectV2("auto", person) : connectV1;
  return { owner, agent, client: await connect(agent.token) };
}

const order = (change: object = {}) => ({ url: shop.url, maxAmount: PRICE, idempotencyKey: "goods-1", ...change });
const pay = async ({ client }: Buyer, change: object = {}): Promise<Json> =>
  (await client.call("pay_url", order(change))).value;
const decide = (id: string, verb: "approve" | "deny" | "claim", owner: TestOwner, json: object = {}) =>
  confirmedCall(owner, `/api/approvals/${id}/${verb}`, json);
const done = ({ status, body }: Answer) => expect({ status, body }).toMatchObject({ status: 200 });
const approvalsOf = ({ agent }: Buyer) =>
  service.opened.sql`select id, payment_id from approvals where agent_id = ${agent.agentId}`;
const paymentsOf = ({ agent }: Buyer) => service.opened.sql`select id from payments where agent_id = ${agent.agentId}`;
const waiting = { outcome: "approval_required", payment: null, answer: null, amount: PRICE, network: "base" };

/** A purchase that waits for its owner. */
async function requested(change: object = {}) {
  const buyer = await newBuyer();
  const asked = await pay(buyer, change);
  expect(asked).toMatchObject({ ...waiting, payTo });
  return { buyer, asked };
}

describe("pay_url without a mandate", () => {
  test("pays once when the user approves the payment at a link and the agent repeats the call", async () => {
    const { buyer, asked } = await requested();
    expect(asked).toMatchObject({
      message: expect.stringContaining("0.01 USDC"),
      nextStep: expect.stringContaining("approvalUrl"),
      host: new URL(shop.url).host,
      expiresAt: expect.any(Number),
      summary: { kind: "payment", amount: PRICE, host: new URL(shop.url).host, payee: { address: payTo } },
    });
    // A response that was lost: the same link, with its token.
    expect(await pay(buyer)).toEqual(asked);
    expect([proofs.length, (await paymentsOf(buyer)).length, (await approvalsOf(buyer)).length]).toEqual([0, 0, 1]);

    done(await decide(asked.approvalId, "approve", buyer.owner));
    const paid = await pay(buyer);
    expect(paid).toMatchObject({
      outcome: "delivered",
      answer: { status: 200, body: "goods" },
      payment: { amount: PRICE, network: "base", payTo, mandateId: null },
    });
    const [approval] = await approvalsOf(buyer);
    expect(approval?.payment_id).toBe(paid.payment.paymentRecordId);
    expect((await pay(buyer)).payment.paymentRecordId).toBe(paid.payment.paymentRecordId);
    expect(proofs).toHaveLength(1);
    await buyer.client.close();
  });

  test("links an agent by the approval of one payment, but requests URLs only once the owner has signed a mandate", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const buyer = { owner, agent, client: await connectV1(agent.token) };
    const before = shop.got.length;
    expect((await pay(buyer)).error).toMatchObject({ code: "owner_signature_required", retry: "ask_user" });
    expect(shop.got).toHaveLength(before);
    const required = JSON.parse(requiredV1(shop.url, payTo, price));
    const asked = (await buyer.client.call("request_x402_payment", { payment_required: required })).value;
    const token = new URL(asked.approvalUrl).searchParams.get("token");
    done(await decide(asked.approvalId, "claim", owner, { token }));
    expect((await pay(buyer)).error.code).toBe("owner_signature_required");
    await service.world.mint(await walletOf(owner), 1_000_000n);
    done(await decide(asked.approvalId, "approve", owner));
    expect((await pay(buyer)).error.code).toBe("owner_signature_required");
    expect(shop.got).toHaveLength(before);
    await signedMandate({ hostAllowlist: ["elsewhere.example"] }, { owner, agent });
    expect(await pay(buyer)).toMatchObject({ outcome: "approval_required" });
    await buyer.client.close();
  });

  test("makes no payment after a denial, even if a mandate would cover it later", async () => {
    const { buyer, asked } = await requested();
    done(await decide(asked.approvalId, "deny", buyer.owner));
    await signedMandate({}, buyer);
    expect((await pay(buyer)).error).toMatchObject({ code: "approval_denied", retry: "never_again" });
    expect([proofs.length, (await paymentsOf(buyer)).length]).toEqual([0, 0]);
    await buyer.client.close();
  });

  test("replaces an expired approval link when the call is repeated", async () => {
    const { buyer, asked } = await requested();
    await service.opened.sql`update approvals set expires_at = now() where id = ${asked.approvalId}`;
    const next = await pay(buyer);
    expect(next).toMatchObject(waiting);
    expect(next.approvalId).not.toBe(asked.approvalId);
    done(await decide(next.approvalId, "approve", buyer.owner));
    expect(await pay(buyer)).toMatchObject({ outcome: "delivered" });
    await buyer.client.close();
  });

  test.each([
    ["another price", () => ["9999", payTo] as const],
    ["another payee", () => [PRICE, freshAddress()] as const],
  ])("does not use an approval for %s", async (_, changed) => {
    const { buyer, asked } = await requested();
    done(await decide(asked.approvalId, "approve", buyer.owner));
    [price, payTo] = changed();
    expect((await pay(buyer)).error).toMatchObject({ code: "offer_changed", retry: "fix_request" });
    expect([proofs.length, (await paymentsOf(buyer)).length]).toEqual([0, 0]);
    await buyer.client.close();
  });

  test("does not replace an approval that was used elsewhere", async () => {
    const { buyer, asked } = await requested();
    done(await decide(asked.approvalId, "approve", buyer.owner));
    const { approvalId } = asked;
    const required = JSON.parse(requiredV1(shop.url, payTo, price));
    const elsewhere = { payment_required: required, options: { approval_id: approvalId } };
    expect((await buyer.client.call("request_x402_payment", elsewhere)).isError).toBe(false);
    expect((await pay(buyer)).error).toMatchObject({ code: "approval_used" });
    expect([proofs.length, (await paymentsOf(buyer)).length]).toEqual([0, 1]);
    await buyer.client.close();
  });

  test("signs nothing else when the service crashes after the approval was used", async () => {
    const { buyer, asked } = await requested();
    done(await decide(asked.approvalId, "approve", buyer.owner));
    await wiring.control({ do: "arm", failpoint: "purchase.signed", action: "throw" });
    expect((await pay(buyer)).error.code).toBe("internal_error");
    await wiring.control({ do: "disarm", failpoint: "purchase.signed" });
    expect((await pay(buyer)).error.code).toBe("approval_used");
    expect([proofs.length, (await paymentsOf(buyer)).length, (await approvalsOf(buyer)).length]).toEqual([0, 1, 1]);
    await buyer.client.close();
  });

  test("pays with a mandate that was signed in the meantime", async () => {
    const { buyer, asked } = await requested();
    const { mandateId } = await signedMandate({}, buyer);
    expect(await pay(buyer)).toMatchObject({ outcome: "delivered", payment: { mandateId } });
    expect((await approvalsOf(buyer)).map(({ id, payment_id }) => [id, payment_id])).toEqual([
      [asked.approvalId, null],
    ]);
    // Nobody can pay it a second time.
    expect((await decide(asked.approvalId, "approve", buyer.owner)).status).toBe(410);
    await buyer.client.close();
  });

  test("requests no approval above maxAmount, or when the call names a mandate", async () => {
    const buyer = await newBuyer();
    expect((await pay(buyer, { maxAmount: "9999" })).error.code).toBe("max_amount_exceeded");
    const { mandateId } = await signedMandate({ network: "base-sepolia" }, buyer);
    expect((await pay(buyer, { mandateId })).error.code).toBe("no_mandate");
    expect(await approvalsOf(buyer)).toEqual([]);
    await buyer.client.close();
  });

  test("asks the user when the owner lets payments above their limit wait, also with a named mandate, and pays once they approve", async () => {
    const parties = await linkedPair();
    const { mandateId } = await signedMandate({}, parties);
    const buyer = await newBuyer(undefined, parties);
    const cap = { maxAmountPer24Hours: "1", waitingMax: 1 };
    done(await call("POST", "/api/wallet/spending-caps", { session: buyer.owner.session, json: cap }));
    const asked = await pay(buyer, { mandateId });
    expect(asked).toMatchObject({ ...waiting, payTo, message: expect.stringContaining("above the owner's limit") });
    expect(await pay(buyer, { mandateId })).toEqual(asked);
    done(await decide(asked.approvalId, "approve", buyer.owner));
    expect(await pay(buyer, { mandateId })).toMatchObject({ outcome: "delivered", payment: { mandateId: null } });
    expect([proofs.length, (await approvalsOf(buyer)).length]).toEqual([1, 1]);
    await buyer.client.close();
  });

  test("refuses the key of a waiting purchase for another request", async () => {
    const { buyer } = await requested();
    expect((await pay(buyer, { url: `${shop.url}/other` })).error.code).toBe("purchase_key_reused");
    await buyer.client.close();
  });

  test("creates one approval for simultaneous calls", async () => {
    const buyer = await newBuyer();
    const responses = await Promise.all([1, 2, 3, 4].map(() => pay(buyer)));
    for (const { outcome, error } of responses) expect(outcome ?? error.code).toMatch(/approval_required|in_progress/);
    expect(await approvalsOf(buyer)).toHaveLength(1);
    await buyer.client.close();
  });
});

describe("a client that can open URLs for its user", () => {
  test("lets the user approve during the call, and pays", async () => {
    const opened: string[] = [];
    const parties = await linkedPair();
    const person: Person = async ({ url, message }) => {
      opened.push(message);
      done(await decide(new URL(url).pathname.split("/").at(-1) ?? "", "approve", parties.owner));
      return "accept";
    };
    const buyer = await newBuyer(person, parties);
    expect(await pay(buyer)).toMatchObject({ outcome: "delivered", payment: { mandateId: null } });
    expect(opened).toEqual([expect.stringContaining("0.01 USDC")]);
    expect(proofs).toHaveLength(1);
    await buyer.client.close();
  });

  test("returns the link as text if the user has not decided, and pays at a later call", async () => {
    let opened = 0;
    const buyer = await newBuyer(async () => {
      opened += 1;
      return "accept";
    });
    const asked = await pay(buyer);
    expect([asked.outcome, opened]).toEqual(["approval_required", 1]);
    done(await decide(asked.approvalId, "approve", buyer.owner));
    expect(await pay(buyer)).toMatchObject({ outcome: "delivered" });
    expect(opened).toBe(1);
    await buyer.client.close();
  });
});
