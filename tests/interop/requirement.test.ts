import { PaymentRequiredV1Schema, PaymentRequiredV2Schema, PaymentRequirementsV1Schema } from "@x402/core/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PaymentRequirementsSchema } from "x402/types";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import {
  paymentRequiredV1,
  paymentRequiredV2,
  type Requirement,
  requirementV1,
  requirementV2,
  unpaidError,
} from "@/lib/x402/requirement";
import { paymentRequiredV2 as ourSchemaV2 } from "@/lib/x402/schema";

const PAYEE = toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
const requirement: Requirement = {
  network: "base",
  amount: toUsdc(1_000_000n),
  payTo: PAYEE,
  resource: "https://wallet.example/unifypaymentlink/agentid/x?amount=1000000&asset=usdc",
  description: "Payment to ünïcode ⚡",
};

const requirements: fc.Arbitrary<Requirement> = fc.record({
  network: fc.constantFrom(...NETWORK_NAMES),
  amount: fc.bigInt({ min: 1n, max: 10n ** 15n }).map(toUsdc),
  payTo: fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => toAddress(`0x${Buffer.from(bytes).toString("hex")}`)),
  resource: fc.webUrl({ withQueryParameters: true }),
  description: fc.string({ unit: "grapheme" }),
});

const nullsIn = (value: unknown): number =>
  value === null
    ? 1
    : typeof value === "object"
      ? Object.values(value).reduce((sum: number, v) => sum + nullsIn(v), 0)
      : 0;

describe("a payment requirement", () => {
  test("in x402 v1 is exactly these members", () => {
    expect(requirementV1(requirement)).toEqual({
      scheme: "exact",
      network: "base",
      maxAmountRequired: "1000000",
      resource: requirement.resource,
      description: requirement.description,
      mimeType: "application/json",
      payTo: PAYEE,
      maxTimeoutSeconds: 60,
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
    });
  });

  test("in x402 v2 is exactly these members", () => {
    expect(requirementV2(requirement)).toEqual({
      scheme: "exact",
      network: "eip155:8453",
      amount: "1000000",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      payTo: PAYEE,
      maxTimeoutSeconds: 60,
      extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
    });
  });

  test("is accepted by the schemas of stock x402 v1 clients, with any valid content", () => {
    fc.assert(
      fc.property(requirements, (r) => {
        expect(PaymentRequirementsSchema.safeParse(requirementV1(r)).error).toBeUndefined();
        expect(PaymentRequirementsV1Schema.safeParse(requirementV1(r)).error).toBeUndefined();
        expect(PaymentRequiredV1Schema.safeParse(paymentRequiredV1([r], "why")).error).toBeUndefined();
      }),
    );
  });

  test("is accepted by the schemas of stock x402 v2 clients and by the service's own parser, with any valid content", () => {
    fc.assert(
      fc.property(requirements, (r) => {
        expect(PaymentRequiredV2Schema.safeParse(paymentRequiredV2([r], "why")).error).toBeUndefined();
        expect(ourSchemaV2.safeParse(paymentRequiredV2([r], "why")).error).toBeUndefined();
      }),
    );
  });

  test("never has a null member, because stock clients refuse the whole response for one", () => {
    fc.assert(
      fc.property(requirements, (r) => {
        expect(nullsIn(paymentRequiredV1([r], "why", "CODE")) + nullsIn(paymentRequiredV2([r], "why"))).toBe(0);
      }),
    );
  });

  test("is identical for each request, because v2 servers compare it with the one that the client accepted", () => {
    expect(paymentRequiredV2([requirement], "why")).toEqual(paymentRequiredV2([requirement], "why"));
  });

  test("in a 402 comes with an error code only if the 402 has a reason with a code", () => {
    expect(Object.keys(paymentRequiredV1([requirement], "why"))).toEqual(["x402Version", "error", "accepts"]);
    expect(paymentRequiredV1([requirement], "why", "PAYMENT_EXPIRED")).toMatchObject({ code: "PAYMENT_EXPIRED" });
  });
});

test("the error of an unpaid request says above which price stock clients refuse to pay", () => {
  expect(unpaidError({ amount: toUsdc(1_000_000n) })).toBe("X-PAYMENT header is required");
  expect(unpaidError({ amount: toUsdc(1_000_001n) })).toMatch(/^X-PAYMENT header is required\. .*maxAmountPerPayment/);
});
