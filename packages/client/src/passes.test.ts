import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  BASE_URL,
  type Handler,
  json,
  offerV2,
  PAYEE,
  PAYER,
  type Sent,
  scripted,
  signed,
  soon,
  v2,
} from "../testing/script.ts";
import { PaymentError, type PayOptions, type PayResult, Tessera } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ORIGIN = "https://seller.example";
const PAID = `${ORIGIN}/paid/lnk_1`;
const CALL = `${PAID}/quotes`;
const PASS = `${ORIGIN}/pass/lnk_1?terms=abc`;
const SIGN = "/api/payment/x402V3Payment";
type OfferedPass = { url: string; amount: string; calls: unknown; hours: number | null; isByUse?: boolean };
const OFFERED: OfferedPass = { url: PASS, amount: "500000", calls: 50, hours: null };
const OPTIONS: PayOptions = { maxAmount: "10000", mandateId: "mand_1", preferPass: "500000" };

const isPaid = ({ headers }: { headers: Headers }) => headers.has("x-payment") || headers.has("payment-signature");
const pass = (token: string) => json(200, { success: true, pass: { token } });

/** A seller of calls for 10000 and of passes. `opens`: whether the pass in the request still has calls. */
function seller({
  offered = OFFERED as OfferedPass | null,
  sold = (_: Sent): Response | Error | Promise<Response> => pass("pass_1"),
  opens = (_token: string, _index: number): boolean | Promise<boolean> => true,
  refusal = "PASS_USED_UP",
  more = {} as Record<string, Handler>,
} = {}) {
  const extensions = offered && { extensions: { "tessera-pass": { info: offered } } };
  const script = scripted({
    "/paid/lnk_1/quotes": async (sent, index) => {
      const token = /^Bearer (pass_\w+)$/.exec(sent.headers.get("authorization") ?? "")?.[1];
      if (token && (await opens(token, index))) return json(200, { by: token });
      if (isPaid(sent)) return json(200, { by: "proof" });
      const required = v2([offerV2()], { ...extensions });
      return json(402, { x402Version: 1, accepts: [], code: token && refusal }, Object.fromEntries(required.headers));
    },
    "/pass/lnk_1": (sent) => (isPaid(sent) ? sold(sent) : v2([offerV2({ amount: offered?.amount })])),
    [SIGN]: signed,
    ...more,
  });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch: script.fetch });
  const pay = (options: Partial<PayOptions> = {}, init: RequestInit = {}) =>
    soon(tessera.pay(CALL, init, { ...OPTIONS, ...options }));
  const amounts = () => script.of(SIGN).map(({ body }) => JSON.parse(body).amount);
  return { ...script, pay, amounts };
}

/** A seller of passes for one call each. A proof buys one of them. */
function oneCallEach() {
  const proofs: (string | null)[] = [];
  const used = new Set<string>();
  return {
    offered: { ...OFFERED, calls: 1, amount: "10000" },
    sold: ({ headers }: Sent) => {
      const proof = headers.get("payment-signature");
      if (!proofs.includes(proof)) proofs.push(proof);
      return pass(`pass_${proofs.indexOf(proof) + 1}`);
    },
    opens: (token: string) => !used.has(token) && used.add(token).size > 0,
  };
}

