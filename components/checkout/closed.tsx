import { CircleSlash, Hourglass, type LucideIcon, PackageX, WalletMinimal } from "lucide-react";
import type { OfferTexts } from "@/components/texts/en/offer";
import { filled } from "@/components/texts/filled";
import { Quote } from "@/components/ui/quote";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { ProfileView } from "@/lib/sellers/profile/contract";
import { ApiUse } from "./api";

export type ClosedProps = {
  profile: Pick<ProfileView, "name"> | null;
  view: Pick<CheckoutView, "payee" | "disabledMessage" | "hasPendingPayment" | "calls">;
  reason: NonNullable<CheckoutView["unavailableReason"]>;
  texts: OfferTexts;
};

/** The reason why the link cannot be paid now, or how an API is called. */
export function Closed({ view, profile, reason, texts }: ClosedProps) {
  const { payee, disabledMessage, hasPendingPayment, calls } = view;
  // As the page names the seller above.
  const sellerName = profile?.name ?? payee?.name ?? null;
  if (reason === "SELLS_CALLS") return calls && <ApiUse calls={calls} texts={texts} />;
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
      {sellerName !== null && (
        <p className="max-w-[34ch] text-control text-ink-2 [overflow-wrap:anywhere]">
          {filled(texts.closedNew, { seller: <bdi>{sellerName}</bdi> })}
        </p>
      )}
    </div>
  );
}

const PARTS = {
  LINK_DISABLED: { Icon: CircleSlash, title: "disabledTitle", text: "disabledText" },
  LINK_EXPIRED: { Icon: Hourglass, title: "expiredTitle", text: "expiredText" },
  LINK_SOLD_OUT: { Icon: PackageX, title: "soldOutTitle", text: "soldOutText" },
  NOBODY_TO_PAY: { Icon: WalletMinimal, title: "noPayeeTitle", text: "noPayeeText" },
} as const satisfies Record<
  Exclude<ClosedProps["reason"], "SELLS_CALLS">,
  { Icon: LucideIcon; title: string; text: string }
>;
