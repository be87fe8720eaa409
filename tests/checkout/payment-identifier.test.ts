import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  extractPaymentIdentifier,
  generatePaymentId,
  validatePaymentIdentifierRequirement,
} from "@x402/extensions/payment-identifier";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { encodeHeader } from "@/lib/x402/header";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";
import { claimFrom, xPaymentOf } from "../support/system";

const AMOUNT = 250_000n;
const service = shareService();
let seller: Parties | undefined;

const body = (response: Answer) => response.body as Json;
const decoded = (text: string | null): Json => JSON.parse(Buffer.from(text ?? "", "base64").toString());

type Priced = { path: string; required: Json; method: "GET" | "POST"; json?: object };

/** A new payment link with content, and its 402. */
async function newLink(content = "the report"): Promise<Priced> {
  seller ??= await linkedPair();
  const json = { amount: AMOUNT.toString(), resourceContent: content };
  const { linkId } = body(await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json })).paymentLink;
  return priced("GET", `/paymentlink/${linkId}`);
}

async function priced(method: "GET" | "POST", path: string, json?: object): Promise<Priced> {
  const response = await call(method, path, json && { json });
  expect(response.status).toBe(402);
  return { method, path, required: decoded(response.headers.get("payment-required")), ...(json && { json }) };
}

/** A proof of the first payer. */
function proofFor({ required }: Priced) {
  const [{ payTo, amount }] = required.accepts;
  return claimFrom(service.payer(), payTo, BigInt(amount));
}

type Proof = ReturnType<typeof proofFor>;

/** The payload that a stock client of x402 v2 builds, with the identifier that the package from npm appends. */
function payloadOf({ required }: Priced, proof: Proof, id?: string): Json {
  const { payload } = xPaymentOf(proof);
  const extensions = structuredClone(required.extensions);
  if (id !== undefined) appendPaymentIdentifierToExtensions(extensions, id);
  return { x402Version: 2, resource: required.resource, accepted: required.accepts[0], payload, extensions };
}

const present = ({ method, path, json }: Priced, payload: Json) =>
  call(method, path, { headers: { "payment-signature": encodeHeader(payload) }, ...(json && { json }) });

const settlementsOf = async (payTo: string) =>
  (await service.opened.sql`select count(*)::int as n from settlements where payee = ${payTo}`)[0]?.n;

describe("the payment-identifier extension in a 402", () => {
  test("equals the declaration of the public npm package, which accepts the identifiers of clients", async () => {
    const link = await newLink();
    expect(link.required.extensions["payment-identifier"]).toEqual(declarePaymentIdentifierExtension(false));
    const id = generatePaymentId();
    const payload = payloadOf(link, proofFor(link), id);
    expect(extractPaymentIdentifier(payload as never)).toBe(id);
    expect(validatePaymentIdentifierRequirement(payload as never, true)).toEqual({ valid: true });
  });
});

