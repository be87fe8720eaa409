import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BASE_URL, type Handler, json, offerV2, scripted, signed, soon, v2 } from "../testing/script.ts";
import { PaymentError, type PayOptions, Tessera } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ORIGIN = "https://seller.example";
const CALL = `${ORIGIN}/paid/lnk_1/quotes`;
const PASS = `${ORIGIN}/pass/lnk_1?terms=abc`;
const SIGN = "/api/payment/x402V3Payment";
const OPTIONS: PayOptions = { maxAmount: "10000", mandateId: "mand_1", preferPass: "500000" };

const isPaid = ({ headers }: { headers: Headers }) => headers.has("x-payment") || headers.has("payment-signature");
const pass = (token: string) => json(200, { success: true, pass: { token } });

/** A seller of calls for 10000 and of passes. `opens`: whether the pass in a request still has calls. */
function seller({
  offered = { url: PASS, amount: "500000" } as object | null,
  sold = (): Response | Error => pass("pass_1"),
  opens = (_: string): boolean => true,
  refusal = "PASS_USED_UP",
  more = {} as Record<string, Handler>,
} = {}) {
  const extensions = offered && { extensions: { "tessera-pass": { info: offered } } };
  const script = scripted({
    "/paid/lnk_1/quotes": (sent) => {
      const token = /^Bearer (pass_\w+)$/.exec(sent.headers.get("authorization") ?? "")?.[1];
      if (token && opens(token)) return json(200, { by: token });
      if (isPaid(sent)) return json(200, { by: "proof" });
      const required = v2([offerV2()], { ...extensions });
      return json(402, { x402Version: 1, accepts: [], code: token && refusal }, Object.fromEntries(required.headers));
    },
    "/pass/lnk_1": (sent) => (isPaid(sent) ? sold() : v2([offerV2({ amount: "500000" })])),
    [SIGN]: signed,
    ...more,
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch: script.fetch });
  const pay = (options: Partial<PayOptions> = {}, init: RequestInit = {}) =>
    soon(tessera.pay(CALL, init, { ...OPTIONS, ...options }));
  const amounts = () => script.of(SIGN).map(({ body }) => JSON.parse(body).amount);
  return { ...script, pay, amounts };
}

describe("a pass", () => {
  test("is bought once, and used from then on", async () => {
    const { pay, amounts, of } = seller();
    const first = await pay();
    expect([await first.response.json(), first.receipt?.amount]).toEqual([{ by: "pass_1" }, "500000"]);
    const second = await pay({}, { method: "POST", body: "{}" });
    expect([await second.response.json(), second.receipt]).toEqual([{ by: "pass_1" }, null]);
    expect(amounts()).toEqual(["500000"]);
    expect(JSON.parse(of(SIGN)[0]?.body ?? "")).toMatchObject({ resource: PASS });
  });

  test("is bought once by concurrent calls", async () => {
    const { pay, amounts } = seller();
    const results = await Promise.all([pay(), pay(), pay()]);
    expect(results.map(({ receipt }) => receipt?.amount)).toEqual(["500000", undefined, undefined]);
    expect(amounts()).toEqual(["500000"]);
  });

  test.each<[string, object | null]>([
    ["there is none", null],
    ["it is dearer than preferPass", { url: PASS, amount: "500001" }],
    ["it is sold at another origin", { url: "https://evil.example/pass/lnk_1", amount: "1" }],
    ["its price is no number", { url: PASS, amount: "1.5" }],
  ])("is not bought if %s, and the call is paid", async (_, offered) => {
    const { pay, amounts } = seller({ offered });
    expect(await (await pay()).response.json()).toEqual({ by: "proof" });
    expect(amounts()).toEqual(["10000"]);
  });

  test("whose 402 asks for more than it says is not bought", async () => {
    const { pay, amounts } = seller({ more: { "/pass/lnk_1": () => v2([offerV2({ amount: "500001" })]) } });
    expect(await (await pay()).response.json()).toEqual({ by: "proof" });
    expect(amounts()).toEqual(["10000"]);
  });

  test("that is used up is bought again", async () => {
    let bought = 0;
    const used = new Set<string>();
    const { pay, amounts } = seller({ sold: () => pass(`pass_${++bought}`), opens: (token) => !used.has(token) });
    await pay();
    used.add("pass_1");
    expect(await (await pay()).response.json()).toEqual({ by: "pass_2" });
    expect(amounts()).toEqual(["500000", "500000"]);
  });

  test.each(["PASS_HELD", "PASS_INVALID"])(
    "that may open again (%s) is kept, and its call is paid",
    async (refusal) => {
      const state = { isOpen: true };
      const { pay, amounts } = seller({ refusal, opens: () => state.isOpen });
      await pay();
      state.isOpen = false;
      expect(await (await pay()).response.json()).toEqual({ by: "proof" });
      state.isOpen = true;
      expect(await (await pay()).response.json()).toEqual({ by: "pass_1" });
      expect(amounts()).toEqual(["500000", "10000"]);
    },
  );

  test("whose payment has no known end is not paid a second time: the same proof is presented again", async () => {
    let isDown = true;
    const { pay, amounts } = seller({ sold: () => (isDown ? new TypeError("fetch failed") : pass("pass_1")) });
    const error = await pay({ waitSeconds: 5 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentError);
    expect(error).toMatchObject({ outcome: "unknown" });
    isDown = false;
    expect(await (await pay()).response.json()).toEqual({ by: "pass_1" });
    expect(amounts()).toEqual(["500000"]);
  });

  test("is obtained with the proof of a PaymentError, also after a restart", async () => {
    const first = seller({ sold: () => new TypeError("fetch failed") });
    const error = await first.pay({ waitSeconds: 5 }).catch((thrown: unknown) => thrown);
    const { proof } = error as PaymentError;
    const { pay, amounts } = seller();
    const { response, receipt } = await pay({ proof });
    expect([await response.json(), receipt?.amount]).toEqual([{ by: "pass_1" }, "500000"]);
    expect(await (await pay()).response.json()).toEqual({ by: "pass_1" });
    expect(amounts()).toEqual([]);
  });

  test("is kept where the caller says", async () => {
    const passes = new Map([[`${ORIGIN}/paid/lnk_1`, "pass_kept"]]);
    const { pay, amounts } = seller();
    expect(await (await pay({ passes })).response.json()).toEqual({ by: "pass_kept" });
    expect(amounts()).toEqual([]);
    passes.clear();
    await pay({ passes });
    expect([...passes]).toEqual([[`${ORIGIN}/paid/lnk_1`, "pass_1"]]);
  });
});
