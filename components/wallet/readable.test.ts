import { describe, expect, test } from "vitest";
import { DESCRIPTOR_FILES, descriptorOf } from "@/lib/clear-signing/descriptors";
import { typedDataOf } from "@/lib/confirmations/rules";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/usdc";
import { authorizationTypedData } from "@/lib/x402/authorization";
import { readable } from "./readable";
import type { TypedDataJson } from "./test-wallet";

const PAYER = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const PAYEE = toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
const NONCE = `0x${"11".repeat(32)}` as const;

/** In the form in which a page sends it. */
const overTheWire = (typedData: object): TypedDataJson => JSON.parse(JSON.stringify(typedData));

const find = (typedData: TypedDataJson) =>
  DESCRIPTOR_FILES.map((file) => {
    const descriptor = descriptorOf(file, "https://wallet.test");
    return descriptor && readable(descriptor, typedData);
  }).filter((readable) => readable !== null);

const PAYMENT = overTheWire(
  authorizationTypedData("base", {
    from: PAYER,
    to: PAYEE,
    value: toUsdc(12_500_000n),
    nonce: NONCE,
    validAfter: 0n,
    validBefore: 1_800_000_000n,
  }),
);

describe("the wallet's readable form of a message", () => {
  test("shows a payment with its amount, payee and times", () => {
    expect(find(PAYMENT)).toEqual([
      {
        owner: "Circle",
        intent: "Pay",
        sentence: `Pay 12.50 USDC to ${PAYEE}`,
        fields: [
          { label: "Amount", text: "12.50 USDC" },
          { label: "To", text: PAYEE },
          { label: "From", text: PAYER },
          { label: "Not before", text: "now" },
          { label: "Not after", text: "2027-01-15 08:00 UTC" },
          { label: "Number of the payment", text: NONCE },
        ],
      },
    ]);
  });

  test("keeps the address and the amount of each recipient together", () => {
    const action = {
      type: "NewPayout",
      payoutId: "pay_1",
      network: "base",
      contents: "",
      recipients: [
        { to: PAYEE, amount: toUsdc(1_000_000n) },
        { to: PAYER, amount: toUsdc(2_000_000n) },
      ],
      total: toUsdc(3_000_000n),
    } as const;
    const [match] = find(overTheWire(typedDataOf(action, PAYER, NONCE, new Date("2026-11-23T20:00:00Z"))));
    expect(match?.sentence).toBe("Pay out 3.00 USDC on Base");
    expect(match?.fields.slice(2, 6)).toEqual([
      { label: "To 1", text: PAYEE },
      { label: "Amount 1", text: "1.00 USDC" },
      { label: "To 2", text: PAYER },
      { label: "Amount 2", text: "2.00 USDC" },
    ]);
    expect(match?.fields.find(({ label }) => label === "Sign before")?.text).toBe("2026-11-23 20:10 UTC");
  });

  test.each([
    ["another token", { ...PAYMENT, domain: { ...PAYMENT.domain, verifyingContract: PAYEE } }],
    ["another chain", { ...PAYMENT, domain: { ...PAYMENT.domain, chainId: 1 } }],
    ["another message", { ...PAYMENT, primaryType: "Order", types: { Order: [{ name: "to", type: "address" }] } }],
    [
      "the same name with another member",
      {
        ...PAYMENT,
        types: { TransferWithAuthorization: [{ name: "to", type: "address" }] },
      },
    ],
  ])("is null for %s", (_, typedData) => expect(find(typedData)).toEqual([]));
});
