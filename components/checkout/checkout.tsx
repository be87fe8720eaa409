import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { formatAmount } from "@/components/ui/format";
import { Tile } from "@/components/ui/tile";
import { Time } from "@/components/ui/time";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { NetworkName } from "@/lib/x402/networks";
import { Closed } from "./closed";
import { Expiry } from "./expiry";
import { AgentWay, PhoneWay } from "./other-ways";
import type { WalletMode } from "./paying";
import { PaymentPanel } from "./payment-panel";

export type CheckoutProps = {
  view: CheckoutView;
  required: object | null;
  mode: WalletMode;
  /** Where USDC can be bought, with placeholders; null: nowhere that the operator names. */
  onrampUrl: string | null;
};

/** The offer with seller and price, and the payment panel: to its side, or on a phone in between. */
export function Checkout({ view, required, mode, onrampUrl }: CheckoutProps) {
  const sum = `${formatAmount(view.amountFormatted)} USDC`;
  const { payee, unavailableReason } = view;
  return (
    <div className="grid grid-cols-1 items-start gap-x-14 gap-y-6 min-[860px]:grid-cols-[minmax(0,1fr)_400px] min-[860px]:grid-rows-[auto_1fr]">
      <Offer view={view} sum={sum} />
      <div className="min-w-0 min-[860px]:row-span-2">
        <PaymentPanel
          view={view}
          sum={sum}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} />}
          agent={required && <AgentWay url={view.url} sum={sum} required={required} />}
          closed={unavailableReason && <Closed reason={unavailableReason} seller={payee?.name} />}
        />
      </div>
      <Terms view={view} />
    </div>
  );
}

function Offer({ view, sum }: { view: CheckoutView; sum: string }) {
  const { payee, description, network, networkLabel, usesLeft, maxUses, expiresAt, servedAt, unavailableReason } = view;
  return (
    <section aria-label="What you pay for" className="grid min-w-0 gap-5 min-[860px]:pt-2">
      {payee && <Seller name={payee.name} address={payee.address} />}
      <div className="grid gap-2">
        <h1 className="text-small font-normal text-ink-2">
          <span className="sr-only">Pay {sum}</span>
          <span aria-hidden>You pay</span>
        </h1>
        <p aria-hidden>
          <Amount value={view.amountFormatted} size="big" />
        </p>
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

function Terms({ view }: { view: CheckoutView }) {
  const { payee, expiresAt, unavailableReason } = view;
  return (
    <section aria-label="Terms" className="border-t pt-5">
      <Facts className="max-w-110">
        <Fact label="You get">{whatYouGet(view)}</Fact>
        <Fact label="Network fee">none: you only sign</Fact>
        {view.redirectHost !== null && (
          <Fact label="Then">
            back to <bdi>{view.redirectHost}</bdi>
          </Fact>
        )}
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
        {payee && (
          <Fact label="Recipient">
            <AddressTag address={payee.address} tile={false} noun="recipient address" />
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
    </section>
  );
}

/** The name is untrusted text of the agent: quoted, and rendered as text only. */
function Seller({ name, address }: { name: string; address: string }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Tile seed={address} size={40} />
      <div className="min-w-0">
        <p className="text-small text-ink-2">Seller (name not verified)</p>
        <p className="font-medium [overflow-wrap:anywhere]">
          “<bdi>{name}</bdi>”
        </p>
      </div>
    </div>
  );
}

const WHAT_IT_IS: Record<NetworkName, string> = {
  base: "USDC is a digital dollar: 1 USDC is worth 1 US dollar. Base is the network that it moves on, within seconds.",
  "base-sepolia": "This is a test: USDC on Base Sepolia, a test network, is worth nothing.",
};

const whatYouGet = ({ hasContent }: CheckoutView): ReactNode =>
  hasContent ? "the content, right after payment" : "a receipt";
