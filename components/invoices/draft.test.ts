import { describe, expect, test } from "vitest";
import { fieldOf, type InvoiceDraft, newLine, previewOf, readDraft } from "./draft";

const draft = (change: Partial<InvoiceDraft> = {}): InvoiceDraft => ({
  agentId: "agent",
  network: "base",
  buyerName: " Example Ltd ",
  buyerEmail: "",
  buyerAddress: "",
  number: "",
  issueDate: "2026-11-01",
  dueDate: "2026-11-30",
  isPayableAfterDue: true,
  lines: [{ key: 0, description: "Consulting", quantity: "2.5", unitPrice: "80" }],
  taxKind: "none",
  taxLabel: "VAT",
  taxValue: "",
  note: "",
  sellerDetails: "",
  ...change,
});
const faults = (change: Partial<InvoiceDraft>) => {
  const read = readDraft(draft(change));
  return read.type === "invalid" ? read.faults : {};
};
const line = (change: object) => ({ ...newLine(0), description: "x", unitPrice: "1", ...change });

describe("the form of an invoice", () => {
  test("sends the typed texts, without surrounding blanks and empty texts", () => {
    expect(readDraft(draft({ taxKind: "percent", taxValue: "8.1" }))).toEqual({
      type: "valid",
      body: {
        network: "base",
        buyer: { name: "Example Ltd", email: null, address: null },
        number: null,
        issueDate: "2026-11-01",
        dueDate: "2026-11-30",
        isPayableAfterDue: true,
        lines: [{ description: "Consulting", quantity: "2.5", unitAmount: "80000000" }],
        tax: { label: "VAT", percent: "8.1" },
        note: null,
        sellerDetails: null,
      },
    });
    expect(readDraft(draft({ taxKind: "amount", taxValue: "0" }))).toMatchObject({
      body: { tax: { label: "VAT", amount: "0" } },
    });
  });

  test.each([
    ["buyerName", { buyerName: "  " }],
    ["buyerName", { buyerName: "x".repeat(101) }],
    ["number", { number: "A 1" }],
    ["dueDate", { dueDate: "2026-10-31" }],
    ["dueDate", { dueDate: "" }],
    ["taxValue", { taxKind: "percent", taxValue: "101" }],
    ["taxValue", { taxKind: "amount", taxValue: "" }],
    ["taxLabel", { taxKind: "percent", taxValue: "1", taxLabel: " " }],
    ["lines.0.description", { lines: [line({ description: "" })] }],
    ["lines.1.quantity", { lines: [line({}), line({ quantity: "0" })] }],
    ["lines.0.unitPrice", { lines: [line({ unitPrice: "1,5" })] }],
    ["lines.0.quantity", { lines: [line({ quantity: "0.5", unitPrice: "0.000001" })] }],
    [
      "form",
      { lines: [line({ quantity: "999999999", unitPrice: "9".repeat(60) }), line({ unitPrice: "9".repeat(60) })] },
    ],
  ] as const)("reports %s as invalid", (field, change) => {
    const found = faults(change as Partial<InvoiceDraft>);
    if (field !== "form") expect(Object.keys(found)).toEqual([field]);
  });

  test("sums the complete lines", () => {
    const lines = [line({}), line({ quantity: "x" }), line({ unitPrice: "2.5", quantity: "2" })];
    expect(previewOf(draft({ lines }))).toMatchObject({ total: 6_000_000n });
    expect(previewOf(draft({ lines: [] }))).toBeNull();
  });

  test.each([
    ["lines.3.unitAmount", "lines.3.unitPrice"],
    ["lines.3.quantity", "lines.3.quantity"],
    ["lines", "form"],
    ["buyer.name", "buyerName"],
    ["tax", "taxValue"],
    ["number", "number"],
    ["__proto__", "form"],
  ])("shows an error of the API at %s in the field %s", (member, field) => {
    expect(fieldOf(member)).toBe(field);
  });
});