const byOf = async (paid: Promise<PayResult>) => (await (await paid).response.json()).by;
const later = <V>(seconds: number, value: V) => new Promise<V>((done) => setTimeout(done, seconds * 1000, value));

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

  test.each<[string, OfferedPass | null]>([
    ["there is none", null],
    ["it is dearer than preferPass", { ...OFFERED, calls: 100, amount: "500001" }],
    ["its calls are dearer than this one", { ...OFFERED, calls: 49 }],
    ["its calls are no number", { ...OFFERED, calls: "50" }],
    ["it says neither calls nor hours", { ...OFFERED, calls: null }],
    ["it is sold at another origin", { ...OFFERED, url: "https://evil.example/pass/lnk_1" }],
    ["its price is no number", { ...OFFERED, amount: "1.5" }],
  ])("is not bought if %s, and the call is paid", async (_, offered) => {
    const { pay, amounts } = seller({ offered });
    expect(await (await pay()).response.json()).toEqual({ by: "proof" });
    expect(amounts()).toEqual(["10000"]);
  });

  test("whose 402 asks for more than it says is not bought", async () => {
    const more = { "/pass/lnk_1": () => v2([offerV2({ amount: "500000" })]) };
    const { pay, amounts } = seller({ offered: { ...OFFERED, amount: "400000" }, more });
    expect(await (await pay()).response.json()).toEqual({ by: "proof" });
    expect(amounts()).toEqual(["10000"]);
  });

  test("of hours is bought for at most preferPass", async () => {
    const { pay } = seller({ offered: { ...OFFERED, calls: null, hours: 1 } });
    expect((await pay()).receipt?.amount).toBe("500000");
  });

  test("that is used up is bought again", async () => {
    const { pay, amounts } = seller(oneCallEach());
    expect([await byOf(pay()), await byOf(pay()), await byOf(pay())]).toEqual(["pass_1", "pass_2", "pass_3"]);
    expect(amounts()).toEqual(["10000", "10000", "10000"]);
  });

  test("that another call has bought meanwhile is used", async () => {
    const passes = new Map([[PAID, "pass_0"]]);
    const opens = (token: string, index: number) => (index === 1 ? later(60, false) : token !== "pass_0");
    const { pay, amounts } = seller({ opens });
    const calls = [byOf(pay({ passes })), byOf(pay({ passes, preferPass: "1" }))];
    expect(await Promise.all(calls)).toEqual(["pass_1", "pass_1"]);
    expect([amounts(), passes.get(PAID)]).toEqual([["500000"], "pass_1"]);
  });

  test("that another call has bought while the store was read is used", async () => {
    const kept = new Map<string, string>();
    const passes = {
      get: (url: string) => later(5, kept.get(url)),
      set: (url: string, token: string) => kept.set(url, token),
    };
    const { pay, amounts } = seller();
    // The first call keeps its pass after 15 seconds; the second one has read before that there is none.
    const late = later(9.9, null).then(() => pay({ passes }));
    expect([await byOf(pay({ passes })), await byOf(late)]).toEqual(["pass_1", "pass_1"]);
    expect(amounts()).toEqual(["500000"]);
  });

  test("that is used up by calls under way is kept, because they may fail, and the call is paid", async () => {
    const passes = new Map([[PAID, "pass_0"]]);
    const { pay, amounts } = seller({ opens: (_, index) => (index === 0 ? later(60, true) : false) });
    expect(await Promise.all([byOf(pay({ passes })), byOf(pay({ passes }))])).toEqual(["pass_0", "proof"]);
    expect([amounts(), passes.get(PAID)]).toEqual([["10000"], "pass_0"]);
  });

  test("that admits no call is bought once, and the calls are paid", async () => {
    const { pay, amounts } = seller({ opens: () => false });
    const { response, receipt } = await pay();
    expect([response.status, receipt?.amount]).toEqual([402, "500000"]);
    expect([await byOf(pay()), await byOf(pay())]).toEqual(["proof", "proof"]);
    expect(amounts()).toEqual(["500000", "10000", "10000"]);
  });

  test("that ends before its calls are used is not bought again", async () => {
    const { pay, amounts } = seller({ ...oneCallEach(), offered: { ...OFFERED, calls: 2, amount: "20000" } });
    expect([await byOf(pay()), await byOf(pay()), await byOf(pay())]).toEqual(["pass_1", "proof", "proof"]);
    expect(amounts()).toEqual(["20000", "10000", "10000"]);
  });

  test("that ends before its calls are used is not bought again where a store keeps it", async () => {
    let calls = 0;
    const passes = new Map<string, string>();
    const { pay, amounts } = seller({ opens: () => calls++ % 2 === 0 });
    const by = [await byOf(pay({ passes })), await byOf(pay({ passes })), await byOf(pay({ passes }))];
    expect([by[0], by[1], amounts()]).toEqual(["pass_1", "proof", ["500000", "10000", ...amounts().slice(2)]]);
    expect(amounts().filter((amount) => amount === "500000")).toEqual(["500000"]);
  });

  test.each([
    ["10000", ["pass_1", "pass_2"]],
    ["20000", ["pass_1", "proof"]],
    // Not enough for a call.
    ["9999", ["proof", "proof"]],
  ])("by use of %s is replaced when its calls can have used it", async (amount, by) => {
    const { pay } = seller({ ...oneCallEach(), offered: { ...OFFERED, calls: null, isByUse: true, amount } });
    expect([await byOf(pay()), await byOf(pay())]).toEqual(by);
  });

  test("by use is not bought for a call that can cost more than maxAmount, and says the most on each call", async () => {
    const offered = { ...OFFERED, calls: null, isByUse: true, amount: "10000" };
    const { pay, amounts, of } = seller({ offered });
    await expect(pay({ maxAmount: "9999" })).rejects.toMatchObject({ code: "max_amount_exceeded" });
    expect(amounts()).toEqual([]);
    await pay();
    expect(of("/paid/lnk_1/quotes").map(({ headers }) => headers.get("tessera-cost-max"))).toEqual([
      null,
      null,
      null,
      "10000",
    ]);
  });

  test.each([
    [3600, ["pass_1", "pass_2"]],
    [3500, ["pass_1", "proof"]],
  ])("of one hour that is over after %i seconds", async (seconds, by) => {
    const offered = { ...OFFERED, calls: null, hours: 1, amount: "10000" };
    const { pay } = seller({ ...oneCallEach(), offered, refusal: "PASS_OVER" });
    const first = await byOf(pay());
    vi.setSystemTime(Date.now() + seconds * 1000);
    expect([first, await byOf(pay())]).toEqual(by);
  });

  test("that was refunded is the last one of its link", async () => {
    const { pay, amounts } = seller({ ...oneCallEach(), refusal: "PASS_REFUNDED" });
    const passes = new Map<string, string>();
    expect([await byOf(pay({ passes })), await byOf(pay({ passes }))]).toEqual(["pass_1", "proof"]);
    passes.clear();
    expect(await byOf(pay({ passes }))).toBe("proof");
    expect(amounts()).toEqual(["10000", "10000", "10000"]);
  });

  test("is bought once under an idempotencyKey, which then pays for nothing else", async () => {
    const { pay, amounts } = seller(oneCallEach());
    await pay({ idempotencyKey: "k" });
    const error = await pay({ idempotencyKey: "k" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      outcome: "paid",
      message: expect.stringContaining("Another call needs another key"),
    });
    expect(amounts()).toEqual(["10000"]);
    expect(await byOf(pay({ idempotencyKey: "other" }))).toBe("pass_2");
  });

  test("is not bought for an idempotencyKey that has paid for its call", async () => {
    const { pay, amounts } = seller({ opens: () => false });
    const order = { idempotencyKey: "k", preferPass: "1" };
    expect([await byOf(pay(order)), await byOf(pay({ ...order, preferPass: "500000" }))]).toEqual(["proof", "proof"]);
    expect(amounts()).toEqual(["10000"]);
  });

  test("has the token of the 202 if the seller does not show it once the payment has settled", async () => {
    let presented = 0;
    const settled = { settlementStatus: "settled", payer: PAYER, payee: PAYEE, amount: "500000", purpose: "link" };
    const { pay, amounts } = seller({
      sold: () =>
        presented++ === 0
          ? json(202, { status: "pending", settlementId: "stl_1", token: "pass_1" })
          : json(409, { code: "PAYMENT_ALREADY_USED", settlementId: "stl_1" }),
      more: { "/api/settlements/stl_1": () => json(200, { ...settled, txHash: "0x1", receiptUrl: "/r" }) },
    });
    const { response, receipt } = await pay();
    expect([await response.json(), receipt]).toMatchObject([
      { by: "pass_1" },
      { amount: "500000", txHash: "0x1", settlementId: "stl_1", receiptUrl: "/r" },
    ]);
    expect(await byOf(pay())).toBe("pass_1");
    expect(amounts()).toEqual(["500000"]);
  });

  test("that cannot be stored is not paid a second time", async () => {
    const kept = new Map<string, string>();
    let isFull = true;
    const set = (url: string, token: string) => {
      if (isFull) throw new Error("no space left");
      kept.set(url, token);
    };
    const passes = { get: (url: string) => kept.get(url), set };
    const { pay, amounts } = seller();
    await expect(pay({ passes })).rejects.toThrow("no space left");
    isFull = false;
    expect(await byOf(pay({ passes }))).toBe("pass_1");
    expect(amounts()).toEqual(["500000"]);
  });

  test("without a token is not paid a second time", async () => {
    const { pay, amounts } = seller({ sold: () => json(200, { success: true }) });
    await expect(pay()).rejects.toMatchObject({ outcome: "paid", code: "response_lost" });
    expect(await byOf(pay())).toBe("proof");
    expect(amounts()).toEqual(["500000", "10000"]);
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

  test("whose payment has no known end is not paid a second time when the seller offers another pass", async () => {
    let isDown = true;
    const offered = { ...OFFERED };
    const { pay, amounts, of } = seller({
      offered,
      sold: () => (isDown ? new TypeError("fetch failed") : pass("pass_1")),
    });
    await expect(pay({ waitSeconds: 5 })).rejects.toMatchObject({ outcome: "unknown" });
    offered.url = `${ORIGIN}/pass/lnk_1?terms=other`;
    isDown = false;
    expect([await byOf(pay()), amounts()]).toEqual(["pass_1", ["500000"]]);
    expect(of("/pass/lnk_1").at(-1)?.url).toBe(PASS);
  });

  test("is bought once by concurrent calls that are offered different ones", async () => {
    const offered = { ...OFFERED };
    const { pay, amounts } = seller({ offered, sold: () => later(5, pass("pass_1")) });
    const first = pay();
    await later(0.5, null);
    offered.url = `${ORIGIN}/pass/lnk_1?terms=other`;
    expect([await byOf(first), await byOf(pay())]).toEqual(["pass_1", "pass_1"]);
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

  test("whose proof is presented again and refused is an error, and nothing else is signed", async () => {
    const first = seller({ sold: () => new TypeError("fetch failed") });
    const error = await first.pay({ waitSeconds: 5 }).catch((thrown: unknown) => thrown);
    const { proof } = error as PaymentError;
    const failed = { settlementStatus: "failed", payer: PAYER, payee: PAYEE, amount: "500000" };
    const service = scripted({
      "/pass/lnk_1": () => json(202, { status: "pending", settlementId: "stl_1" }),
      "/api/settlements/stl_1": () => json(200, failed),
      [SIGN]: signed,
      "/paid/lnk_1/quotes": () => v2([offerV2()]),
    });
    const own = new Tessera({ baseUrl: ORIGIN, agentId: "a", token: "secret", fetch: service.fetch });
    await expect(soon(own.pay(CALL, {}, { ...OPTIONS, proof }))).rejects.toMatchObject({ outcome: "not_paid", proof });
    expect(service.of(SIGN)).toEqual([]);
  });

  test("that is paid is named by the error of the call after it", async () => {
    let isDown = true;
    const { pay, amounts } = seller({
      opens: () => {
        if (isDown) throw new TypeError("fetch failed");
        return true;
      },
    });
    await expect(pay({}, { method: "POST", body: "{}" })).rejects.toMatchObject({
      code: "network_error",
      outcome: "paid",
      proof: { amount: "500000" },
      details: { receipt: { amount: "500000" } },
    });
    isDown = false;
    expect([await byOf(pay()), amounts()]).toEqual(["pass_1", ["500000"]]);
  });

  test("has one Idempotency-Key for all tries of a call", async () => {
    const { pay, of } = seller({
      opens: (_, index) => {
        if (index === 2) throw new TypeError("fetch failed");
        return true;
      },
    });
    await pay();
    await pay();
    await pay({ idempotencyKey: "k" });
    await pay({ idempotencyKey: "k" }, { headers: { "Idempotency-Key": "mine" } });
    const keys = of("/paid/lnk_1/quotes").map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toEqual([null, expect.any(String), expect.any(String), keys[2], "k", "mine"]);
    expect(keys[1]).not.toBe(keys[2]);
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
