import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeHeader, encodeHeader } from "../../x402/src/header.ts";
import {
  BASE_URL,
  type Handler,
  json,
  offerV1,
  offerV2,
  PAYEE,
  PAYER,
  scripted,
  signed,
  soon,
  v1,
  v2,
} from "../testing/script.ts";
import { PaymentError, type PayOptions, Tessera } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const SELLER = "https://seller.example/r";
const SIGN = "/api/payment/x402V3Payment";
const APPROVE = "/api/payment/x402V1Payment";
const LIMIT: PayOptions = { maxAmount: "10000", mandateId: "mand_1" };
const purchaseResponse = (headers: Record<string, string> = {}) => json(200, { bought: true }, headers);
const settled = {
  "X-PAYMENT-RESPONSE": encodeHeader({ success: true, transaction: "0xabc", network: "base", payer: PAYER }),
};
const network = () => new TypeError("fetch failed");
const decode = (header = "") => decodeHeader(header) as Record<string, unknown>;
const proofIn = (headers: Headers) => headers.get("x-payment") ?? headers.get("payment-signature");

/** A seller at /r that requires a payment and answers the n-th presented proof with `paid`. */
function shop(
  paid: Handler,
  { price = () => v1(offerV1()), more = {} }: { price?: () => Response; more?: Record<string, Handler> } = {},
) {
  let presented = 0;
  const script = scripted({
    "/r": (sent) => (proofIn(sent.headers) === null ? price() : paid(sent, presented++)),
    [SIGN]: signed,
    ...more,
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch: script.fetch });
  const proofs = () => script.of("/r").flatMap(({ headers }) => proofIn(headers) ?? []);
  return {
    ...script,
    tessera,
    proofs,
    pay: (options: Partial<PayOptions> = {}, url = SELLER, init = {}) =>
      soon(tessera.pay(url, init, { ...LIMIT, ...options })),
  };
}

const failed = (promise: Promise<unknown>): Promise<PaymentError> =>
  promise.then(
    () => {
      throw new Error("it was paid");
    },
    (error) => error,
  );

