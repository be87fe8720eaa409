import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { page as pageDe } from "@/components/texts/de/page";
import { payment as paymentDe } from "@/components/texts/de/payment";
import { receipt as de } from "@/components/texts/de/receipt";
import { page as pageEn } from "@/components/texts/en/page";
import { payment as paymentEn } from "@/components/texts/en/payment";
import { receipt as en } from "@/components/texts/en/receipt";
import { toUsdc, ZERO } from "@/lib/core/usdc";
import type { GivenBack, GivenBackRefund } from "@/lib/refunds/contract";
import type { SettlementView } from "@/lib/settlements/contract";
import { Receipt, type ReceiptProps } from "./receipt";

const AT = new Date("2026-11-23T08:00:00.000Z");
const PAID = toUsdc(2_000_000n);
const settlement = {
  settlementId: "stl_000000000000000000000000",
  settlementStatus: "settled",
  txHash: `0x${"11".repeat(32)}`,
  network: "base",
  payer: "0x1111111111111111111111111111111111111111",
  payee: "0x2222222222222222222222222222222222222222",
  amount: PAID,
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  purpose: "link",
  resource: "https://tessera.example/pay/lnk_000000000000000000000000",
  description: "A report",
  failureCode: null,
  stillValidUntil: null,
  blockNumber: "1",
  createdAt: AT,
  endedAt: AT,
  receiptUrl: "https://tessera.example/receipt/stl_000000000000000000000000",
} as unknown as SettlementView;
const NOTHING: GivenBack = { refunded: ZERO, refunds: [] };
const texts = {
  en: {
    texts: { language: "en", texts: en },
    bought: { language: "en", texts: paymentEn.bought },
    page: pageEn,
  },
  de: {
    texts: { language: "de", texts: de },
    bought: { language: "de", texts: paymentDe.bought },
    page: pageDe,
  },
} as const;

/** What a reader sees, without markup; `hrefs`: the links. */
function renderReceipt(given: Partial<ReceiptProps>, language: "en" | "de" = "en") {
  const props: ReceiptProps = {
    settlement,
    content: null,
    file: null,
    purchaseUrl: null,
    seller: null,
    sold: null,
    givenBack: NOTHING,
    signed: null,
    isDevnet: false,
    ...texts[language],
    ...given,
  };
  const html = renderToStaticMarkup(createElement(Receipt, props));
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  const text = html.replace(/<[^>]*>/g, "\n").replaceAll("&#x27;", "'");
  return { text: text.replace(/\n+/g, "\n").replaceAll("\u00a0", " "), hrefs };
}

describe("words on a receipt that others wrote", () => {
  const description = "Refund of 5,000 USDC by Tessera. Paid";
  const resource = "https://bank.example/refund";
  const of = (purpose: string, more: Partial<SettlementView> = {}) => ({
    settlement: { ...settlement, purpose, description, resource, ...more },
  });
  /** Label and value of each fact. */
  const facts = (given: Partial<ReceiptProps>, language: "en" | "de" = "en") => {
    const { text } = renderReceipt(given, language);
    return text.replaceAll("\n", "");
  };

  test("of the sale: the title with the quantity, and the answers of the buyer", () => {
    const sold = { image: null, taxNote: null, title: "Lisbon", quantity: 2, answers: [] };
    const answers = [{ name: "mail", label: "E-mail", value: "ann@example.com" }];
    expect(facts({ ...of("link"), sold })).toContain("What for“Lisbon × 2”The seller’s words, not verified");
    expect(facts({ ...of("link"), sold: { ...sold, title: null } })).toContain(`What for“${description} × 2”`);
    expect(facts({ ...of("link"), sold: { ...sold, answers } })).toContain("E-mailann@example.com");
  });

  test("are quoted as the payer's or seller's for a facilitator payment, in both languages", () => {
    const english = facts(of("facilitator"));
    expect(english).toContain(`What for“${description}”Words of the payer or seller, not verified`);
    expect(english).toContain(`Web address“${resource}”Words of the payer or seller, not verified`);
    const german = facts(of("facilitator"), "de");
    expect(german).toContain(`Wofür„${description}“Worte des Zahlers oder Verkäufers, nicht geprüft`);
    expect(german).toContain(`Webadresse„${resource}“Worte des Zahlers oder Verkäufers, nicht geprüft`);
  });

  test("are quoted as the seller's for a payment link, except for the service's own URL", () => {
    const text = facts(of("link", { resource: settlement.resource }));
    expect(text).toContain(`What for“${description}”The seller’s words, not verified`);
    expect(text).toContain(`Web address${settlement.resource}`);
  });

  test("are quoted as the agent's for its name, and as the payer's for the URL, on a payment to an agent", () => {
    const text = facts(of("upl"));
    expect(text).toContain(`What for“${description}”The seller’s words, not verified`);
    expect(text).toContain(`Web address“${resource}”Words of the payer or seller, not verified`);
  });

  test("are not texts of this service", () => {
    expect(facts(of("link", { description: "" }))).toContain("What forA payment link of an agent");
    expect(facts(of("facilitator", { description: "", resource: "" }))).toContain("What forA payment to a seller");
    expect(facts(of("payout", { description: "Payout", resource: "" }))).toContain("What forPayout");
    expect(facts(of("refund"))).toContain("What forA refund of a payment");
  });
});

describe("refunds on a receipt", () => {
  const refundOf = (amount: bigint, state: GivenBackRefund["state"], index: number): GivenBackRefund => ({
    amount: toUsdc(amount),
    state,
    endedAt: state === "settled" ? AT : null,
    settlementId: `stl_${String(index).repeat(24)}`,
  });

  test("are not mentioned if there are none", () => expect(renderReceipt({}).text).not.toMatch(/refund(?!s\.)/i));

  test("of a part are displayed, and the payment stays paid", () => {
    const { text, hrefs } = renderReceipt({
      givenBack: { refunded: toUsdc(500_000n), refunds: [refundOf(500_000n, "settled", 1)] },
    });
    expect(text).toContain("Refunded 0.50 of 2.00 USDC");
    expect(text).toMatch(/\nPaid\n/);
    expect(hrefs).toContain("/receipt/stl_111111111111111111111111");
  });

  test("of the full amount are displayed first, in both languages", () => {
    const refunds = [refundOf(1_500_000n, "settled", 2), refundOf(500_000n, "settled", 1)];
    const whole = { givenBack: { refunded: PAID, refunds } };
    const { text, hrefs } = renderReceipt(whole);
    expect(text).toContain("Refunded 2.00 of 2.00 USDC");
    expect(text).toMatch(/\nPaid and refunded\n/);
    expect(text).not.toMatch(/\n(?:Paid|Settled)\n/);
    for (const { settlementId } of refunds) expect(hrefs).toContain(`/receipt/${settlementId}`);
    expect(renderReceipt(whole, "de").text).toContain("2,00 von 2,00 USDC erstattet");
  });

  test("that are not settled do not count as refunded", () => {
    const { text, hrefs } = renderReceipt({
      givenBack: { refunded: ZERO, refunds: [refundOf(2_000_000n, "pending", 1), refundOf(1n, "open", 2)] },
    });
    expect(text).toMatch(/A refund of \s*2\.00 USDC\s* is under way/);
    expect(text).toMatch(/A refund of \s*0\.000001 USDC\s* was not settled, and can still be made/);
    expect(text).toMatch(/\nPaid\n/);
    expect(text).not.toContain("Refunded");
    expect(hrefs).toEqual(expect.arrayContaining([1, 2].map((index) => `/receipt/stl_${String(index).repeat(24)}`)));
  });
});
