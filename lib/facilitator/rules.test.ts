import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { isAboutTime, readRequest, reasonOf } from "./rules";

const PAYER = toAddress(`0x${"11".repeat(20)}`);
const PAYEE = toAddress(`0x${"22".repeat(20)}`);
const authorization = {
  from: PAYER,
  to: PAYEE,
  value: "10000",
  validAfter: "0",
  validBefore: "2000000000",
  nonce: `0x${"33".repeat(32)}`,
};
const payload = { signature: `0x${"44".repeat(65)}`, authorization };
const v1 = { x402Version: 1, scheme: "exact", network: "base", payload };
const requirements = {
  scheme: "exact",
  network: "base",
  maxAmountRequired: "10000",
  asset: NETWORKS.base.usdc,
  payTo: PAYEE,
};
const read = (change: object = {}, paymentPayload: Record<string, unknown> = v1) =>
  readRequest({ paymentPayload, paymentRequirements: { ...requirements, ...change } });

describe("readRequest", () => {
  test("reads an x402 v1 requirement in any letter case, with either name of the network", () => {
    const change = { network: "eip155:8453", asset: requirements.asset.toLowerCase(), payTo: PAYEE.toLowerCase() };
    expect(read(change)).toMatchObject({ requirement: { network: "base", amount: 10000n, payTo: PAYEE } });
  });

  test("returns the payer of a payload that could be parsed, and null otherwise", () => {
    expect(read({ network: "solana" })).toEqual({ type: "refused", reason: "invalid_network", payer: PAYER });
    expect(read({}, { ...v1, payload: {} })).toEqual({ type: "refused", reason: "invalid_payload", payer: null });
  });

  test.each([
    ["v1 without its amount", { maxAmountRequired: undefined, amount: "10000" }],
    ["a negative amount", { maxAmountRequired: "-1" }],
    ["a leading zero", { maxAmountRequired: "010000" }],
    ["the asset of the other network", { asset: NETWORKS["base-sepolia"].usdc }],
    ["a short payTo", { payTo: "0x22" }],
  ])("refuses a requirement with %s", (_, change) => {
    expect(read(change)).toMatchObject({ reason: "invalid_payment_requirements" });
  });

  test.each([
    ["https://shop.example/a?b=c", "https://shop.example/a?b=c"],
    ["javascript:alert(1)", ""],
    ["https://shop.example/a b", ""],
    ["https://shop.example/\u202e", ""],
    [`https://shop.example/${"x".repeat(2000)}`, ""],
    [null, ""],
  ])("reads the resource %j as %j", (resource, kept) => {
    expect(read({ resource })).toMatchObject({ requirement: { resource: kept } });
  });

  test("keeps a description without its invisible characters, and drops one that is too long", () => {
    expect(read({ description: "Wea\u200bther" })).toMatchObject({ requirement: { description: "Weather" } });
    expect(read({ description: "x".repeat(501) })).toMatchObject({ requirement: { description: "" } });
  });

  test("reads the resource of x402 v2 from the payload", () => {
    const accepted = { scheme: "exact", network: "eip155:8453", asset: requirements.asset };
    const v2 = { x402Version: 2, resource: { url: "https://shop.example/a", description: "A" }, accepted, payload };
    expect(read({ amount: "10000" }, v2)).toMatchObject({
      requirement: { amount: 10000n, resource: "https://shop.example/a", description: "A" },
    });
  });
});

test("a proof that would be valid at another time is distinguished from one that never is", () => {
  expect(isAboutTime("PAYMENT_EXPIRED")).toBe(true);
  expect(isAboutTime("PAYMENT_RECIPIENT_MISMATCH")).toBe(false);
});

test.each([
  ["INSUFFICIENT_FUNDS", "insufficient_funds"],
  ["EXPIRED", "invalid_exact_evm_payload_authorization_valid_before"],
  ["ALREADY_USED", "duplicate_settlement"],
  ["CANCELED", "invalid_transaction_state"],
  [null, "invalid_transaction_state"],
])("the settlement failure %s is reported with the x402 reason %s", (code, reason) => {
  expect(reasonOf(code)).toBe(reason);
});