describe("paying with the client", () => {
  test("signs an x402 v1 seller's offer for the called URL, and presents the proof", async () => {
    const { pay, of, proofs } = shop(() => purchaseResponse(settled));
    const { response, receipt } = await pay();
    expect([response.status, await response.json()]).toEqual([200, { bought: true }]);
    expect(receipt).toMatchObject({ txHash: "0xabc", amount: "10000", network: "base", payer: PAYER, payTo: PAYEE });
    expect(JSON.parse(of(SIGN)[0]?.body ?? "")).toMatchObject({
      mandateId: "mand_1",
      amount: "10000",
      host: "seller.example",
      resource: SELLER,
      validityWindowSeconds: 60,
    });
    expect(decode(proofs()[0])).toMatchObject({ x402Version: 1, scheme: "exact", network: "base" });
  });

  test("repeats the seller's own name of the network", async () => {
    const { pay, proofs } = shop(() => purchaseResponse(), { price: () => v1(offerV1({ network: "eip155:8453" })) });
    await pay();
    expect(decode(proofs()[0]).network).toBe("eip155:8453");
  });

  test("repeats an x402 v2 seller's offer, resource and extensions", async () => {
    const offer = offerV2({ extra: { name: "USD Coin", version: "2", own: [1] } });
    const extensions = { bazaar: { info: {} } };
    const { pay, of, proofs } = shop(() => purchaseResponse(), { price: () => v2([offer], { extensions }) });
    await pay();
    expect(of("/r")[1]?.headers.get("payment-signature")).toBe(proofs()[0]);
    expect(decode(proofs()[0])).toMatchObject({
      x402Version: 2,
      accepted: offer,
      resource: { url: "https://seller.example/r" },
      extensions,
    });
  });

  test("sends the payment's id to an x402 v2 seller that declares payment-identifier, also when repeated", async () => {
    const declared = { info: { required: true }, schema: { type: "object" } };
    const extensions = { "payment-identifier": declared, other: { info: {} } };
    const { pay, proofs } = shop(() => purchaseResponse(), { price: () => v2([offerV2()], { extensions }) });
    const { receipt } = await pay();
    const sent = decode(proofs()[0]).extensions;
    const info = { required: true, id: receipt?.paymentRecordId };
    expect(sent).toEqual({ ...extensions, "payment-identifier": { ...declared, info } });
  });

  test.each([{ info: "text" }, { info: null }, "text", null, { info: { required: false, id: "the seller's own" } }])(
    "repeats an x402 v2 seller's unusual payment-identifier %j unchanged",
    async (declared) => {
      const extensions = { "payment-identifier": declared };
      const { pay, proofs } = shop(() => purchaseResponse(), { price: () => v2([offerV2()], { extensions }) });
      await pay();
      expect(decode(proofs()[0]).extensions).toEqual(extensions);
    },
  );

  test("sends method, headers and body both times, and no login", async () => {
    const { pay, of } = shop(() => purchaseResponse());
    await pay({}, SELLER, { method: "POST", body: '{"q":1}', headers: { "X-Mine": "1" } });
    for (const { method, body, headers } of of("/r"))
      expect([method, body, headers.get("x-mine"), headers.get("authorization")]).toEqual([
        "POST",
        '{"q":1}',
        "1",
        null,
      ]);
  });

  test("signs nothing when the seller requires no payment", async () => {
    const { pay, of } = shop(() => purchaseResponse(), { price: () => purchaseResponse() });
    expect(await pay()).toMatchObject({ receipt: null });
    expect(of(SIGN)).toEqual([]);
  });

  test("uses the first mandate that covers the payment if none is named", async () => {
    const eligible = () => json(200, { eligibleMandates: [{ mandateId: "mand_2" }, { mandateId: "mand_3" }] });
    const { pay, of, sent } = shop(() => purchaseResponse(), { more: { "/api/mandates/eligible": eligible } });
    await pay({ mandateId: undefined });
    expect(JSON.parse(of(SIGN)[0]?.body ?? "")).toMatchObject({ mandateId: "mand_2" });
    const asked = new URL(sent.find(({ url }) => url.includes("eligible"))?.url ?? "");
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      host: "seller.example",
      amount: "10000",
      network: "base",
    });
  });

  test("asks the owner for an approval where no mandate covers the payment, and polls until the proof is signed", async () => {
    const approval = {
      status: "approval_required",
      approvalId: "apr_1",
      approvalUrl: "https://t/a",
      expiresAt: 1_790_000_000,
    };
    const { pay, of } = shop(() => purchaseResponse(), {
      more: {
        "/api/mandates/eligible": () => json(200, { eligibleMandates: [] }),
        [APPROVE]: (sent, index) => (index < 3 ? json(202, approval) : signed(sent)),
      },
    });
    const onApproval = vi.fn();
    await pay({ mandateId: undefined, onApproval });
    expect(onApproval.mock.calls).toEqual([
      [{ approvalId: "apr_1", approvalUrl: "https://t/a", expiresAt: new Date(1_790_000_000_000) }],
    ]);
    expect(of(APPROVE).map(({ body }) => JSON.parse(body).approvalId)).toEqual([undefined, "apr_1", "apr_1", "apr_1"]);
    const keys = of(APPROVE).map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toEqual([`${keys[1]}-approval`, keys[1], keys[1], keys[1]]);
  });
});

describe("a payment above the owner's limits", () => {
  const approval = {
    status: "approval_required",
    code: "approval_required",
    message: "above",
    approvalId: "apr_1",
    approvalUrl: "https://t/a",
    expiresAt: 1_790_000_000,
  };

  test("is approved without the mandate: the owner is asked once, and the proof is signed under the approval", async () => {
    const { pay, of } = shop(() => purchaseResponse(), {
      more: {
        [SIGN]: () => json(202, approval),
        [APPROVE]: (sent, index) => (index < 1 ? json(202, approval) : signed(sent)),
      },
    });
    const onApproval = vi.fn();
    await pay({ onApproval });
    expect(onApproval).toHaveBeenCalledTimes(1);
    expect(of(SIGN)).toHaveLength(1);
    expect(of(APPROVE).map(({ body }) => JSON.parse(body).approvalId)).toEqual(["apr_1", "apr_1"]);
  });

  test("fails with the URL to show without onApproval", async () => {
    const { pay, of } = shop(() => purchaseResponse(), { more: { [SIGN]: () => json(202, approval) } });
    expect(await failed(pay())).toMatchObject({
      code: "approval_required",
      outcome: "not_paid",
      details: { approvalUrl: "https://t/a" },
    });
    expect(of(APPROVE)).toEqual([]);
  });
});

