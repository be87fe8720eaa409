import { decodeHeader, encodeHeader } from "@tessera/x402/header";
import { wrapAxiosWithPayment, x402Client as x402ClientOfAxios } from "@x402/axios";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import axios from "axios";
import { expect, test } from "vitest";
import { Tessera } from "../../packages/client/src/index.ts";
import { registerTessera, type StockClient } from "../../packages/client/src/x402.ts";
import {
  BASE_URL,
  type Handler,
  offerV1,
  offerV2,
  scripted,
  signed,
  v1,
  v2,
} from "../../packages/client/testing/script.ts";

const SIGN = "/api/payment/x402V3Payment";
const URL_OF_SHOP = "https://seller.example/r";
const decodeProof = (header = "") => decodeHeader(header) as Record<string, unknown>;
const proofIn = (headers: Headers) => headers.get("x-payment") ?? headers.get("payment-signature");

function shop(price: () => Response, paid: Handler = () => new Response("bought")) {
  let presented = 0;
  const script = scripted({
    "/r": (sent) => (proofIn(sent.headers) === null ? price() : paid(sent, presented++)),
    [SIGN]: signed,
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "t", fetch: script.fetch });
  const withWallet = <C extends StockClient>(client: C, change: object = {}): C =>
    registerTessera(client, { tessera, mandateId: "mand_1", maxAmount: "10000", ...change });
  const bodies = () => script.of(SIGN).map(({ body }) => JSON.parse(body));
  const proofs = () => script.of("/r").flatMap(({ headers }) => proofIn(headers) ?? []);
  return { ...script, withWallet, bodies, proofs };
}

test("a stock client pays by x402 v2, and the resource in its proof comes from the 402", async () => {
  const { fetch, withWallet, bodies, proofs } = shop(() => v2([offerV2()], { extensions: { a: { info: {} } } }));
  const res = await wrapFetchWithPayment(fetch, withWallet(new x402Client()))(URL_OF_SHOP);
  expect(await res.text()).toBe("bought");
  expect(bodies()).toMatchObject([
    { resource: URL_OF_SHOP, host: "seller.example", amount: "10000", mandateId: "mand_1" },
  ]);
  const proof = decodeProof(proofs()[0]);
  expect(proof).toMatchObject({ x402Version: 2, accepted: offerV2(), payload: { signature: expect.any(String) } });
});

test("a stock client skips an offer for another EIP-712 domain and pays the plain offer after it", async () => {
  const gateway = { ...offerV2(), extra: { name: "GatewayWalletBatched", version: "1" } };
  const { fetch, withWallet, proofs } = shop(() => v2([gateway, offerV2()]));
  const res = await wrapFetchWithPayment(fetch, withWallet(new x402Client()))(URL_OF_SHOP);
  expect(await res.text()).toBe("bought");
  expect(decodeProof(proofs()[0])).toMatchObject({ accepted: offerV2() });
});

test.each(["base", "eip155:8453"])(
  "a stock client pays by x402 v1 on %s, with the complete payload",
  async (network) => {
    const { fetch, withWallet, bodies, proofs } = shop(() => v1(offerV1({ network })));
    const res = await wrapFetchWithPayment(fetch, withWallet(new x402Client()))(URL_OF_SHOP);
    expect(res.status).toBe(200);
    expect(bodies()[0]).toMatchObject({ resource: "https://elsewhere.example/claimed", host: "elsewhere.example" });
    expect(decodeProof(proofs()[0])).toMatchObject({ x402Version: 1, scheme: "exact", network, payload: {} });
  },
);

test.each<[string, () => Response]>([
  ["v2", () => v2([offerV2()])],
  ["v1", () => v1(offerV1())],
])("@x402/axios pays by x402 %s", async (_, price) => {
  const { fetch, withWallet, proofs } = shop(price);
  const client = axios.create({ adapter: "fetch", env: { fetch } });
  const res = await wrapAxiosWithPayment(client, withWallet(new x402ClientOfAxios())).get(URL_OF_SHOP);
  expect([res.data, proofs().length]).toEqual(["bought", 1]);
});

test("when the stock client repeats a payment, the proof stays the same", async () => {
  const pending = {
    "PAYMENT-RESPONSE": encodeHeader({
      success: false,
      errorReason: "settlement_pending",
      transaction: "",
      network: "eip155:8453",
    }),
  };
  const { fetch, withWallet, bodies, proofs } = shop(
    () => v2([offerV2()]),
    (_, at) => new Response("", at === 0 ? { status: 402, headers: pending } : { status: 200 }),
  );
  const client = withWallet(new x402Client());
  client.onPaymentResponse(async () => ({ recovered: true }));
  expect((await wrapFetchWithPayment(fetch, client)(URL_OF_SHOP)).status).toBe(200);
  expect([proofs().length, new Set(proofs()).size, bodies().length]).toEqual([2, 1, 1]);
});

test("the same idempotency key gives the same proof for two 402s and two clients, and is refused for a different payment", async () => {
  let amount = "10000";
  const { fetch, withWallet, proofs, bodies } = shop(() => v2([offerV2({ amount })]));
  const buy = () =>
    wrapFetchWithPayment(fetch, withWallet(new x402Client(), { idempotencyKey: () => "k" }))(URL_OF_SHOP);
  await buy();
  await buy();
  expect([proofs().length, new Set(proofs()).size]).toEqual([2, 1]);
  amount = "9999";
  await expect(buy()).rejects.toThrow(/used for another payment/);
  expect(bodies()).toHaveLength(1);
});

test.each<[string, () => Response, object]>([
  ["above maxAmount", () => v2([offerV2({ amount: "10001" })]), {}],
  ["above maxAmount in v1", () => v1(offerV1({ maxAmountRequired: "10001" })), {}],
  ["for another token", () => v2([offerV2({ asset: `0x${"1".repeat(40)}` })]), {}],
  ["above the stock client's own 1 USD", () => v2([offerV2({ amount: "1000001" })]), { maxAmount: "5000000" }],
  ["without a resource", () => v2([offerV2()], { resource: undefined }), {}],
])("nothing is signed %s", async (_, price, change) => {
  const { fetch, withWallet, bodies } = shop(price);
  await expect(wrapFetchWithPayment(fetch, withWallet(new x402Client(), change))(URL_OF_SHOP)).rejects.toThrow();
  expect(bodies()).toEqual([]);
});

test.each(["", "1.5", "1 USD"])("the maxAmount %j is refused before any request", (maxAmount) => {
  expect(() => shop(() => v2([])).withWallet(new x402Client(), { maxAmount })).toThrow(/maxAmount/);
});
