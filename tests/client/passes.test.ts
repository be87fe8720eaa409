import { type PaymentError, Tessera } from "@tessera/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { shareService } from "../support/service";
import { openUpstream, type UpstreamServer } from "../support/upstream";

const service = shareService();
const PRICE = 10_000n;
let upstream: UpstreamServer;
let seller: Parties;
let buyer: Parties;

beforeAll(async () => {
  upstream = await openUpstream((req, res) => {
    req.resume().once("end", () => res.writeHead(200, { "content-type": "text/plain" }).end("quote"));
  });
  [seller, buyer] = [await linkedPair(), await linkedPair()];
  await service.world.mint(await walletOf(buyer.owner), 10_000_000n);
  await signedMandate({ limitAmount: "5000000", maxAmountPerPayment: "500000" }, buyer);
});
afterAll(() => upstream?.close());

async function sells(pass: object): Promise<Json> {
  const { url } = upstream;
  const fields = { amount: `${PRICE}`, description: "Quotes", upstream: { url, methods: ["GET", "POST"], pass } };
  const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: fields });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

test("the client buys a pass once under a key, and the next one under another key", async () => {
  const { linkId } = await sells({ calls: 2, amount: "20000" });
  const { agentId, token } = buyer.agent;
  const fetch: typeof globalThis.fetch = async (target, { method = "GET", headers = {}, body } = {}) =>
    fetchPath(method, String(target).replace(BASE_URL, ""), { headers, ...(body && { body }) });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId, token, fetch });
  const order = { maxAmount: `${PRICE}`, preferPass: "1000000" };
  const payAs = async (idempotencyKey: string) => {
    const { response, receipt } = await tessera.pay(`${BASE_URL}/paid/${linkId}/q`, {}, { ...order, idempotencyKey });
    return [await response.text(), receipt?.amount];
  };
  expect([await payAs("a"), await payAs("a")]).toEqual([
    ["quote", "20000"],
    ["quote", undefined],
  ]);
  const error = await payAs("a").catch((thrown: PaymentError) => thrown);
  expect(error).toMatchObject({ outcome: "paid", message: expect.stringContaining("needs another key") });
  expect(await payAs("b")).toEqual(["quote", "20000"]);
});
