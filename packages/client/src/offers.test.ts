import { describe, expect, test } from "vitest";
import { payableOffers } from "@/lib/payments/rules";
import { offersOf as offersOfService } from "@/lib/purchases/offers";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { NETWORKS as NETWORKS_OF_CLIENT, offersOf } from "./offers.ts";

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
  ["one by Permit2", withExtra({ assetTransferMethod: "permit2" }), false],
  ["one of another scheme", { ...plain, scheme: "upto" }, false],
  ["one of another token", { ...plain, asset: plain.payTo }, false],
  ["one on a network that is not ours", { ...plain, network: "eip155:137" }, false],
  ["one that is no object", "exact", false],
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

describe.each(CHOOSERS)("%s", (_, payable) => {
  test.each(OFFERS)("%s", (_offer, entry, isPayable) => {
    expect(payable([entry])).toEqual(isPayable ? [0] : []);
  });

  test("takes the first that can be paid, wherever it is", () => {
    const others = OFFERS.flatMap(([, entry, isPayable]) => (isPayable ? [] : [entry]));
    expect(payable([...others, plain])).toEqual([others.length]);
  });
});

test("the client has the networks and tokens of the service", () => {
  expect(NETWORKS_OF_CLIENT).toEqual(
    Object.fromEntries(
      NETWORK_NAMES.map((network) => {
        const { caip2, usdc, tokenName: name, tokenVersion: version } = NETWORKS[network];
        return [network, { caip2, usdc, name, version }];
      }),
    ),
  );
});
