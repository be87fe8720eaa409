import { formatAmount } from "@/components/ui/format";
import type { CheckoutView } from "@/lib/links/checkout/contract";

/** What previews of a link say. Our words come first, and what the seller wrote is quoted. */
export type Share = { title: string; description: string; picture: string; amount: string; currency: "USDC" };

/** Characters of the seller's text. */
const QUOTED_MAX = 160;

export function shareOf(view: CheckoutView, baseUrl: string): Share {
  const { amountFormatted, networkLabel, payee, description, unavailableReason, linkId } = view;
  const sum = `${formatAmount(amountFormatted)} USDC`;
  const title = unavailableReason === null ? `Pay ${sum}` : "This link cannot be paid now";
  const seller = payee === null ? "" : ` Seller (name not verified): “${cut(payee.name)}”.`;
  const words = description === "" ? "" : ` The seller says: “${cut(description)}”`;
  return {
    title,
    description: `${sum} on ${networkLabel}.${seller}${words}`,
    picture: `${baseUrl}/api/payment-links/${linkId}/picture`,
    ...{ amount: amountFormatted, currency: "USDC" },
  };
}

/** One line, cut between characters. */
function cut(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= QUOTED_MAX ? characters.join("") : `${characters.slice(0, QUOTED_MAX - 1).join("")}…`;
}
