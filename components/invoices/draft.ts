import { usdcFault } from "@/components/ui/usdc-fault";
import { EMAIL_MAX, NAME_MAX } from "@/lib/core/lengths";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { ADDRESS_MAX, LINE_MAX, NOTE_MAX, NUMBER, TAX_LABEL_MAX } from "@/lib/invoices/limits";
import { type InvoiceLine, type InvoiceTotals, isPercent, isQuantity, type Tax, totalsOf } from "@/lib/invoices/rules";
import type { InvoiceOut } from "@/lib/invoices/views";
import type { NetworkName } from "@/lib/x402/networks";

/** An invoice line as typed. `key` identifies the line within the form. */
export type LineDraft = { key: number; description: string; quantity: string; unitPrice: string };
export type TaxKind = "none" | "percent" | "amount";

/** The form as typed. Prices are in whole USDC: "12.50". Dates are ISO days: "2026-01-31". */
export type InvoiceDraft = {
  agentId: string;
  network: NetworkName;
  buyerName: string;
  buyerEmail: string;
  buyerAddress: string;
  number: string;
  issueDate: string;
  dueDate: string;
  isPayableAfterDue: boolean;
  lines: readonly LineDraft[];
  taxKind: TaxKind;
  taxLabel: string;
  taxValue: string;
  note: string;
  sellerDetails: string;
};

/** Errors by field: a member of the draft, a path such as `lines.0.quantity`, or `form`. */
export type Faults = Readonly<Record<string, string>>;

export const newLine = (key: number): LineDraft => ({ key, description: "", quantity: "1", unitPrice: "" });

/** The form for another invoice like this one: without its number and its dates. */
export const copyOf = (invoice: InvoiceOut): Partial<InvoiceDraft> => ({
  network: invoice.network,
  buyerName: invoice.buyer.name,
  buyerEmail: invoice.buyer.email ?? "",
  buyerAddress: invoice.buyer.address ?? "",
  isPayableAfterDue: invoice.isPayableAfterDue,
  lines: invoice.lines.map(({ description, quantity, unitAmount }, key) => ({
    key,
    description,
    quantity,
    unitPrice: formatUsdc(unitAmount),
  })),
  ...(invoice.tax && {
    taxKind: invoice.tax.percent === null ? "amount" : "percent",
    taxLabel: invoice.tax.label,
    taxValue: invoice.tax.percent ?? formatUsdc(invoice.tax.amount),
  }),
  note: invoice.note ?? "",
  sellerDetails: invoice.sellerDetails ?? "",
});

export type InvoiceBody = {
  network: NetworkName;
  buyer: { name: string; email: string | null; address: string | null };
  number: string | null;
  issueDate: string;
  dueDate: string;
  isPayableAfterDue: boolean;
  lines: { description: string; quantity: string; unitAmount: string }[];
  tax: { label: string; percent: string } | { label: string; amount: string } | null;
  note: string | null;
  sellerDetails: string | null;
};

