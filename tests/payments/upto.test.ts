import { UptoEvmScheme } from "@x402/evm/upto/client";
import { beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner } from "../support/actors";
import { newKey, type SellerKey, settle, verify } from "../support/facilitator";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, RESOURCE, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
const payTo = freshAddress();
const terms = {
  network: NETWORKS.base.caip2,
  amount: "10000",
  asset: NETWORKS.base.usdc,
  payTo,
  maxTimeoutSeconds: 60,
};
const extra = { name: NETWORKS.base.tokenName, version: NETWORKS.base.tokenVersion };
/** The requirement of a seller with the stock middleware. */
const upto = { scheme: "upto", ...terms, extra: { ...extra, facilitatorAddress: freshAddress() } };
const exact = { scheme: "exact", ...terms, amount: "4000", extra };
const required = (accepts: object[]) => ({ x402Version: 2, resource: { url: RESOURCE }, accepts });

let pair: Parties;
let mandateId: string;
let key: SellerKey;
beforeAll(async () => {
  pair = await linkedPair();
  ({ mandateId } = await signedMandate({}, pair));
  key = await newKey((await newOwner()).session);
});

const books = async () => {
  const { sql } = service.opened;
  const payer = toAddress(service.payer().address);
  return [
    [...(await sql`select spent_amount, pending_amount from mandates where id = ${mandateId}`)],
    [...(await sql`select id from payments where agent_id = ${pair.agent.agentId} order by id`)],
    [...(await sql`select id from settlements where payer = ${payer} order by id`)],
  ];
};
const asAgent = (path: string, json: object) => call("POST", path, { bearer: pair.agent.jwt, json });

/** The payment that the stock client signs for `requirement`: a Permit2 transfer of up to its amount. */
async function signedUpto(requirement: typeof upto): Promise<Json> {
  const scheme = new UptoEvmScheme(service.payer());
  const { payload } = await scheme.createPaymentPayload(2, requirement as never);
  expect(payload).toMatchObject({ permit2Authorization: { permitted: { amount: requirement.amount } } });
  return { x402Version: 2, resource: { url: RESOURCE }, accepted: requirement, payload };
}

describe("a payment requirement of the scheme upto is refused, and nothing is signed or reserved,", () => {
  const { scheme, network, amount } = upto;
  const order = { scheme, network, amount, payTo, resource: RESOURCE };
  test.each<[string, () => Promise<{ status: number; body: unknown }>]>([
    ["under a mandate", () => asAgent("/api/payment/x402V3Payment", { mandateId, ...order })],
    [
      "as x402 v2 states it",
      () => asAgent("/api/v2/payment/x402-payment", { mandateId, paymentRequest: required([upto]) }),
    ],
    ["for the owner's approval", () => asAgent("/api/payment/x402V1Payment", order)],
  ])("%s", async (_, request) => {
    const booksBefore = await books();
    expect(await request()).toMatchObject({
      status: 400,
      body: { code: "unsupported_scheme", retry: "fix_request", docsUrl: expect.stringMatching(/unsupported_scheme$/) },
    });
    expect(await books()).toEqual(booksBefore);
  });

  test("unless there is also an offer of the scheme exact, which is signed", async () => {
    const json = { mandateId, paymentRequest: required([upto, exact]) };
    const { status, body } = await asAgent("/api/v2/payment/x402-payment", json);
    expect([status, (body as Json).paymentPayload.accepted]).toEqual([200, exact]);
    expect((body as Json).paymentPayload.payload.authorization).toMatchObject({ value: "4000", to: toAddress(payTo) });
  });
});

describe("a payment of the scheme upto, signed by the stock client, is refused and claims nothing", () => {
  test("at a payment link", async () => {
    const json = { amount: terms.amount, resourceContent: "the report" };
    const created = await call("POST", "/api/payment-links", { bearer: pair.agent.jwt, json });
    const path = `/paymentlink/${(created.body as Json).paymentLink.linkId}`;
    const booksBefore = await books();
    const headers = { "payment-signature": encodeHeader(await signedUpto(upto)) };
    expect(await call("GET", path, { headers })).toMatchObject({
      status: 400,
      body: { code: "INVALID_PAYMENT_HEADER" },
    });
    expect(await books()).toEqual(booksBefore);
  });

  test("at the facilitator, which does not offer the scheme", async () => {
    const paymentPayload = await signedUpto(upto);
    const booksBefore = await books();
    for (const requirement of [upto, exact]) {
      const json = { x402Version: 2, paymentPayload, paymentRequirements: requirement };
      const reason = requirement === upto ? "unsupported_scheme" : "invalid_payload";
      const verified = await verify(key, json);
      expect(verified).toMatchObject({ status: 200, body: { isValid: false, invalidReason: reason } });
      const settled = await settle(key, json);
      expect(settled).toMatchObject({ status: 200, body: { success: false, errorReason: reason } });
    }
    expect(await books()).toEqual(booksBefore);
    const { kinds } = (await call("GET", "/facilitator/supported")).body as Json;
    expect(new Set(kinds.map((kind: Json) => kind.scheme))).toEqual(new Set(["exact"]));
  });
});
