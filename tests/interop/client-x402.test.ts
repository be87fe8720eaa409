import { decodeHeader, encodeHeader } from "@tessera/x402/header";
import { wrapAxiosWithPayment, x402Client as x402ClientOfAxios } from "@x402/axios";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import axios from "axios";
import { expect, test, vi } from "vitest";
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

test("a stock client pays an MCP tool, whose resource has no host, under the URL of its server", async () => {
  const resource = { url: "mcp://tool/forecast" };
  const { fetch, withWallet, bodies, proofs } = shop(() => v2([offerV2()], { resource }));
  const pay = (change: object) => wrapFetchWithPayment(fetch, withWallet(new x402Client(), change))(URL_OF_SHOP);
  await expect(pay({})).rejects.toThrow("For MCP tools, set serverUrl");
  expect(bodies()).toEqual([]);
  const res = await pay({ serverUrl: "https://weather.example/mcp" });
  expect(await res.text()).toBe("bought");
  expect(bodies()).toMatchObject([{ resource: "https://weather.example/mcp", host: "weather.example" }]);
  expect(decodeProof(proofs()[0])).toMatchObject({ resource });
});

test("a call that is repeated after the answer to its signature was lost is signed with the same key", async () => {
  let attempts = 0;
  const script = scripted({
    "/r": ({ headers }) => (proofIn(headers) === null ? v2([offerV2()]) : new Response("bought")),
    // The client itself repeats the request three times.
    [SIGN]: (sent) => (++attempts <= 4 ? new TypeError("connection lost") : signed(sent)),
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "t", fetch: script.fetch });
  const options = { tessera, mandateId: "mand_1", maxAmount: "10000" };
  const pay = wrapFetchWithPayment(script.fetch, registerTessera(new x402Client(), options));
  await expect(pay(URL_OF_SHOP)).rejects.toThrow("Failed to create payment payload");
  expect(await (await pay(URL_OF_SHOP)).text()).toBe("bought");
  const keys = script.of(SIGN).map(({ headers }) => headers.get("idempotency-key"));
  expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
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

/** A seller of x402 v2 that takes each proof once, and whose answers to proofs may be lost on the way. */
function forgetfulShop(isLost: (presentation: number) => boolean, status = "signed") {
  const paid = new Set<string>();
  let presentations = 0;
  const script = scripted({
    "/r": ({ headers }) => {
      const proof = proofIn(headers);
      if (proof === null) return v2([offerV2()]);
      const isNew = !paid.has(proof);
      paid.add(proof);
      if (isLost(presentations++)) return new TypeError("socket hang up");
      return isNew ? new Response("bought", { headers: SETTLED }) : v2([offerV2()], { error: "used" });
    },
    [SIGN]: signed,
  });
  const fetch: typeof globalThis.fetch = async (input, init) =>
    String(input).startsWith(`${BASE_URL}/api/payments/`)
      ? Response.json({ payment: { status, txHash: "0x1" } })
      : script.fetch(input, init);
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "t", fetch });
  const client = registerTessera(new x402Client(), { tessera, mandateId: "mand_1", maxAmount: "10000" });
  const buy = () => wrapFetchWithPayment(script.fetch, client)(URL_OF_SHOP);
  return { buy, paid, signatures: () => script.of(SIGN).length };
}
const SETTLED = {
  "PAYMENT-RESPONSE": encodeHeader({ success: true, transaction: "0x1", network: "eip155:8453", payer: "0x1" }),
};

test("a call that is repeated after its answer was lost pays with the same proof, in 200 of 200 purchases", async () => {
  const purchase = async (_: unknown, turn: number) => {
    const lost = (turn % 3) + 1;
    const { buy, paid, signatures } = forgetfulShop((presentation) => presentation < lost);
    for (let n = 0; n < lost; n++) await expect(buy()).rejects.toThrow("socket hang up");
    for (let n = 0; n < 2; n++) expect((await buy()).status).toBe(402);
    expect([paid.size, signatures()]).toEqual([1, 1]);
  };
  await Promise.all(Array.from({ length: 200 }, purchase));
});

test("a purchase after an answer that arrived is another one", async () => {
  const { buy, paid } = forgetfulShop(() => false);
  for (let n = 1; n <= 3; n++) {
    expect((await buy()).status).toBe(200);
    expect(paid.size).toBe(n);
  }
});

test("ten calls at the same time are all served, each with a proof of its own", async () => {
  const { buy, paid, signatures } = forgetfulShop(() => false);
  const responses = await Promise.all(Array.from({ length: 10 }, buy));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect([paid.size, signatures()]).toEqual([10, 10]);
});

test.each([
  ["settled", /answer was lost/],
  ["expired", null],
])(
  "an unanswered proof that has expired and is %s is looked up before another one is signed",
  async (status, error) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { buy, paid } = forgetfulShop((presentation) => presentation === 0, status);
      await expect(buy()).rejects.toThrow("socket hang up");
      vi.setSystemTime(Date.now() + 7_200_000);
      if (error) await expect(buy()).rejects.toThrow(error);
      expect((await buy()).status).toBe(200);
      expect(paid.size).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  },
);
