import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import { authorizationOf, type PaymentOrder, type PaymentRequest, parseOrder, payableOffers, statusOf } from "./rules";

const payee = toAddress(`0x${"22".repeat(20)}`);
const payer = toAddress(`0x${"33".repeat(20)}`);
const nonce = `0x${"44".repeat(32)}` as const;

const request: PaymentRequest = {
  scheme: "exact",
  network: "base",
  currency: "USDC",
  amount: toUsdc(5n),
  payTo: payee,
  resource: "https://api.example.com/weather?city=Bern",
  description: "",
  validityWindowSeconds: 60,
};

describe("a payment request", () => {
  test.each<[string, Partial<PaymentRequest>, string]>([
    ["another scheme", { scheme: "upto" }, "unsupported_scheme"],
    ["an unknown network", { network: "polygon" }, "unsupported_network"],
    ["another currency", { currency: "EUR" }, "currency_mismatch"],
    ["another asset", { assetAddress: payee }, "unsupported_asset"],
    ["the asset of another network", { assetAddress: NETWORKS["base-sepolia"].usdc }, "unsupported_asset"],
    ["an asset that is not an address", { assetAddress: "service-credit" }, "unsupported_asset"],
    ["another token name", { tokenName: "USDC" }, "token_mismatch"],
    ["another token version", { tokenVersion: "1" }, "token_mismatch"],
    ["a relative resource", { resource: "/paymentlink/pl_x" }, "invalid_resource"],
    ["another protocol", { resource: "ftp://api.example.com/" }, "invalid_resource"],
    ["credentials in the URL", { resource: "https://good.example@evil.example/" }, "invalid_resource"],
    [
      "a backslash, which clients read differently",
      { resource: "https://good.example\\@evil.example/" },
      "invalid_resource",
    ],
    ["a line end, which URL parsers drop", { resource: "https://api.exam\nple.com/" }, "invalid_resource"],
    ["a space before it", { resource: " https://api.example.com/" }, "invalid_resource"],
    ["a URL that is too long", { resource: `https://api.example.com/${"a".repeat(4096)}` }, "invalid_resource"],
    ["a host that is not the resource's", { host: "allowed.example" }, "host_mismatch"],
    ["a host that contains the resource's", { host: "api.example.com.evil.example" }, "host_mismatch"],
    ["a port that is not the resource's", { host: "api.example.com:8443" }, "host_mismatch"],
    [
      "no port although the resource has one",
      { resource: "https://a.example:8443/", host: "a.example" },
      "host_mismatch",
    ],
    ["an empty host", { host: "" }, "host_mismatch"],
  ])("with %s is refused", (_name, change, expected) => {
    expect(parseOrder({ ...request, ...change })).toBe(expected);
  });

  test.each<[string, Partial<PaymentRequest>, Partial<PaymentOrder>]>([
    ["names the network as CAIP-2", { network: "eip155:84532" }, { network: "base-sepolia" }],
    ["names the asset in any letter case", { assetAddress: NETWORKS.base.usdc.toLowerCase() }, { network: "base" }],
    ["names the token", { tokenName: "USD Coin", tokenVersion: "2" }, { network: "base" }],
    ["names the host in capitals", { host: "API.Example.COM" }, { host: "api.example.com", defaultPort: "443" }],
    ["names the default port", { host: "api.example.com:443" }, { host: "api.example.com" }],
    [
      "pays plain http",
      { resource: "http://localhost:3000/x", host: "localhost:3000" },
      { host: "localhost:3000", defaultPort: "80" },
    ],
    ["has a Unicode host", { resource: "https://bücher.example/" }, { host: "xn--bcher-kva.example" }],
    ["has a window of 0", { validityWindowSeconds: 0 }, { windowSeconds: 60 }],
    ["has a window of a day", { validityWindowSeconds: 86_400 }, { windowSeconds: 3_600 }],
    ["has a window of a second", { validityWindowSeconds: 1 }, { windowSeconds: 1 }],
  ])("that %s is accepted", (_name, change, expected) => {
    expect(parseOrder({ ...request, ...change })).toMatchObject(expected);
  });

  test("becomes an authorization of its amount to its payee, back-dated and short-lived", () => {
    const order = parseOrder(request) as PaymentOrder;
    expect(authorizationOf({ order, nonce, signedAt: new Date(10_000_000) }, payer)).toEqual({
      from: payer,
      to: payee,
      value: 5n,
      validAfter: 9_400n,
      validBefore: 10_060n,
      nonce,
    });
  });
});

describe("from x402 v2 offers", () => {
  const offer = {
    scheme: "exact",
    network: "eip155:8453",
    amount: "5",
    asset: NETWORKS.base.usdc,
    payTo: payee,
    maxTimeoutSeconds: 60,
    extra: { name: "USD Coin", version: "2" },
  };
  const solana = { ...offer, network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", payTo: "So1", asset: "EPj" };
  const permit2 = { ...offer, extra: { assetTransferMethod: "permit2" } };

  test("the payable ones are returned in order, and unreadable ones are skipped", () => {
    const accepts = [
      null,
      { scheme: 7 },
      solana,
      permit2,
      { ...offer, asset: payee },
      offer,
      { ...offer, amount: "4" },
    ];
    expect(payableOffers(accepts, "base")).toMatchObject([
      { index: 5, offer: { amount: "5" } },
      { index: 6, offer: { amount: "4" } },
    ]);
  });

  test.each([
    ["unsupported_scheme", [permit2, { ...offer, scheme: "upto" }, "nonsense"]],
    ["unsupported_network", [solana, { ...offer, network: "eip155:84532" }]],
    ["unsupported_asset", [{ ...offer, asset: payee }, solana]],
    [
      "token_mismatch",
      [
        { ...offer, extra: { name: "USDC" } },
        { ...offer, asset: payee },
      ],
    ],
    ["unsupported_scheme", []],
  ])("the error %s is returned if none can be paid", (code, accepts) => {
    expect(payableOffers(accepts, "base")).toBe(code);
  });
});

test.each<[Parameters<typeof statusOf>[0], string]>([
  [{ state: "open", isSubmitted: false, txHash: null }, "signed"],
  [{ state: "open", isSubmitted: true, txHash: null }, "submitted"],
  [{ state: "committed", isSubmitted: true, txHash: nonce }, "settled"],
  [{ state: "committed", isSubmitted: true, txHash: null }, "settled"],
  [{ state: "released", isSubmitted: true, txHash: nonce }, "cancelled"],
  [{ state: "released", isSubmitted: true, txHash: null }, "expired"],
  [{ state: "released", isSubmitted: false, txHash: null }, "expired"],
])("a payment with the reservation %o has the status %s", (reservation, status) => {
  expect(statusOf(reservation)).toBe(status);
});
