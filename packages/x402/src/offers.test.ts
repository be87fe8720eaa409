import { describe, expect, test } from "vitest";
import { payableOffers } from "@/lib/payments/rules";
import { offersOf as offersOfService } from "@/lib/purchases/offers";
import { offersOf } from "../../client/src/pay.ts";
import { NETWORKS } from "./networks.ts";
import { addPaymentId, chooseOffers, findOffers, readOffer, readRequired } from "./offers.ts";

const plain = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "5",
  asset: NETWORKS.base.usdc,
  payTo: `0x${"22".repeat(20)}`,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
};
const withExtra = (extra: object | null) => ({ ...plain, extra });

/** What a seller may offer beside or instead of the plain one, and whether it can be paid by EIP-3009 of the token. */
const OFFERS: [offer: string, entry: unknown, isPayable: boolean][] = [
  ["a plain one", plain, true],
  ["one without extra", withExtra(null), true],
  ["one that names the token as verifying contract", withExtra({ verifyingContract: plain.asset.toLowerCase() }), true],
  ["one in lower case", { ...plain, asset: plain.asset.toLowerCase() }, true],
  [
    "one of Circle Gateway",
    withExtra({ name: "GatewayWalletBatched", version: "1", verifyingContract: plain.payTo }),
    false,
  ],
  ["one with the name of another domain", withExtra({ name: "USDC", version: "2" }), false],
  ["one with the version of another domain", withExtra({ name: "USD Coin", version: "1" }), false],
  ["one with another verifying contract", withExtra({ verifyingContract: plain.payTo }), false],
  ["one whose verifying contract has no text", withExtra({ verifyingContract: { toString: 1 } }), false],
  ["one whose asset has no text", { ...plain, asset: { toString: 1 } }, false],
  ["one by Permit2", withExtra({ assetTransferMethod: "permit2" }), false],
  ["one of another scheme", { ...plain, scheme: "upto" }, false],
  ["one of another token", { ...plain, asset: plain.payTo }, false],
  ["one on a network that is not ours", { ...plain, network: "eip155:137" }, false],
  ["one that is no object", "exact", false],
  ["one whose amount is a number", { ...plain, amount: 5 }, false],
  ["one without a timeout", { ...plain, maxTimeoutSeconds: undefined }, true],
  ["one in the network's name of x402 v1", { ...plain, network: "base" }, true],
];

const required = (accepts: unknown[]) => ({ x402Version: 2, resource: { url: "https://seller.example/r" }, accepts });

/** Each chooser of offers, as the indexes of what it would pay. */
const CHOOSERS: [chooser: string, payable: (accepts: unknown[]) => number[]][] = [
  [
    "the endpoint for payments of x402 v2",
    (accepts) => {
      const offers = payableOffers(accepts, "base");
      return typeof offers === "string" ? [] : offers.map(({ index }) => index);
    },
  ],
  [
    "the purchases of agents",
    (accepts) =>
      offersOfService(
        { headers: {}, bytes: Buffer.from(JSON.stringify(required(accepts))) },
        new URL("https://seller.example/r"),
      ).map(({ proof }) => accepts.findIndex((entry) => sameJson(entry, "accepted" in proof ? proof.accepted : null))),
  ],
  [
    "the client",
    (accepts) =>
      offersOf({ headers: new Headers(), bytes: new TextEncoder().encode(JSON.stringify(required(accepts))) }).map(
        ({ accepted }) => accepts.findIndex((entry) => sameJson(entry, accepted)),
      ),
  ],
];

const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

describe.each(CHOOSERS)("the choice of offers by %s", (_, payable) => {
  test.each(OFFERS)("includes the offer only if it can be paid: %s", (_offer, entry, isPayable) => {
    expect(payable([entry])).toEqual(isPayable ? [0] : []);
  });

  test("takes the first payable offer, at any position", () => {
    const others = OFFERS.flatMap(([, entry, isPayable]) => (isPayable ? [] : [entry]));
    expect(payable([...others, plain])).toEqual([others.length]);
  });
});

const read = (header: unknown, body?: unknown) => readRequired({ header, body });
const v1 = {
  x402Version: 1,
  accepts: [{ ...plain, network: "base", amount: undefined, maxAmountRequired: "7", description: "A report" }],
};

