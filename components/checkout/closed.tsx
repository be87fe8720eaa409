import { Braces, CircleSlash, Hourglass, type LucideIcon, PackageX, WalletMinimal } from "lucide-react";
import type { OfferTexts } from "@/components/texts/en/offer";
import { filled } from "@/components/texts/filled";
import { fill } from "@/components/texts/template";
import { Copy } from "@/components/ui/copy";
import { Quote } from "@/components/ui/quote";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { TRIES_MAX } from "@/lib/links/upstream/limits";

export type ClosedProps = {
  view: Pick<CheckoutView, "payee" | "disabledMessage" | "hasPendingPayment" | "paidUrl">;
  reason: NonNullable<CheckoutView["unavailableReason"]>;
  texts: OfferTexts;
};

/** The reason why the link cannot be paid now. */
export function Closed({ view, reason, texts }: ClosedProps) {
  const { payee, disabledMessage, hasPendingPayment, paidUrl } = view;
  const isForPrograms = reason === "SELLS_CALLS";
  const { Icon, title, text } = PARTS[reason];
  return (
    <div className="grid justify-items-center gap-3 px-2 py-6 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-sunk text-ink-2">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="text-[1.125rem] leading-snug">{texts[title]}</h2>
      {(reason !== "LINK_SOLD_OUT" || hasPendingPayment) && (
        <p className="max-w-[34ch] text-control text-ink-2">{texts[text]}</p>
      )}
      {reason === "LINK_DISABLED" && disabledMessage !== null && (
        <div className="w-full max-w-[34ch] text-start">
          <Quote by={texts.sellerSays}>{disabledMessage}</Quote>
        </div>
      )}
      {isForPrograms && paidUrl !== null && (
        <>
          <p className="mono w-full rounded-control bg-sunk px-3.5 py-3 text-small [overflow-wrap:anywhere]">
            {paidUrl}
          </p>
          <Copy value={paidUrl} label={texts.copyAddress} className="min-h-11" />
          <p className="max-w-[34ch] text-small text-ink-2">{fill(texts.callsPromise, { count: TRIES_MAX })}</p>
        </>
      )}
      {payee && !isForPrograms && (
        <p className="max-w-[34ch] text-control text-ink-2 [overflow-wrap:anywhere]">
          {filled(texts.closedNew, { seller: <bdi>{payee.name}</bdi> })}
        </p>
      )}
    </div>
  );
}

const PARTS = {
  LINK_DISABLED: { Icon: CircleSlash, title: "disabledTitle", text: "disabledText" },
  LINK_EXPIRED: { Icon: Hourglass, title: "expiredTitle", text: "expiredText" },
  LINK_SOLD_OUT: { Icon: PackageX, title: "soldOutTitle", text: "soldOutText" },
  SELLS_CALLS: { Icon: Braces, title: "callsTitle", text: "callsText" },
  NOBODY_TO_PAY: { Icon: WalletMinimal, title: "noPayeeTitle", text: "noPayeeText" },
} as const satisfies Record<ClosedProps["reason"], { Icon: LucideIcon; title: string; text: string }>;
