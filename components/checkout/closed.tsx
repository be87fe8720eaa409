import { CircleSlash, Hourglass, type LucideIcon, PackageX, WalletMinimal } from "lucide-react";
import { Quote } from "@/components/ui/quote";
import type { CheckoutView } from "@/lib/links/checkout/contract";

export type ClosedProps = {
  reason: NonNullable<CheckoutView["unavailableReason"]>;
  seller: string | undefined;
  message?: string | undefined;
};

/** The reason why the link cannot be paid now. */
export function Closed({ reason, seller, message }: ClosedProps) {
  const { Icon, title, text } = WORDS[reason];
  return (
    <div className="grid justify-items-center gap-3 px-2 py-6 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-sunk text-ink-2">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="text-[1.125rem] leading-snug">{title}</h2>
      <p className="max-w-[34ch] text-control text-ink-2">{text}</p>
      {reason === "LINK_DISABLED" && message !== undefined && (
        <div className="w-full max-w-[34ch] text-left">
          <Quote by="The seller says">{message}</Quote>
        </div>
      )}
      {seller !== undefined && (
        <p className="max-w-[34ch] text-control text-ink-2 [overflow-wrap:anywhere]">
          Ask <bdi>{seller}</bdi> for a new link. Nothing was charged.
        </p>
      )}
    </div>
  );
}

const WORDS: Record<ClosedProps["reason"], { Icon: LucideIcon; title: string; text: string }> = {
  LINK_DISABLED: {
    Icon: CircleSlash,
    title: "This link is disabled",
    text: "The seller does not accept payments here at the moment.",
  },
  LINK_EXPIRED: {
    Icon: Hourglass,
    title: "This link has expired",
    text: "It could be paid until the time shown here. A payment that was made in time counts.",
  },
  LINK_SOLD_OUT: {
    Icon: PackageX,
    title: "Sold out",
    text: "A place opens again if a pending payment fails.",
  },
  NOBODY_TO_PAY: {
    Icon: WalletMinimal,
    title: "The seller cannot be paid yet",
    text: "The agent behind this link has no wallet. Its owner has to link it first. Nothing was charged.",
  },
};