describe("the client presents no proof", () => {
  const offers: [string, () => Response, Partial<PayOptions>, string][] = [
    ["above maxAmount", () => v1(offerV1({ maxAmountRequired: "10001" })), {}, "max_amount_exceeded"],
    ["above maxAmount in v2", () => v2([offerV2({ amount: "10001" })]), {}, "max_amount_exceeded"],
    ["for another token", () => v1(offerV1({ asset: PAYEE })), {}, "no_payable_option"],
    ["for another scheme", () => v1(offerV1({ scheme: "upto" })), {}, "no_payable_option"],
    ["on another network", () => v1(offerV1({ network: "polygon" })), {}, "no_payable_option"],
    ["on a network that the caller excludes", () => v1(offerV1()), { network: "base-sepolia" }, "no_payable_option"],
    ["for an amount that is no integer", () => v1(offerV1({ maxAmountRequired: "1.5" })), {}, "no_payable_option"],
    ["for a negative amount", () => v1(offerV1({ maxAmountRequired: "-1" })), {}, "no_payable_option"],
    ["for a 402 that is no x402", () => json(402, { error: "pay" }), {}, "no_payable_option"],
    [
      "for a 402 with accepts of null",
      () => json(402, { x402Version: 1, accepts: [null, 1, "a"] }),
      {},
      "no_payable_option",
    ],
  ];
  test.each(offers)("%s", async (_, price, options, code) => {
    const { pay, of, proofs } = shop(() => purchaseResponse(), { price });
    expect(await failed(pay(options))).toMatchObject({ code, outcome: "not_paid", proof: undefined });
    expect([of(SIGN), proofs()]).toEqual([[], []]);
  });

  test("for another origin that the seller redirects to", async () => {
    const price = () => Object.defineProperty(v1(offerV1()), "url", { value: "https://evil.example/r" });
    const { pay, of } = shop(() => purchaseResponse(), { price });
    expect(await failed(pay())).toMatchObject({ code: "redirect_refused", outcome: "not_paid" });
    expect(of(SIGN)).toEqual([]);
  });

  test.each(["", "1.5", "-1", "0x10", "10 USDC"])("with maxAmount %j", async (maxAmount) => {
    const { pay, sent } = shop(() => purchaseResponse());
    expect((await failed(pay({ maxAmount }))).code).toBe("invalid_argument");
    expect(sent).toEqual([]);
  });

  test("for a body that can be sent only once", async () => {
    const { pay, sent } = shop(() => purchaseResponse());
    const body = new Blob(["x"]).stream();
    expect((await failed(pay({}, SELLER, { method: "POST", body }))).code).toBe("invalid_argument");
    expect(sent).toEqual([]);
  });

  test("without a mandate and without onApproval", async () => {
    const { pay } = shop(() => purchaseResponse(), {
      more: { "/api/mandates/eligible": () => json(200, { eligibleMandates: [] }) },
    });
    expect(await failed(pay({ mandateId: undefined }))).toMatchObject({ code: "no_mandate", outcome: "not_paid" });
  });

  test("without a signed mandate, and the error names the one that waits", async () => {
    const uncovered = {
      code: "mandate_not_signed",
      message: "Not signed",
      mandateId: "mand_1",
      authorizationUrl: "https://t/s",
    };
    const { pay } = shop(() => purchaseResponse(), {
      more: { "/api/mandates/eligible": () => json(200, { eligibleMandates: [], uncovered }) },
    });
    expect(await failed(pay({ mandateId: undefined }))).toMatchObject({
      code: "no_mandate",
      outcome: "not_paid",
      message: expect.stringContaining("Not signed"),
      details: { why: "mandate_not_signed", mandateId: "mand_1", authorizationUrl: "https://t/s" },
    });
  });

  test("that differs from the request", async () => {
    const { pay, proofs } = shop(() => purchaseResponse(), {
      more: { [SIGN]: (sent) => signed({ ...sent, body: JSON.stringify({ amount: "10001", payTo: PAYEE }) }) },
    });
    expect(await failed(pay())).toMatchObject({ code: "wrong_proof", outcome: "not_paid" });
    expect(proofs()).toEqual([]);
  });

  test("when the service refuses, and the error has its code and details", async () => {
    const body = { code: "mandate_not_signed", message: "Sign first", signUrl: "https://t/s" };
    const { pay } = shop(() => purchaseResponse(), { more: { [SIGN]: () => json(403, body) } });
    expect(await failed(pay())).toMatchObject({
      code: "mandate_not_signed",
      status: 403,
      outcome: "not_paid",
      details: body,
    });
  });
});