describe("the payment requirements of a 402", () => {
  test("are read from the header of x402 v2, or else from the body of v2 or v1", () => {
    expect(read(required([plain]), v1)).toMatchObject({ version: 2, accepts: [plain] });
    expect(read(undefined, required([plain]))).toMatchObject({ version: 2 });
    expect(read(v1, required([plain]))).toMatchObject({ version: 2 });
    expect(read(v1, v1)).toEqual({ version: 1, accepts: v1.accepts, resource: undefined, extensions: undefined });
  });

  test.each<[string, unknown]>([
    ["accepts that are no list", required({} as [])],
    ["another version", { ...required([plain]), x402Version: 3 }],
    ["no object", [plain]],
    ["nothing", undefined],
  ])("are missing with %s", (_, json) => {
    expect(read(json)).toBeNull();
    expect(read(undefined, json)).toBeNull();
  });

  test("have up to 64 entries", () => {
    expect(read(required(Array(100).fill(plain)))?.accepts).toHaveLength(64);
  });

  test("have the entry's description in v1, and the resource's in v2", () => {
    const describedIn = (json: object) => {
      const found = read(json, json);
      return found && findOffers(found).map(({ description }) => description);
    };
    expect(describedIn(v1)).toEqual(["A report"]);
    const entry = { ...plain, description: "of v1" };
    expect(describedIn({ ...required([entry]), resource: { description: "R" } })).toEqual(["R"]);
    expect(describedIn(required([entry]))).toEqual([""]);
  });
});

test.each(["60", -1, 1.5, null])("a timeout of %j is read as none", (maxTimeoutSeconds) => {
  expect(readOffer(2, { ...plain, maxTimeoutSeconds })).toMatchObject({ validityWindowSeconds: undefined });
});

test("an offer contains what is signed, and the seller's own members for the proof", () => {
  const json = { ...required([plain]), extensions: { a: {} } };
  const found = read(json);
  expect(found && findOffers(found)).toEqual([
    {
      x402Version: 2,
      network: "base",
      amount: "5",
      payTo: plain.payTo,
      description: "",
      validityWindowSeconds: 60,
      assetAddress: plain.asset,
      accepted: plain,
      resource: json.resource,
      extensions: json.extensions,
    },
  ]);
});

test.each(["0", "05", "-1", "1.5", "0x5", "", "1".repeat(79)])("an entry with the amount %j is no offer", (amount) => {
  const found = read(required([{ ...plain, amount }]));
  expect(found && findOffers(found)).toEqual([]);
});

test("the affordable offers on the requested network are chosen, in the seller's order", () => {
  const offers = [
    { network: "base", amount: "9" },
    { network: "base-sepolia", amount: 5n },
    { network: "base", amount: "4" },
  ];
  const [dear, onTestnet, cheap] = offers;
  expect(chooseOffers(offers, { maxAmount: 5n })).toEqual({ type: "affordable", offers: [onTestnet, cheap] });
  expect(chooseOffers(offers, { maxAmount: 9n, network: "base" })).toEqual({
    type: "affordable",
    offers: [dear, cheap],
  });
  expect(chooseOffers(offers, { maxAmount: 3n })).toEqual({ type: "too_expensive", first: dear });
  expect(chooseOffers(offers, { maxAmount: 9n, network: "polygon" })).toEqual({ type: "none" });
});

test.each<[unknown, unknown]>([
  [{ info: { required: true } }, { info: { required: true, id: "pay_1" } }],
  [{ info: { required: false, id: "own" } }, { info: { required: false, id: "own" } }],
  [{ info: {} }, { info: {} }],
  [{ info: null }, { info: null }],
  ["text", "text"],
])("a seller that declares payment-identifier as %j gets %j", (declared, expected) => {
  const others = { other: { info: {} } };
  const extensions = { ...others, "payment-identifier": declared };
  expect(addPaymentId(extensions, "pay_1")).toEqual({ ...others, "payment-identifier": expected });
  for (const none of [undefined, null, others]) expect(addPaymentId(none, "pay_1")).toBe(none);
});