describe("a repeated payment identifier", () => {
  test("with the same proof returns the first response again, including the content, and charges once", async () => {
    const link = await newLink();
    const payload = payloadOf(link, proofFor(link), generatePaymentId());
    const settlementsBefore = await settlementsOf(link.required.accepts[0].payTo);
    const responses = [await present(link, payload), await present(link, payload), await present(link, payload)];
    for (const { status, body } of responses) {
      expect([status, body]).toEqual([200, responses[0]?.body]);
      expect(body).toMatchObject({ resource: "the report" });
    }
    expect(await settlementsOf(link.required.accepts[0].payTo)).toBe(settlementsBefore + 1);
  });

  test("returns the first response also while that request is still running, and after the link is disabled", async () => {
    const link = await newLink();
    const payload = payloadOf(link, proofFor(link), generatePaymentId());
    const responses = await Promise.all(Array.from({ length: 5 }, () => present(link, payload)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const path = link.path.replace("/paymentlink/", "/api/payment-links/");
    await call("PATCH", path, { bearer: seller?.agent.jwt ?? "", json: { status: "disabled" } });
    expect(await present(link, payload)).toMatchObject({ status: 200, body: { resource: "the report" } });
  });

  test("returns the verdict of a paid scan, and is refused with a different request body", async () => {
    const path = "/api/transaction-firewall/sentinel/api/prompt-scan";
    const scan = await priced("POST", path, { text: "What is the weather in Bern?" });
    const payload = payloadOf(scan, proofFor(scan), generatePaymentId());
    const first = await present(scan, payload);
    expect(first).toMatchObject({ status: 200, body: { verdict: "pass" } });
    expect((await present(scan, payload)).body).toEqual(first.body);
    const otherResponse = await present({ ...scan, json: { text: "Something else" } }, payload);
    expect(otherResponse).toMatchObject({ status: 409, body: { code: "PAYMENT_IDENTIFIER_REUSED" } });
  });

  test("with another proof, or at another link, is rejected with 409 and charges nothing", async () => {
    const [link, elsewhere] = [await newLink(), await newLink("another report")];
    const id = generatePaymentId();
    const payload = payloadOf(link, proofFor(link), id);
    const { settlementId } = body(await present(link, payload));
    const settlementsBefore = await settlementsOf(link.required.accepts[0].payTo);
    for (const [at, repeated] of [
      [link, payloadOf(link, proofFor(link), id)],
      [elsewhere, payloadOf(elsewhere, proofFor(elsewhere), id)],
      [elsewhere, payload],
    ] as const) {
      expect(await present(at, repeated)).toMatchObject({
        status: 409,
        body: { code: "PAYMENT_IDENTIFIER_REUSED", settlementId },
      });
    }
    expect(await settlementsOf(link.required.accepts[0].payTo)).toBe(settlementsBefore);
  });

  test("with two proofs at once charges one of them", async () => {
    const link = await newLink();
    const id = generatePaymentId();
    const settlementsBefore = await settlementsOf(link.required.accepts[0].payTo);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => present(link, payloadOf(link, proofFor(link), id))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await settlementsOf(link.required.accepts[0].payTo)).toBe(settlementsBefore + 1);
  });

  test("that another payer has used counts as a new one", async () => {
    const link = await newLink();
    const id = generatePaymentId();
    expect((await present(link, payloadOf(link, proofFor(link), id))).status).toBe(200);
    await service.world.mint(toAddress(service.payer(1).address), AMOUNT);
    const proof = claimFrom(service.payer(1), link.required.accepts[0].payTo, AMOUNT);
    expect((await present(link, payloadOf(link, proof, id))).status).toBe(200);
  });
});

describe("the content of a purchase", () => {
  test("is not returned for the proof alone, which anybody can read on the chain", async () => {
    const link = await newLink();
    const proof = proofFor(link);
    expect((await present(link, payloadOf(link, proof, generatePaymentId()))).status).toBe(200);
    for (const id of [undefined, generatePaymentId()]) {
      const response = await present(link, payloadOf(link, proof, id));
      expect(response).toMatchObject({ status: 409, body: { code: "PAYMENT_ALREADY_USED" } });
      expect(response.text).not.toContain("the report");
    }
  });

  test("is not returned for the identifier without the payer's signature", async () => {
    const link = await newLink();
    const payload = payloadOf(link, proofFor(link), generatePaymentId());
    expect((await present(link, payload)).status).toBe(200);
    const forged = structuredClone(payload);
    forged.payload.signature = xPaymentOf(proofFor(link)).payload.signature;
    const response = await present(link, forged);
    expect(response).toMatchObject({ status: 402, body: { code: "PAYMENT_SIGNATURE_INVALID" } });
    expect(response.text).not.toContain("the report");
  });
});

test.each(["", "short", "x".repeat(15), "x".repeat(129), "pay_0123456789abcdé", "pay 0123456789abcdef", 5, null, {}])(
  "the payment identifier %j is rejected with 400, and nothing is charged",
  async (id) => {
    const link = await newLink();
    const payload = payloadOf(link, proofFor(link));
    payload.extensions["payment-identifier"].info.id = id;
    const settlementsBefore = await settlementsOf(link.required.accepts[0].payTo);
    expect(await present(link, payload)).toMatchObject({ status: 400, body: { code: "PAYMENT_IDENTIFIER_INVALID" } });
    expect(await settlementsOf(link.required.accepts[0].payTo)).toBe(settlementsBefore);
  },
);