describe("one proof", () => {
  const ends: [string, () => Response | Error][] = [
    ["a network error", network],
    ["502", () => json(502, {})],
    ["503", () => json(503, { code: "SETTLEMENT_UNKNOWN" })],
    ["500 of a broken seller", () => json(500, {})],
    ["429", () => json(429, {}, { "Retry-After": "2" })],
    [
      "a settlement that is pending",
      () => json(200, {}, { "PAYMENT-RESPONSE": encodeHeader({ success: false, errorReason: "settlement_pending" }) }),
    ],
  ];
  test.each(ends)("is presented again after %s, and not signed twice", async (_, end) => {
    const { pay, of, proofs } = shop((__, index) => (index < 3 ? end() : purchaseResponse(settled)));
    expect((await pay()).receipt?.txHash).toBe("0xabc");
    expect([proofs().length, new Set(proofs()).size, of(SIGN).length]).toEqual([4, 1, 1]);
  });

  test.each(ends)("is in the error when %s continues, and can be presented later", async (_, end) => {
    let isBack = false;
    const { pay, of, proofs } = shop(() => (isBack ? purchaseResponse(settled) : end()));
    const error = await failed(pay());
    expect(error).toMatchObject({
      code: "payment_unknown",
      outcome: "unknown",
      stillValidUntil: expect.stringMatching(/Z$/),
    });
    expect(PaymentError.is(error) && error.message).toContain("Sign nothing else");
    isBack = true;
    const proof = JSON.parse(JSON.stringify(error.proof));
    expect((await pay({ proof })).receipt?.txHash).toBe("0xabc");
    expect([new Set(proofs()).size, of(SIGN).length]).toEqual([1, 1]);
  });

  test("is returned in the error when the time is over, with everything that is needed to continue", async () => {
    const { pay } = shop(network);
    const startTime = Date.now();
    await failed(pay({ waitSeconds: 20 }));
    expect(Date.now() - startTime).toBeLessThan(21_000);
  });

  test("belongs to one idempotency key, also for simultaneous calls and after an unknown outcome", async () => {
    let isBack = false;
    const { pay, of, proofs } = shop(() => (isBack ? purchaseResponse() : network()));
    await Promise.all([failed(pay({ idempotencyKey: "k" })), failed(pay({ idempotencyKey: "k" }))]);
    isBack = true;
    await pay({ idempotencyKey: "k" });
    expect([new Set(proofs()).size, of(SIGN).length, of(SIGN)[0]?.headers.get("idempotency-key")]).toEqual([1, 1, "k"]);
    await pay({ idempotencyKey: "other" });
    expect(of(SIGN)).toHaveLength(2);
  });

  test("is never sent to another origin or for a price above maxAmount", async () => {
    const { pay, sent } = shop(network);
    const { proof } = await failed(pay());
    const count = sent.length;
    expect((await failed(pay({ proof }, "https://other.example/r"))).code).toBe("invalid_argument");
    expect((await failed(pay({ proof, maxAmount: "9999" }))).code).toBe("invalid_argument");
    expect(sent.length).toBe(count);
  });

  test.each(["options", "init"])(
    "is in the error with an unknown outcome when the signal in %s aborts",
    async (place) => {
      const { pay } = shop(network);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 3000);
      const { signal } = abort;
      const paying = place === "init" ? pay({}, SELLER, { signal }) : pay({ signal });
      expect(await failed(paying)).toMatchObject({
        code: "aborted",
        outcome: "unknown",
        proof: { header: "X-PAYMENT" },
      });
    },
  );

  test("follows redirects only within its origin", async () => {
    const redirectTo = (location: string) => new Response(null, { status: 308, headers: { location } });
    const here = shop(() => redirectTo("/moved"), { more: { "/moved": () => purchaseResponse(settled) } });
    await here.pay();
    expect(here.of("/moved")[0]?.headers.get("x-payment")).toBe(here.proofs()[0]);
    const away = shop(() => redirectTo("https://evil.example/r"));
    expect(await failed(away.pay())).toMatchObject({ outcome: "unknown", status: 308 });
    expect(away.sent.filter(({ url }) => url.includes("evil"))).toEqual([]);
    const circle = shop(() => redirectTo("/r"));
    expect(await failed(circle.pay())).toMatchObject({ outcome: "unknown" });
    expect(circle.proofs()).toHaveLength(6);
  });
});

