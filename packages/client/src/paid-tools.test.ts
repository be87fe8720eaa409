import { expect, test } from "vitest";
import { decodeHeader } from "../../x402/src/header.ts";
import { BASE_URL, json, offerV2, scripted, signed } from "../testing/script.ts";
import { PaymentError } from "./errors.ts";
import { Tessera } from "./index.ts";
import { callPaidTool } from "./paid-tools.ts";

const SERVER = "https://weather.example/mcp";
const CALL = { name: "forecast", arguments: { city: "Bern" } };
const price = (change: object = {}) => ({
  x402Version: 2,
  error: "Payment required",
  resource: { url: "mcp://tool/forecast" },
  accepts: [offerV2(change)],
});
const refusal = (parts: object) => ({ isError: true, content: [{ type: "text", text: "Payment required" }], ...parts });
const inText = (value: object) => [{ type: "text", text: JSON.stringify(value) }];
const wrapped = (data: object) => ({ "x402/error": { code: 402, message: "Payment required", data } });

/** A seller that answers each call with the next of `results`; an Error is thrown. */
function shop(results: readonly unknown[], paymentStatus = "signed") {
  const calls: { _meta?: Record<string, unknown> }[] = [];
  const client = {
    callTool: async (params: { _meta?: Record<string, unknown> }) => {
      const result = results[calls.length];
      calls.push(params);
      if (result instanceof Error) throw result;
      return result;
    },
  };
  const script = scripted({
    "/api/payment/x402V3Payment": async (sent) =>
      json(200, { ...(await signed(sent).json()), paymentRecordId: "pay_1" }),
    "/api/payments/pay_1": () =>
      paymentStatus === "" ? json(400, {}) : json(200, { payment: { status: paymentStatus, txHash: "0xabc" } }),
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "t", fetch: script.fetch });
  const buy = (change: object = {}) =>
    callPaidTool(client, CALL, { tessera, serverUrl: SERVER, mandateId: "mand_1", maxAmount: "10000", ...change });
  const bodies = () => script.of("/api/payment/x402V3Payment").map(({ body }) => JSON.parse(body));
  return { buy, calls, bodies };
}

const bought = { content: [{ type: "text", text: "sunny" }], _meta: { "x402/payment-response": { success: true } } };

test.each([
  ["structuredContent", refusal({ structuredContent: price() }), "object"],
  ["wrapped structuredContent", refusal({ structuredContent: wrapped(price()) }), "object"],
  ["text", refusal({ content: inText(price()) }), "object"],
  ["wrapped text", refusal({ content: inText(wrapped(price())) }), "object"],
  ["_meta, as Cloudflare's paidTool", refusal({ _meta: { "x402/error": price() } }), "string"],
])("a price in %s is paid: the signed host is that of the server", async (_, first, type) => {
  const { buy, calls, bodies } = shop([first, bought]);
  expect(await buy()).toMatchObject({ result: bought, settlement: { success: true }, proof: { amount: "10000" } });
  expect(bodies()).toMatchObject([{ resource: SERVER, host: "weather.example", amount: "10000" }]);
  const payment = calls[1]?._meta?.["x402/payment"];
  expect(typeof payment).toBe(type);
  const proof = typeof payment === "string" ? decodeHeader(payment) : payment;
  expect(proof).toMatchObject({ x402Version: 2, resource: { url: "mcp://tool/forecast" }, accepted: offerV2() });
});

test("a tool that requires no payment, or fails, is called once, and nothing is signed", async () => {
  for (const result of [{ content: [] }, refusal({}), refusal({ content: inText({ x402Version: 2 }) }), null]) {
    const { buy, calls, bodies } = shop([result]);
    expect(await buy()).toEqual({ result, proof: null, settlement: null });
    expect([calls.length, bodies()]).toEqual([1, []]);
  }
});

test.each([
  ["max_amount_exceeded", price({ amount: "10001" })],
  ["no_payable_option", price({ extra: { name: "GatewayWalletBatched", version: "1" } })],
])("%s: nothing is signed", async (code, structuredContent) => {
  const { buy, bodies } = shop([refusal({ structuredContent })]);
  await expect(buy()).rejects.toMatchObject({ code, outcome: "not_paid" });
  expect(bodies()).toEqual([]);
});

test.each([
  ["signed", "declined", "payment_declined"],
  ["settled", "paid", "response_lost"],
  ["", "unknown", "payment_unknown"],
])(
  "after a lost answer the same key presents the same proof; if its payment is %j then, the outcome is %s",
  async (...row) => {
    const [status, outcome, code] = row;
    const asked = refusal({ structuredContent: price() });
    const { buy, calls, bodies } = shop([asked, new Error("connection lost"), asked, asked], status);
    const lost = await buy({ idempotencyKey: "order-1" }).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: "payment_unknown", outcome: "unknown" });
    expect(PaymentError.is(lost) && lost.message).toContain("the same idempotencyKey");
    await expect(buy({ idempotencyKey: "order-1" })).rejects.toMatchObject({ code, outcome });
    const payments = calls.flatMap(({ _meta }) => _meta?.["x402/payment"] ?? []);
    expect(payments).toHaveLength(2);
    expect(payments[0]).toEqual(payments[1]);
    expect(bodies()).toHaveLength(1);
  },
);

test.each([{ maxAmount: "1.5" }, { serverUrl: "mcp://tool" }, { serverUrl: "" }])(
  "%j is refused before the tool is called",
  async (change) => {
    const { buy, calls } = shop([]);
    await expect(buy(change)).rejects.toMatchObject({ code: "invalid_argument" });
    expect(calls).toEqual([]);
  },
);
