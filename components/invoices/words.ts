import type { BadgeTone } from "@/components/ui/badge";
import { formatCount, usdcText } from "@/components/ui/format";
import { isPayable } from "@/lib/invoices/rules";
import type { InvoiceItemOut, InvoiceState } from "@/lib/invoices/views";

/** A calendar day as people write it: 31 January 2026. */
export const dayText = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

type Badge = { word: string; tone: BadgeTone };

export const STATE_WORDS = {
  open: { word: "Open", tone: "info" },
  overdue: { word: "Overdue", tone: "warn" },
  expired: { word: "Not paid in time", tone: "warn" },
  payment_under_way: { word: "Payment under way", tone: "info" },
  paid: { word: "Paid", tone: "good" },
  cancelled: { word: "Cancelled", tone: "neutral" },
} satisfies Record<InvoiceState, Badge>;

/** Whether only its agent's removal keeps it from being paid. */
export const isOrphan = ({ state, canBePaid }: Pick<InvoiceItemOut, "state" | "canBePaid">): boolean =>
  isPayable(state) && !canBePaid;

/** The state in a few words, and what was given back. */
export function badgeOf(invoice: Pick<InvoiceItemOut, "state" | "canBePaid" | "total" | "refundedAmount">): Badge {
  const { state, total, refundedAmount } = invoice;
  if (isOrphan(invoice)) return { word: "Cannot be paid", tone: "warn" };
  if (refundedAmount === 0n) return STATE_WORDS[state];
  const refunded = usdcText(refundedAmount);
  return refundedAmount >= total
    ? { word: `Refunded ${refunded}`, tone: "neutral" }
    : { word: `${STATE_WORDS[state].word}, refunded ${refunded}`, tone: STATE_WORDS[state].tone };
}

/** "Due in 5 days", "Due today", "3 days overdue". */
export function dueText({ dueInDays }: Pick<InvoiceItemOut, "dueInDays">): string {
  if (dueInDays === 0) return "Due today";
  const days = Math.abs(dueInDays);
  const count = `${formatCount(days)} ${days === 1 ? "day" : "days"}`;
  return dueInDays > 0 ? `Due in ${count}` : `${count} overdue`;
}

const refundSays = ({ refundedAmount }: Pick<InvoiceItemOut, "refundedAmount">): string =>
  refundedAmount > 0n ? ` It also shows that ${usdcText(refundedAmount)} was given back.` : "";

/** What the buyer needs to know, by the state. */
export function buyerSays(invoice: InvoiceItemOut): { title: string; says: string } {
  const due = dayText(invoice.dueDate);
  if (isOrphan(invoice))
    return {
      title: "It can no longer be paid",
      says: "The seller’s agent was removed. Ask the seller for a new invoice.",
    };
  switch (invoice.state) {
    case "open":
      return { title: dueText(invoice), says: `Please pay until the end of ${due} (UTC).` };
    case "overdue":
      return { title: dueText(invoice), says: `It was due on ${due}. It can still be paid.` };
    case "expired":
      return {
        title: "It can no longer be paid",
        says: `It was due on ${due}, and the seller takes no payment after that day. Ask the seller for a new invoice.`,
      };
    case "payment_under_way":
      return {
        title: "A payment is under way. Do not pay again",
        says: "The chain has not shown yet how it ends. This page says so as soon as it has.",
      };
    case "paid":
      return {
        title: badgeOf(invoice).word,
        says: `The chain shows the transfer of the whole amount.${refundSays(invoice)}`,
      };
    case "cancelled":
      return { title: "The seller cancelled this invoice", says: "Do not pay it. Its link takes no payment any more." };
    default:
      return invoice.state satisfies never;
  }
}
