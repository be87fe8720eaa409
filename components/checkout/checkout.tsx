import type { ReactNode } from "react";
import { LinkImage } from "@/components/links/link-image";
import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { formatAmount, usdcText } from "@/components/ui/format";
import { bytesText } from "@/components/ui/format-bytes";
import { Time } from "@/components/ui/time";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { ProfileView } from "@/lib/sellers/profile/contract";
import type { NetworkName } from "@/lib/x402/networks";
import { Closed } from "./closed";
import { Expiry } from "./expiry";
import { LinkPanel } from "./link-panel";
import { AgentWay, PhoneWay } from "./other-ways";
import type { WalletMode } from "./paying";

export type CheckoutProps = {
  view: CheckoutView;
  /** What the owner of the seller shows; null while there is none. */
  profile: ProfileView | null;
  /** For programs: a URL of the link, its sum and its 402. */
  example: { url: string; amount: string } | null;
  required: object | null;
  /** What the URL says of the order. */
  prefilled: Readonly<Record<string, string>>;
  mode: WalletMode;
  /** Where USDC can be bought, with placeholders; null: nowhere that the operator names. */
  onrampUrl: string | null;
};

/** The offer with seller and price, and the payment panel: to its side, or on a phone in between. */
export function Checkout({ view, profile, example, required, prefilled, mode, onrampUrl }: CheckoutProps) {
  const sum = `${formatAmount(view.amountFormatted)} USDC`;
  const { payee, unavailableReason } = view;
  return (
    <div className="grid grid-cols-1 items-start gap-x-14 gap-y-6 min-[860px]:grid-cols-[minmax(0,1fr)_400px] min-[860px]:grid-rows-[auto_1fr]">
      <Offer view={view} profile={profile} sum={sum} />
      <div className="min-w-0 min-[860px]:row-span-2">
        <LinkPanel
          view={view}
          prefilled={prefilled}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} />}
          agent={
            example &&
            required && (
              <AgentWay
                url={example.url}
                sum={`${formatAmount(example.amount)} USDC`}
                required={required}
                hasOptions={view.options !== null}
              />
            )
          }
          closed={
            unavailableReason && (
              <Closed reason={unavailableReason} seller={payee?.name} message={view.disabledMessage ?? undefined} />
            )
          }
        />
      </div>
      <Terms view={view} support={profile?.support ?? null} className="border-t pt-5" />
    </div>
  );
}

export function Offer({ view, profile, sum }: { view: CheckoutView; profile: ProfileView | null; sum: string }) {
  const { payee, description, network, networkLabel, usesLeft, maxUses, expiresAt, servedAt, unavailableReason } = view;
  const range = view.options?.range;
  const isEach = view.options?.maxQuantity != null;
  return (
    <section aria-label="What you pay for" className="grid min-w-0 gap-5 min-[860px]:pt-2">
      {payee && <SellerCard profile={profile} agentName={payee.name} seed={payee.address} />}
      {view.image && <LinkImage image={view.image} />}
      <div className="grid gap-2">
        {view.title !== null && (
          <p dir="auto" className="text-[1.375rem] leading-snug font-medium [overflow-wrap:anywhere]">
            {view.title}
          </p>
        )}
        <h1 className="text-small font-normal text-ink-2">
          <span className="sr-only">{range ? "Pay what you choose" : `Pay ${sum}`}</span>
          <span aria-hidden>{range ? "You choose what you pay" : isEach ? "Price of one" : "You pay"}</span>
        </h1>
        {range ? (
          <p className="text-body num">
            {usdcText(toUsdc(BigInt(range.min)))} to {usdcText(toUsdc(BigInt(range.max)))}
          </p>
        ) : (
          <p aria-hidden>
            <Amount value={view.amountFormatted} size="big" />
          </p>
        )}
        <div className="mt-1 flex flex-wrap gap-2">
          <Badge tone="info">{networkLabel}</Badge>
          {usesLeft !== null && maxUses !== null && (
            <Badge tone="plain">
              <span className="num">
                {maxUses === 1 ? (usesLeft === 1 ? "Can be paid once" : "Taken") : `${usesLeft} of ${maxUses} left`}
              </span>
            </Badge>
          )}
          {expiresAt !== null && unavailableReason !== "LINK_EXPIRED" && (
            <Expiry expiresAt={expiresAt} servedAt={servedAt} />
          )}
        </div>
      </div>
      <p className="max-w-[52ch] text-small text-ink-2">{WHAT_IT_IS[network]}</p>
      {description !== "" && (
        <figure className="border-l-3 border-line-2 py-0.5 pl-3.5">
          <figcaption className="text-tiny text-ink-3">The seller says</figcaption>
          <blockquote dir="auto" className="text-body whitespace-pre-wrap [overflow-wrap:anywhere]">
            {description}
          </blockquote>
        </figure>
      )}
    </section>
  );
}

type TermsProps = { view: CheckoutView; support: string | null; className?: string };

export function Terms({ view, support, className }: TermsProps) {
  const { payee, expiresAt, unavailableReason } = view;
  return (
    <section aria-label="Terms" className={className}>
      <Facts className="max-w-110">
        <Fact label="You get">{whatYouGet(view)}</Fact>
        <Fact label="Network fee">none: you only sign</Fact>
        {view.redirectHost !== null && (
          <Fact label="Then">
            back to <bdi>{view.redirectHost}</bdi>
          </Fact>
        )}
        {view.options === null && (
          <Fact label="Amount">
            <span className="inline-flex items-center gap-2">
              <span className="num">{formatAmount(view.amountFormatted)} USDC</span>
              <Copy
                value={view.amountFormatted}
                label="Copy amount"
                iconOnly
                className="-mr-1.5 -ml-1 max-sm:-my-3 max-sm:-mr-3.5"
              />
            </span>
          </Fact>
        )}
        {payee && (
          <Fact label="Recipient">
            <AddressTag address={payee.address} tile={false} noun="recipient address" />
          </Fact>
        )}
        {support !== null && (
          <Fact label="Questions to the seller">
            <SupportContact contact={support} />
          </Fact>
        )}
        {expiresAt !== null && (
          <Fact label={unavailableReason === "LINK_EXPIRED" ? "Expired" : "Can be paid until"}>
            <Time at={expiresAt} form="short" show="absolute" />
          </Fact>
        )}
      </Facts>
      {payee && unavailableReason === null && (
        <p className="mt-4 max-w-110 text-small text-ink-2">
          Pay with the button, not with a transfer: USDC that is sent to this address by hand reaches the seller, but it
          buys nothing here. Nobody can match it to you.
        </p>
      )}
      {view.cancelUrl !== null && (
        <p className="mt-4">
          <a
            href={view.cancelUrl}
            rel="noreferrer"
            className="text-control underline underline-offset-4 max-sm:py-3.25"
          >
            Cancel and go back to <bdi>{new URL(view.cancelUrl).host}</bdi>
          </a>
        </p>
      )}
    </section>
  );
}

const WHAT_IT_IS: Record<NetworkName, string> = {
  base: "USDC is a digital dollar: 1 USDC is worth 1 US dollar. Base is the network that it moves on, within seconds.",
  "base-sepolia": "This is a test: USDC on Base Sepolia, a test network, is worth nothing.",
};

function whatYouGet({ hasContent, file }: CheckoutView): ReactNode {
  if (!file) return hasContent ? "the content, right after payment" : "a receipt";
  return (
    <>
      {hasContent && "the content, and "}
      <bdi className="[overflow-wrap:anywhere]">{file.name}</bdi> ({bytesText(file.bytes)}), right after payment
    </>
  );
}
