import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Ctx } from "@/lib/platform/context";
import { decodeHeader } from "@/lib/x402/header";
import type { Requirement } from "@/lib/x402/requirement";

const identity = vi.hoisted(() => ({ signOffer: vi.fn(), signingKid: vi.fn() }));
vi.mock("@/lib/identity/service", () => identity);
vi.mock("@/lib/platform/secrets", () => ({ keysFor: async () => (text: string) => `id${text.length}` }));

// Files share their modules: an earlier one may have loaded the real signer, and a later one needs it.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { paymentRequired } = await import("./required");

const START = Date.parse("2026-11-23T08:01:00Z");
const requirement: Requirement = {
  network: "base",
  amount: toUsdc(1_000_000n),
  payTo: toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
  resource: "https://wallet.example/pay/lnk_1",
  description: "A report",
};

let now: number;
let error: ReturnType<typeof vi.fn>;
let ctx: Ctx;

beforeEach(() => {
  vi.resetAllMocks();
  now = START;
  error = vi.fn();
  // Only what the code under test reads; `db` identifies the cache.
  ctx = {
    config: { baseUrl: "https://wallet.example" },
    db: {},
    log: { error },
    now: () => new Date(now),
  } as unknown as Ctx;
  identity.signingKid.mockResolvedValue("kid-1");
  identity.signOffer.mockImplementation(async (_, { amount, validUntil }) => `jws of ${amount} until ${validUntil}`);
});

/** The signed offer in the 402 for `of`; null without one. */
async function offerFor(of: Requirement = requirement): Promise<string | null> {
  const { status, headers } = await paymentRequired(ctx, of);
  expect(status).toBe(402);
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a header
  const required = decodeHeader(headers?.["PAYMENT-REQUIRED"] ?? "") as any;
  expect(required.accepts).toHaveLength(1);
  return required.extensions["offer-receipt"]?.info.offers[0].signature ?? null;
}

const priced = (amount: number): Requirement => ({ ...requirement, amount: toUsdc(BigInt(amount)) });

describe("the signed offer of a 402", () => {
  test("is signed once for all requests within five minutes, also for simultaneous ones", async () => {
    const offers = await Promise.all(Array.from({ length: 50 }, () => offerFor()));
    now += 239_000;
    offers.push(await offerFor());
    expect(new Set(offers)).toEqual(new Set([`jws of 1000000 until ${START / 1000 + 540}`]));
    expect(identity.signOffer).toHaveBeenCalledTimes(1);
    now += 1_000;
    expect(await offerFor()).toBe(`jws of 1000000 until ${START / 1000 + 840}`);
    expect(identity.signOffer).toHaveBeenCalledTimes(2);
  });

  test.each<[string, Partial<Requirement>]>([
    ["price", { amount: toUsdc(2n) }],
    ["address", { payTo: toAddress("0x5b38da6a701c568545dcfcb03fcb875f56beddc4") }],
    ["network", { network: "base-sepolia" }],
    ["resource", { resource: "https://wallet.example/pay/lnk_2" }],
  ])("is signed separately for another %s", async (_, change) => {
    await offerFor();
    await offerFor({ ...requirement, ...change });
    expect(identity.signOffer).toHaveBeenCalledTimes(2);
  });

  test("is signed again after a change of the signing key", async () => {
    await offerFor();
    identity.signingKid.mockResolvedValue("kid-2");
    await offerFor();
    expect(identity.signOffer).toHaveBeenCalledTimes(2);
  });

  test("is left out while too many others are being signed", async () => {
    let finish = (_: string) => {};
    const slow = new Promise<string>((done) => {
      finish = done;
    });
    identity.signOffer.mockReturnValue(slow);
    const waiting = Array.from({ length: 16 }, (_, index) => offerFor(priced(index + 1)));
    await vi.waitFor(() => expect(identity.signOffer).toHaveBeenCalledTimes(16));
    expect(await offerFor(priced(17))).toBeNull();
    finish("jws");
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["jws"]));
    expect(await offerFor(priced(17))).toBe("jws");
  });

  test("is cached for the newest four thousand", async () => {
    for (let amount = 1; amount <= 4_001; amount++) await offerFor(priced(amount));
    await offerFor(priced(2));
    expect(identity.signOffer).toHaveBeenCalledTimes(4_001);
    await offerFor(priced(1));
    expect(identity.signOffer).toHaveBeenCalledTimes(4_002);
  });

  test("is left out for a very long URL", async () => {
    const longest = { ...requirement, resource: requirement.resource.padEnd(512, "x") };
    expect(await offerFor(longest)).not.toBeNull();
    expect(await offerFor({ ...longest, resource: `${longest.resource}x` })).toBeNull();
  });

  test("is left out when signing fails, which is logged, and the next request tries again", async () => {
    const failed = new Error("no key");
    identity.signOffer.mockRejectedValueOnce(failed);
    expect(await offerFor()).toBeNull();
    expect(error).toHaveBeenCalledWith({ resource: requirement.resource, err: failed }, "offer.signing_failed");
    expect(await offerFor()).not.toBeNull();
  });
});