describe("a proof that the seller refuses", () => {
  const until = expect.stringMatching(/^\d{4}-.*Z$/);
  test.each([
    ["402 again", () => v1(offerV1())],
    ["403", () => json(403, {})],
    ["410 of a sold-out link", () => json(410, { code: "LINK_SOLD_OUT" })],
    ["a failed settlement elsewhere, whatever it says", () => json(500, { code: "SETTLEMENT_FAILED" })],
  ])("can still be paid: %s", async (_, refuse) => {
    const { pay, of, proofs } = shop(refuse);
    expect(await failed(pay())).toMatchObject({ outcome: "declined", stillValidUntil: until, proof: { url: SELLER } });
    expect([proofs().length, of(SIGN).length]).toEqual([1, 1]);
  });

  test("is reported to the service with the seller's reason, from the body or the header of x402 v2; this report may fail", async () => {
    const reason = "invalid_exact_evm_payload_signature";
    for (const refuse of [
      () => json(402, { x402Version: 1, accepts: [offerV1()], error: reason }),
      () =>
        json(402, {}, { "payment-required": encodeHeader({ x402Version: 2, accepts: [offerV2()], error: reason }) }),
    ]) {
      const { pay, sent } = shop(refuse);
      const error = await failed(pay());
      expect(error).toMatchObject({ outcome: "declined", message: expect.stringContaining(reason) });
      const reports = sent.filter(
        ({ url }) => url === `${BASE_URL}/api/payments/${error.proof?.paymentRecordId}/refusal`,
      );
      expect(JSON.parse(reports[0]?.body ?? "{}")).toEqual({ reason });
    }
  });

  const OWN = `${BASE_URL}/r`;
  test("moves no money when this service says so", async () => {
    for (const refuse of [
      () => json(500, { code: "SETTLEMENT_FAILED", failureCode: "REVERTED" }),
      () => json(402, { x402Version: 1, accepts: [], error: "expired", code: "PAYMENT_EXPIRED" }),
    ]) {
      const { pay } = shop(refuse);
      expect(await failed(pay({}, OWN))).toMatchObject({ outcome: "not_paid", stillValidUntil: undefined });
    }
  });

  test("of this service with stillValidUntil can still be paid", async () => {
    const body = {
      code: "SETTLEMENT_FAILED",
      failureCode: "INSUFFICIENT_FUNDS",
      stillValidUntil: "2030-01-01T00:00:00.000Z",
    };
    expect(await failed(shop(() => json(500, body)).pay({}, OWN))).toMatchObject({
      outcome: "declined",
      code: "SETTLEMENT_FAILED",
    });
  });

  test("counts as delivered if the seller says that it was paid", async () => {
    const { response, receipt } = await shop(() => json(404, { error: "gone" }, settled)).pay();
    expect([response.status, receipt?.txHash]).toEqual([404, "0xabc"]);
  });

  test("with a response that is too large was paid, or has an unknown outcome", async () => {
    const large = (headers: Record<string, string>) => () => new Response("x".repeat(5000), { headers });
    expect(await failed(shop(large(settled)).pay({ maxResponseBytes: 4000 }))).toMatchObject({
      outcome: "paid",
      code: "response_too_large",
    });
    expect(await failed(shop(large({})).pay({ maxResponseBytes: 4000 }))).toMatchObject({ outcome: "unknown" });
  });
});

