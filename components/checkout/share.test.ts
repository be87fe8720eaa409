import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { shareOf } from "./share";

const view = {
  linkId: "lnk_1",
  amountFormatted: "1250.50",
  networkLabel: "Base",
  description: "AI market\nreport",
  payee: { name: "Data seller", address: toAddress(`0x${"11".repeat(20)}`) },
  unavailableReason: null,
  calls: null,
} as unknown as CheckoutView;

const share = (change: Partial<CheckoutView> = {}) => shareOf({ ...view, ...change }, "https://wallet.test");

test("a link preview has the price, the network, and the seller's words in quotation marks on one line", () => {
  expect(share()).toEqual({
    title: "Pay 1,250.50 USDC",
    description:
      "1,250.50 USDC on Base. Seller (name not verified): “Data seller”. The seller says: “AI market report”",
    picture: "https://wallet.test/api/payment-links/lnk_1/picture",
    amount: "1250.50",
    currency: "USDC",
  });
});

test("a link preview cuts long words between characters, and has none for a link without texts or seller", () => {
  const { description } = share({ description: "👩‍🚀😀".repeat(200) });
  expect(description.length).toBeLessThan(500);
  expect(description).toMatch(/…”$/);
  expect(description).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  expect(share({ description: "", payee: null }).description).toBe("1,250.50 USDC on Base.");
});

test("a link preview begins with the link's title, then its price or that it cannot be paid", () => {
  expect(share({ title: "Lisbon in\nthree days" }).title).toBe("Lisbon in three days · 1,250.50 USDC");
  expect(share({ title: "Lisbon", unavailableReason: "LINK_SOLD_OUT" }).title).toBe(
    "Lisbon · This link cannot be paid now",
  );
});

test("a link preview of an API has the price of a request", () => {
  const paths = [
    { path: "/a", amount: "500000" },
    { path: "/b", amount: "20000" },
  ];
  const calls = {
    kind: "http" as const,
    mcpUrl: null,
    paidUrl: "",
    openApiUrl: "",
    methods: ["GET"],
    paths,
    pass: null,
  };
  expect(share({ title: "Quotes", unavailableReason: "SELLS_CALLS", calls })).toMatchObject({
    title: "Quotes · An API for programs",
    description: expect.stringMatching(/^0\.02 USDC to 0\.50 USDC a request, on Base\. /),
    amount: "0.02",
  });
});

test("a link preview says when the link cannot be paid", () => {
  expect(share({ unavailableReason: "LINK_SOLD_OUT" }).title).toBe("This link cannot be paid now");
});
