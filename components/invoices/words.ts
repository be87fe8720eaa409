import { invoice as english, type InvoiceTexts } from "@/components/texts/en/invoice";
import { fill, fillCount, type Words } from "@/components/texts/template";
import type { BadgeTone } from "@/components/ui/badge";
import { usdcText } from "@/components/ui/format";
import { formatDay } from "@/components/ui/format-time";
import { DEFAULT_LANGUAGE, type Language } from "@/lib/core/language";
import { isPayable } from "@/lib/invoices/rules";
import type { InvoiceItemOut, InvoiceState } from "@/lib/invoices/views";

export type InvoiceWords = Words<InvoiceTexts>;

/** The dashboard's texts, which are always in English. */
export const ENGLISH: InvoiceWords = { language: DEFAULT_LANGUAGE, texts: english };

/** A calendar day as people write it: 31 January 2026. */
export const dayText = (day: string, language: Language = DEFAULT_LANGUAGE): string =>
  formatDay(new Date(`${day}T00:00:00Z`), { language, timeZone: "UTC" });

type Badge = { label: string; tone: BadgeTone };

const TONES = {
  open: "info",
  overdue: "warn",
  expired: "warn",
  payment_under_way: "info",
  paid: "good",
  cancelled: "neutral",
} as const satisfies Record<InvoiceState, BadgeTone>;

const stateBadge = (state: InvoiceState, { texts }: InvoiceWords): Badge => ({
  label: texts.states[state],
  tone: TONES[state],
});

/** The dashboard's words for each state. */
export const STATE_WORDS = {
  open: stateBadge("open", ENGLISH),
  overdue: stateBadge("overdue", ENGLISH),
  expired: stateBadge("expired", ENGLISH),
  payment_under_way: stateBadge("payment_under_way", ENGLISH),
  paid: stateBadge("paid", ENGLISH),
  cancelled: stateBadge("cancelled", ENGLISH),
} satisfies Record<InvoiceState, Badge>;

/** True if the invoice cannot be paid only because its agent was removed. */
export const isOrphan = ({ state, canBePaid }: Pick<InvoiceItemOut, "state" | "canBePaid">): boolean =>
  isPayable(state) && !canBePaid;

type Badged = Pick<InvoiceItemOut, "state" | "canBePaid" | "total" | "refundedAmount">;

/** The label of the state, including refunds. */
export function badgeOf(invoice: Badged, translation: InvoiceWords = ENGLISH): Badge {
  const { state, total, refundedAmount } = invoice;
  const { language, texts } = translation;
  if (isOrphan(invoice)) return { label: texts.cannotBePaid, tone: "warn" };
  const badge = stateBadge(state, translation);
  if (refundedAmount === 0n) return badge;
  const sum = usdcText(refundedAmount, language);
  return refundedAmount >= total
    ? { label: fill(texts.refunded, { sum }), tone: "neutral" }
    : { ...badge, label: fill(texts.partlyRefunded, { state: badge.label, sum }) };
}

/** "Due in 5 days", "Due today", "3 days overdue". */
export function dueText({ dueInDays }: Pick<InvoiceItemOut, "dueInDays">, translation: InvoiceWords = ENGLISH): string {
  const { language, texts } = translation;
  if (dueInDays === 0) return texts.dueToday;
  return fillCount(language, dueInDays > 0 ? texts.dueIn : texts.overdueBy, Math.abs(dueInDays), {});
}

/** What the buyer sees, by state. */
export function buyerSays(invoice: InvoiceItemOut, translation: InvoiceWords): { title: string; says: string } {
  const { language, texts } = translation;
  const day = dayText(invoice.dueDate, language);
  if (isOrphan(invoice)) return { title: texts.noLonger, says: texts.orphanText };
  switch (invoice.state) {
    case "open":
      return { title: dueText(invoice, translation), says: fill(texts.openText, { day }) };
    case "overdue":
      return { title: dueText(invoice, translation), says: fill(texts.overdueText, { day }) };
    case "expired":
      return { title: texts.noLonger, says: fill(texts.expiredText, { day }) };
    case "payment_under_way":
      return { title: texts.underWayTitle, says: texts.underWayText };
    case "paid": {
      const { refundedAmount } = invoice;
      const sum = usdcText(refundedAmount, language);
      const says = refundedAmount > 0n ? fill(texts.paidRefundedText, { sum }) : texts.paidText;
      return { title: badgeOf(invoice, translation).label, says };
    }
    case "cancelled":
      return { title: texts.cancelledTitle, says: texts.cancelledText };
    default:
      return invoice.state satisfies never;
  }
}