describe("a settlement that is pending", () => {
  const ID = "stl_1";
  const view = (settlementStatus: string, change: object = {}) => ({
    settlementId: ID,
    settlementStatus,
    payer: PAYER,
    payee: PAYEE,
    amount: "10000",
    network: "base",
    txHash: "0xabc",
    receiptUrl: `https://seller.example/receipt/${ID}`,
    stillValidUntil: null,
    ...change,
  });
  const pending = (more: object = {}) =>
    json(202, { status: "pending", settlementId: ID, ...more }, { "Retry-After": "2" });
  const path = `/api/settlements/${ID}`;

  test("is polled, and then the content of a link is read", async () => {
    const contentUrl = `https://seller.example/receipt/${ID}?key=k`;
    const { pay, proofs } = shop(() => pending({ contentUrl }), {
      more: {
        [path]: (_, index) => json(200, view(index < 3 ? "pending" : "settled")),
        [`/receipt/${ID}`]: () => json(200, { ...view("settled"), content: "what was bought" }),
      },
    });
    const { response, receipt } = await pay();
    expect(await response.json()).toMatchObject({
      success: true,
      resource: "what was bought",
      txHash: "0xabc",
      contentUrl,
    });
    expect([receipt?.settlementId, receipt?.txHash, proofs().length]).toEqual([ID, "0xabc", 1]);
  });

  test("returns the verdict of a scan for the same proof", async () => {
    const used = () => json(409, { code: "PAYMENT_ALREADY_USED", settlementId: ID, result: { verdict: "pass" } });
    const { pay, of } = shop((_, index) => (index === 0 ? pending() : used()), {
      more: { [path]: () => json(200, view("settled")) },
    });
    expect(await (await pay()).response.json()).toEqual({ verdict: "pass" });
    expect(of(SIGN)).toHaveLength(1);
  });

  test("is found by the second request when the first response was lost", async () => {
    const used = () => json(409, { code: "PAYMENT_ALREADY_USED", settlementId: ID });
    const shopAfterLostResponse = (purpose: string) =>
      shop((_, index) => (index === 0 ? network() : used()), {
        more: { [path]: () => json(200, view("settled", { purpose })) },
      });
    const { response } = await shopAfterLostResponse("upl").pay();
    expect(await response.json()).toMatchObject({ success: true, settledAmount: "10000", settlementId: ID });
    const lost = { code: "response_lost", outcome: "paid", details: { settlementId: ID, txHash: "0xabc" } };
    expect(await failed(shopAfterLostResponse("link").pay())).toMatchObject(lost);
  });

  test("presents the proof again until there is an answer, whatever its status", async () => {
    const failing = () => json(503, { code: "UPSTREAM_FAILED", settlementId: ID }, { "Retry-After": "6" });
    const { pay, proofs, of } = shop(
      (_, index) => (index === 0 ? pending() : index < 3 ? failing() : json(404, { coin: "none" }, settled)),
      { more: { [path]: () => json(200, view("settled", { purpose: "link" })) } },
    );
    const { response, receipt } = await pay();
    expect([response.status, await response.json()]).toEqual([404, { coin: "none" }]);
    expect([receipt?.txHash, proofs().length, of(SIGN).length]).toEqual(["0xabc", 4, 1]);
  });

  test.each<[number, string, Record<string, string>]>([
    [503, "UPSTREAM_FAILED", { "Retry-After": "600" }],
    [404, "LINK_NOT_FOUND", {}],
  ])("that settled is never called unpaid or unknown, whatever comes then (%i)", async (status, code, headers) => {
    const { pay } = shop((_, index) => (index === 0 ? pending() : json(status, { code }, headers)), {
      more: { [path]: () => json(200, view("settled", { purpose: "link" })) },
    });
    expect(await failed(pay())).toMatchObject({ code, outcome: "paid" });
  });

  test.each<[string, object, string, string]>([
    ["failed, at this service", view("failed", { failureCode: "REVERTED" }), `${BASE_URL}/r`, "not_paid"],
    ["failed, says a stranger", view("failed"), SELLER, "declined"],
    ["declined", view("pending", { stillValidUntil: "2030-01-01T00:00:00.000Z" }), SELLER, "declined"],
    ["of somebody else", view("settled", { payer: PAYEE }), SELLER, "unknown"],
    ["of another amount", view("settled", { amount: "1" }), SELLER, "unknown"],
    ["never ending", view("pending"), SELLER, "unknown"],
  ])("ends with an error when it is %s", async (_, body, url, outcome) => {
    const { pay, of } = shop(() => pending(), { more: { [path]: () => json(200, body) } });
    expect(await failed(pay({}, url))).toMatchObject({ outcome, proof: { amount: "10000" } });
    expect(of(SIGN)).toHaveLength(1);
  });
});
