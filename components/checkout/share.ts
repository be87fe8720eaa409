import { fill } from "@/components/texts/template";
import { wordsOf } from "@/components/texts/words";
import { usdcOf } from "@/components/ui/format";
import { DEFAULT_LANGUAGE, type Language } from "@/lib/core/language";
import { formatUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { callPrice, priceRange, soldTexts } from "./calls";

/** The text of a link's previews and of its tab. The title is the seller's, with the price; other texts of the seller are quoted. */
export type Share = { title: string; description: string; picture: string; amount: string; currency: "USDC" };

/** The maximum length of the seller's quoted text, in characters. */
const QUOTED_MAX = 160;

export function shareOf(view: CheckoutView, baseUrl: string, language: Language = DEFAULT_LANGUAGE): Share {
  const { texts } = wordsOf(language, "offer");
  const {
    amountFormatted,
    networkLabel,
    payee,
    title: linkTitle,
    description,
    unavailableReason,
    linkId,
    calls,
  } = view;
  const sum = usdcOf(amountFormatted, language);
  const isOpen = unavailableReason === null;
  const closed = unavailableReason === "SELLS_CALLS" && calls ? soldTexts(calls, texts).title : texts.cannotBePaid;
  const title = linkTitle ? `${cut(linkTitle)} · ${isOpen ? sum : closed}` : isOpen ? fill(texts.pay, { sum }) : closed;
  const seller = payee && fill(texts.previewSeller, { seller: cut(payee.name) });
  const priceText = calls
    ? fill(soldTexts(calls, texts).preview, { price: callPrice(calls, { language, texts }), network: networkLabel })
    : fill(texts.preview, { sum, network: networkLabel });
  const quote = description !== "" && fill(texts.previewWords, { words: cut(description) });
  return {
    title,
    description: [priceText, seller, quote].filter(Boolean).join(" "),
    picture: `${baseUrl}/api/payment-links/${linkId}/picture`,
    amount: calls ? formatUsdc(priceRange(calls).least) : amountFormatted,
    currency: "USDC",
  };
}

/** The text on one line, truncated between code points. */
function cut(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= QUOTED_MAX ? characters.join("") : `${characters.slice(0, QUOTED_MAX - 1).join("")}…`;
}