/** Validates the draft. The server validates again. */
export function readDraft(
  draft: InvoiceDraft,
): { type: "valid"; body: InvoiceBody } | { type: "invalid"; faults: Faults } {
  const lines = draft.lines.map(readLine);
  const tax = readTax(draft);
  const faults: Record<string, string> = {
    ...(draft.agentId === "" && { agentId: "Choose the agent that is paid." }),
    ...text("buyerName", draft.buyerName, NAME_MAX, "Enter the buyer’s name."),
    ...text("buyerEmail", draft.buyerEmail, EMAIL_MAX),
    ...text("buyerAddress", draft.buyerAddress, ADDRESS_MAX),
    ...text("note", draft.note, NOTE_MAX),
    ...text("sellerDetails", draft.sellerDetails, ADDRESS_MAX),
    ...(draft.number.trim() !== "" &&
      !NUMBER.test(draft.number.trim()) && { number: "Use up to 40 letters, digits and . / _ -, without spaces." }),
    ...(draft.issueDate === "" && { issueDate: "Choose a day." }),
    ...(draft.dueDate === "" && { dueDate: "Choose a day." }),
    ...(draft.dueDate !== "" && draft.dueDate < draft.issueDate && { dueDate: "Choose a day after the issue date." }),
    ...(typeof tax === "string" && { taxValue: tax }),
    ...(draft.taxKind !== "none" && text("taxLabel", draft.taxLabel, TAX_LABEL_MAX, "Name the tax, for example, VAT.")),
  };
  draft.lines.forEach((line, index) => {
    Object.assign(faults, text(`lines.${index}.description`, line.description, LINE_MAX, "Say what this is."));
    if (!isQuantity(line.quantity.trim())) faults[`lines.${index}.quantity`] = "Enter a number, for example, 1 or 2.5.";
    if (parseUsdc(line.unitPrice) === null) faults[`lines.${index}.unitPrice`] = usdcFault(line.unitPrice);
  });
  const priced = lines.every((line) => line !== null) ? lines : null;
  if (priced && typeof tax !== "string") {
    const sums = totalsOf(priced, tax);
    if (sums.type === "unpayable")
      Object.assign(
        faults,
        sums.line === null ? { form: "The total is zero or too large." } : { [`lines.${sums.line}.quantity`]: INEXACT },
      );
  }
  if (Object.keys(faults).length > 0 || !priced || typeof tax === "string") return { type: "invalid", faults };
  return {
    type: "valid",
    body: {
      network: draft.network,
      buyer: {
        name: draft.buyerName.trim(),
        email: filled(draft.buyerEmail),
        address: filled(draft.buyerAddress),
      },
      number: filled(draft.number),
      issueDate: draft.issueDate,
      dueDate: draft.dueDate,
      isPayableAfterDue: draft.isPayableAfterDue,
      lines: priced.map(({ unitAmount, ...line }) => ({ ...line, unitAmount: unitAmount.toString() })),
      tax: tax && (tax.percent === undefined ? { ...tax, amount: tax.amount.toString() } : tax),
      note: filled(draft.note),
      sellerDetails: filled(draft.sellerDetails),
    },
  };
}

/** The totals of the typed lines. Incomplete lines are left out. */
export function previewOf(draft: InvoiceDraft): InvoiceTotals | null {
  const lines = draft.lines.map(readLine).filter((line) => line !== null);
  const tax = readTax(draft);
  const sums = totalsOf(lines, typeof tax === "string" ? null : tax);
  return sums.type === "payable" ? sums : null;
}

const INEXACT = "Quantity times price must not be finer than 0.000001 USDC.";

function readLine({ description, quantity, unitPrice }: LineDraft): InvoiceLine | null {
  const unitAmount = parseUsdc(unitPrice);
  const count = quantity.trim();
  return unitAmount !== null && isQuantity(count)
    ? { description: description.trim(), quantity: count, unitAmount }
    : null;
}

/** Returns a sentence if the tax is invalid. */
function readTax({ taxKind, taxLabel, taxValue }: InvoiceDraft): Tax | null | string {
  if (taxKind === "none") return null;
  const [label, value] = [taxLabel.trim(), taxValue.trim()];
  if (taxKind === "percent")
    return isPercent(value) ? { label, percent: value } : "Enter a percentage, for example, 8.1.";
  const amount = /^0(?:\.0{1,6})?$/.test(value) ? toUsdc(0n) : parseUsdc(value);
  return amount === null ? usdcFault(value) : { label, amount };
}

const filled = (typed: string): string | null => (typed.trim() === "" ? null : typed.trim());

/** An error if the text is too long, or if it is empty and `missing` is given. */
function text(field: string, typed: string, max: number, missing?: string): Faults {
  const length = [...typed.trim()].length;
  if (length === 0) return missing === undefined ? {} : { [field]: missing };
  if (length <= max) return {};
  const excessLength = length - max;
  return { [field]: `Shorten it by ${excessLength} ${excessLength === 1 ? "character" : "characters"}.` };
}

/** The field of the form that a member of the API's body belongs to. */
export function fieldOf(member: string): string {
  if (/^lines\.\d+\.unitAmount$/.test(member)) return member.replace("unitAmount", "unitPrice");
  return MEMBERS.get(member) ?? (/^lines\.\d+\.\w+$/.test(member) || NAMES.has(member) ? member : "form");
}

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["buyer.name", "buyerName"],
  ["buyer.email", "buyerEmail"],
  ["buyer.address", "buyerAddress"],
  ["tax", "taxValue"],
  ["tax.label", "taxLabel"],
  ["tax.percent", "taxValue"],
  ["tax.amount", "taxValue"],
]);
const NAMES = new Set(["agentId", "number", "issueDate", "dueDate", "note", "sellerDetails"]);