describe("the header of a 402", () => {
  const long: Requirement = {
    ...requirement,
    description: "\u{1f600}".repeat(1000),
    discovery: {
      method: "GET",
      isListed: true,
      output: {},
      input: {
        example: {},
        schema: {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 5 }, (_, index) => [
              `field${index}`,
              { type: "string", description: "\u{1f600}".repeat(100) },
            ]),
          ),
        },
      },
    },
  };
  const boughtBy = async () => null;
  const read = async (of: Requirement) => {
    const { headers, body } = await paymentRequired(ctx, of, { boughtBy });
    const header = headers?.["PAYMENT-REQUIRED"] ?? "";
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of a header
    return { header, required: decodeHeader(header) as any, body };
  };
  const SIZE_MAX = 6_500;

  test("has everything in full while it fits", async () => {
    const { required, body } = await read({ ...requirement, description: "a".repeat(1000) });
    expect(required.resource.description).toBe("a".repeat(1000));
    expect(Object.keys(required.extensions)).toEqual(["payment-identifier", "offer-receipt", "sign-in-with-x"]);
    expect(body).not.toHaveProperty("extensions");
  });

  test("has the beginning of long texts, which the body has in full", async () => {
    const { header, required, body } = await read(long);
    expect(header.length).toBeLessThanOrEqual(SIZE_MAX);
    expect(required.resource.description).toBe(`${"\u{1f600}".repeat(60)}…`);
    const { properties } = required.extensions.bazaar.schema.properties.input.properties.queryParams;
    expect(properties.field4.description).toBe(`${"\u{1f600}".repeat(60)}…`);
    expect(body.accepts[0]?.description).toBe(long.description);
    expect(body).not.toHaveProperty("extensions");
  });

  test.each([500, 1_200, 2_050])("leaves extensions to the body for a URL of %i characters", async (length) => {
    const { header, required, body } = await read({ ...long, resource: requirement.resource.padEnd(length, "x") });
    expect(header.length).toBeLessThanOrEqual(SIZE_MAX);
    expect(required.accepts).toHaveLength(1);
    const names = Object.keys({ ...body.extensions, ...required.extensions });
    expect(names).toEqual(expect.arrayContaining(["payment-identifier", "bazaar", "sign-in-with-x"]));
  });
});

describe("what a 402 says", () => {
  const discovery: Requirement["discovery"] = {
    method: "GET",
    isListed: true,
    output: {},
    input: { example: {}, schema: { type: "object" } },
  };
  const ask = (change: Partial<Requirement> = {}, options: Parameters<typeof paymentRequired>[2] = {}) =>
    paymentRequired(ctx, { ...requirement, discovery, ...change }, options);

  test("is composed once for the same price, texts and offer", async () => {
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toBe(first.body);
    expect(second.headers?.["PAYMENT-REQUIRED"]).toBe(first.headers?.["PAYMENT-REQUIRED"]);
  });

  test.each<[string, Partial<Requirement>]>([
    ["price", { amount: toUsdc(2_000_000n) }],
    ["address", { payTo: toAddress("0x5b38da6a701c568545dcfcb03fcb875f56beddc4") }],
    ["network", { network: "base-sepolia" }],
    ["resource", { resource: "https://wallet.example/pay/lnk_2" }],
    ["description", { description: "Another report" }],
    ["missing parameter", { missing: ["name"] }],
    ["description of its input", { discovery: { ...discovery, isListed: false } }],
  ])("is the new one at once after a change of the %s", async (_, change) => {
    const before = await ask();
    const shared = await ask(change);
    // Composed in an empty cache.
    ctx = { ...ctx, db: {} as Ctx["db"] };
    const fresh = await ask(change);
    expect(shared.body).toEqual(fresh.body);
    expect(shared.headers?.["PAYMENT-REQUIRED"]).toBe(fresh.headers?.["PAYMENT-REQUIRED"]);
    expect([shared.body, shared.headers?.["PAYMENT-REQUIRED"]]).not.toEqual([
      before.body,
      before.headers?.["PAYMENT-REQUIRED"],
    ]);
  });

  test("names the refusal of this request only, and the offer that is valid now", async () => {
    const before = await ask();
    expect((await ask({}, { refusal: "PAYMENT_EXPIRED" })).body.code).toBe("PAYMENT_EXPIRED");
    expect((await ask()).body).toBe(before.body);
    now += 300_000;
    expect((await ask()).headers?.["PAYMENT-REQUIRED"]).not.toBe(before.headers?.["PAYMENT-REQUIRED"]);
  });

  test.each<[string, Parameters<typeof ask>[0], Parameters<typeof ask>[1]?]>([
    ["a sign-in", {}, { boughtBy: async () => null }],
    ["other payments", {}, { others: [{}] as never }],
    ["a long URL", { resource: `https://wallet.example/paid/${"x".repeat(500)}` }],
  ])("is composed for each request with %s", async (_, change, options) => {
    const [first, second] = [await ask(change, options), await ask(change, options)];
    expect(second.body).not.toBe(first.body);
    expect([first.isShared, (await ask()).isShared]).toEqual([false, true]);
  });
});

test("each 402 has a challenge of its own", async () => {
  const challenges = await Promise.all([1, 2, 3].map(async () => (await paymentRequired(ctx, requirement)).headers));
  const values = challenges.map((headers) => headers?.["WWW-Authenticate"] ?? "");
  expect(new Set(values).size).toBe(3);
  for (const value of values) {
    expect(value).toMatch(/^Payment id="id\d+", realm="wallet.example", method="evm", intent="charge", request="/);
    expect(value).toContain('expires="2026-11-23T08:06:00.000Z"');
  }
});
