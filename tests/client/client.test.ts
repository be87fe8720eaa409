import { PaymentError, type PayOptions, Tessera } from "@tessera/client";
import { credentialVerifier, receiptVerifier, VerificationError } from "@tessera/client/verify";
import { beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { freshAddress, owned, type Parties, signatureOver, signedMandate } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";

/** The client against the production build, with real transfers. */
const service = shareService();
let server: Served;
let owner: TestOwner;
let wallet: Address;
let mandateId: string;
let buyer: Tessera;
let seller: Tessera;
let payTo: Address;

const LIMIT = (change: Partial<PayOptions> = {}): PayOptions => ({ maxAmount: "1000000", mandateId, ...change });
const clientOf = ({ agent }: Parties, fetch?: typeof globalThis.fetch) =>
  new Tessera({ baseUrl: server.url, agentId: agent.agentId, token: agent.token, fetch });

let buying: Parties;

beforeAll(async () => {
  server = await serve();
  const signed = await signedMandate({ limitAmount: "20000000" });
  buying = signed;
  ({ owner, mandateId } = signed);
  wallet = await walletOf(owner);
  await service.world.mint(wallet, 100_000_000n);
  buyer = clientOf(signed);
  const selling = await signedMandate({ limitAmount: "1000000" });
  seller = clientOf(selling);
  payTo = await walletOf(selling.owner);
});

const newLink = (change: object = {}) =>
  seller.links.create({ amount: "300000", description: "A report", resourceContent: "bought", maxUses: 1, ...change });

/** Checks that `act` moved exactly `amount` from the buyer's wallet to the seller's. */
async function moving<T>(amount: bigint, act: () => Promise<T>): Promise<T> {
  const before = [await service.world.balanceOf(wallet), await service.world.balanceOf(payTo)];
  const result = await act();
  expect([await service.world.balanceOf(wallet), await service.world.balanceOf(payTo)]).toEqual([
    (before[0] ?? 0n) - amount,
    (before[1] ?? 0n) + amount,
  ]);
  return result;
}

const failed = (promise: Promise<unknown>): Promise<PaymentError> =>
  promise.then(
    () => {
      throw new Error("it was paid");
    },
    (error) => error,
  );

/** fetch without the x402 v2 header, as behind a proxy that drops unknown headers. */
const onlyV1: typeof fetch = async (input, init) => {
  const res = await fetch(input, init);
  const headers = new Headers(res.headers);
  headers.delete("payment-required");
  return new Response(await res.arrayBuffer(), { status: res.status, headers });
};

describe("the client's pay()", () => {
  test.each<[string, typeof fetch | undefined, string]>([
    ["x402 v2", undefined, "PAYMENT-SIGNATURE"],
    ["x402 v1", onlyV1, "X-PAYMENT"],
  ])("buys at a payment link by %s", async (_, fetch, header) => {
    const { url } = await newLink();
    const { response, receipt } = await moving(300_000n, () => clientOf(buying, fetch).pay(url, {}, LIMIT()));
    expect(await response.json()).toMatchObject({ status: "success", resource: "bought" });
    expect(receipt).toMatchObject({
      amount: "300000",
      network: "base",
      payer: wallet,
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      settlementId: expect.stringMatching(/^stl_/),
      proof: { header },
    });
    expect(await buyer.payments.get(receipt?.paymentRecordId ?? "")).toMatchObject({
      status: "settled",
      resource: url,
    });
  });

  test("pays an agent's UPL under the first mandate that covers it", async () => {
    const url = buyer.receiveUrl("250000", seller.agentId);
    const { response } = await moving(250_000n, () => buyer.pay(url, {}, { maxAmount: "250000" }));
    expect(await response.json()).toMatchObject({ success: true, settledAmount: "250000" });
  });

  test("signs nothing above maxAmount, and nothing at a sold-out link", async () => {
    const { url } = await newLink();
    await moving(0n, async () => {
      expect(await failed(buyer.pay(url, {}, LIMIT({ maxAmount: "299999" })))).toMatchObject({
        code: "max_amount_exceeded",
      });
    });
    await moving(300_000n, () => buyer.pay(url, {}, LIMIT()));
    const latePayResult = await moving(0n, () => buyer.pay(url, {}, LIMIT()));
    expect([latePayResult.response.status, latePayResult.receipt]).toEqual([410, null]);
  });

  test("requests the owner's approval where no mandate covers the payment, and pays once they approve", async () => {
    const { url } = await newLink();
    const asked: string[] = [];
    const onApproval = async ({ approvalId, approvalUrl }: { approvalId: string; approvalUrl: string }) => {
      asked.push(new URL(approvalUrl).pathname);
      const response = await confirmedCall(owner, `/api/approvals/${approvalId}/approve`, {});
      expect([response.status, response.text]).toMatchObject([200, expect.any(String)]);
    };
    const { response } = await moving(300_000n, () => buyer.pay(url, {}, LIMIT({ mandateId: null, onApproval })));
    expect([response.status, asked.length]).toEqual([200, 1]);
  });

  test("pays nothing when the owner denies the approval", async () => {
    const { url } = await newLink();
    const onApproval = async ({ approvalId }: { approvalId: string }) => {
      await confirmedCall(owner, `/api/approvals/${approvalId}/deny`, {});
    };
    const error = await moving(0n, () => failed(buyer.pay(url, {}, LIMIT({ mandateId: null, onApproval }))));
    expect(error).toMatchObject({ code: "approval_denied", status: 403, outcome: "not_paid" });
  });

  test("returns the same proof for the same idempotency key, also in a new process", async () => {
    const url = buyer.receiveUrl("300000", seller.agentId);
    const once = () => clientOf(buying).pay(url, {}, LIMIT({ idempotencyKey: "order-7" }));
    const [first, second] = await moving(300_000n, async () => [await once(), await once()]);
    expect(second?.receipt?.proof).toEqual(first?.receipt?.proof);
    expect(await second?.response.json()).toMatchObject({ success: true, settlementId: first?.receipt?.settlementId });
  });

  const losing = (presented: string[]): typeof fetch => {
    return async (input, init) => {
      const res = await fetch(input, init);
      const proof = new Headers(init?.headers).get("payment-signature");
      if (proof === null || presented.push(proof) > 1) return res;
      await res.arrayBuffer();
      throw new TypeError("fetch failed");
    };
  };

  test("presents the same proof again after a lost response, and nothing is paid twice", async () => {
    const presented: string[] = [];
    const client = clientOf(buying, losing(presented));
    const url = buyer.receiveUrl("310000", seller.agentId);
    const { response, receipt } = await moving(310_000n, () => client.pay(url, {}, LIMIT()));
    expect(await response.json()).toMatchObject({ success: true, settledAmount: "310000" });
    expect(new Set(presented).size).toBe(1);
    expect(await buyer.payments.get(receipt?.paymentRecordId ?? "")).toMatchObject({ status: "settled" });
  });

  test("reads the content of a lost response with the same proof, which has a payment identifier", async () => {
    const { url } = await newLink();
    const presented: string[] = [];
    const { response } = await moving(300_000n, () => clientOf(buying, losing(presented)).pay(url, {}, LIMIT()));
    expect(await response.json()).toMatchObject({ resource: "bought" });
    expect([presented.length, new Set(presented).size]).toEqual([2, 1]);
  });

  test("returns the proof in the error when the outcome is unknown, and a later call can present that proof", async () => {
    const { url } = await newLink();
    const down: typeof fetch = async (input, init) => {
      if (new Headers(init?.headers).has("payment-signature")) throw new TypeError("fetch failed");
      return fetch(input, init);
    };
    const error = await moving(0n, () => failed(clientOf(buying, down).pay(url, {}, LIMIT({ waitSeconds: 1 }))));
    expect([PaymentError.is(error), error.outcome]).toEqual([true, "unknown"]);
    const proof = JSON.parse(JSON.stringify(error.proof));
    const { response } = await moving(300_000n, () => buyer.pay(url, {}, LIMIT({ proof })));
    expect(await response.json()).toMatchObject({ resource: "bought" });
  });

  test("reports for an empty wallet until when the signed proof can still be used", async () => {
    const poor = await signedMandate({ limitAmount: "1000000" });
    const { url } = await newLink();
    const error = await failed(clientOf(poor).pay(url, {}, { maxAmount: "300000", mandateId: poor.mandateId }));
    expect(error).toMatchObject({
      code: "SETTLEMENT_FAILED",
      outcome: "declined",
      details: { failureCode: "INSUFFICIENT_FUNDS" },
      stillValidUntil: error.proof?.validUntil,
    });
  });

  test("buys a scan", async () => {
    const { response } = await buyer.firewall.scan("prompt-scan", { text: "What is the weather?" }, LIMIT());
    expect([response.status, await response.json()]).toMatchObject([200, { verdict: "pass" }]);
    expect((await buyer.firewall.scans().page()).items).toHaveLength(1);
  });
});

describe("the client's methods", () => {
  test("register an agent, propose a mandate that an owner signs, and read the agent's status", async () => {
    const tessera = await Tessera.register({ baseUrl: server.url, name: "New agent" });
    const created = await tessera.mandates.create({
      naturalLanguage: "Data",
      limitAmount: "5000000",
      validForSeconds: 3600,
    });
    expect(created.agentStatus).toBe("needs_wallet_authorization");
    const person = await newOwner();
    await owned(person, created.mandateId, "claim", {
      token: new URL(created.authorizationUrl).searchParams.get("token"),
    });
    await owned(person, created.mandateId, "signature", { signature: await signatureOver(created.mandateId, person) });
    expect(await tessera.mandates.get(created.mandateId)).toMatchObject({
      status: "signed",
      remainingAmount: "5000000",
    });
    const secondTessera = new Tessera({ baseUrl: server.url, agentId: tessera.agentId, token: tessera.token });
    expect(await secondTessera.status()).toMatchObject({ agent: { name: "New agent", isAuthorized: true } });
    expect((await tessera.agents.get(tessera.agentId)).agent_name).toBe("New agent");
  });

  test("create links, list received payments and request refunds", async () => {
    const { url, linkId } = await newLink();
    await buyer.pay(url, {}, LIMIT());
    const { items } = await seller.links.payments(linkId).page();
    expect(items).toMatchObject([{ amount: "300000", settlementStatus: "settled" }]);
    const refund = await seller.refunds.create({ paymentId: items[0]?.id ?? 0, amount: "100000", reason: "Late" });
    expect(refund).toMatchObject({ status: "pending", refundTo: wallet });
    expect(await seller.refunds.cancel(refund.refundId)).toMatchObject({ status: "cancelled", cancelledBy: "agent" });
    expect((await seller.links.update(linkId, { status: "disabled" })).status).toBe("disabled");
    const ids: string[] = [];
    for await (const link of seller.links.list({ limit: 2 })) ids.push(link.linkId);
    expect([ids[0], new Set(ids).size]).toEqual([linkId, ids.length]);
    expect(await seller.links.delete(linkId)).toMatchObject({ success: true });
  });

  test("create a payout under a mandate once per idempotency key", async () => {
    const toAddress = freshAddress();
    const body = { payoutId: "salary-1", toAddress, amount: "70000", mandateId };
    const created = await Promise.all([1, 2].map(() => buyer.payouts.create(body, { idempotencyKey: "salary-1" })));
    expect(created.map(({ payoutId }) => payoutId)).toEqual(["salary-1", "salary-1"]);
    await expect.poll(async () => (await buyer.payouts.get("salary-1")).status, { timeout: 60_000 }).toBe("succeeded");
    expect(await service.world.balanceOf(toAddress)).toBe(70_000n);
  });

  test("verify credentials and receipts", async () => {
    const audience = "https://api.example.com";
    const used = new Set<string>();
    const verify = credentialVerifier({
      service: server.url,
      audience,
      useChallenge: (challenge) => !used.has(challenge) && Boolean(used.add(challenge)),
    });
    const { vc } = await buyer.credentials.issue({ audience, challenge: "c1", ttl_seconds: 60 });
    expect(await verify(vc, "c1")).toMatchObject({ sub: buyer.agentId, aud: audience });
    await expect(verify(vc, "c1")).rejects.toMatchObject({ rules: ["single-use"] });
    await expect(verify(vc, "c2")).rejects.toMatchObject({ rules: ["challenge"] });
    const tampered = verify(
      vc.replace(/.(?=\.[^.]*$)/, (last) => (last === "A" ? "B" : "A")),
      "c3",
    );
    expect(VerificationError.is(await tampered.catch((error) => error))).toBe(true);

    const { url } = await newLink();
    const { receipt } = await buyer.pay(url, {}, LIMIT());
    const signed = await buyer.settlements.receipt(receipt?.settlementId ?? "");
    if (!("jws" in signed)) throw new Error("not settled");
    const verifyReceipt = receiptVerifier({ service: server.url });
    expect(await verifyReceipt(signed.jws)).toMatchObject({
      amount: "300000",
      payer: wallet,
      sub: receipt?.settlementId,
    });
    await expect(verifyReceipt(vc)).rejects.toMatchObject({ rules: ["type", "issuer"] });
  });
});
