import type { ReactNode } from "react";
import { LinkImage } from "@/components/links/link-image";
import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import type { OfferTexts } from "@/components/texts/en/offer";
import { filled } from "@/components/texts/filled";
import { fill, type Words } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcOf, usdcText } from "@/components/ui/format";
import { bytesText } from "@/components/ui/format-bytes";
import { Time } from "@/components/ui/time";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { ProfileView } from "@/lib/sellers/profile/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { Closed } from "./closed";
import { Expiry } from "./expiry";
import { LinkPanel } from "./link-panel";
import { AgentWay, PhoneWay } from "./other-ways";
import type { WalletMode } from "./paying";

export type CheckoutProps = {
  view: CheckoutView;
  /** The seller's public profile; null if the agent has no owner. */
  profile: ProfileView | null;
  /** For programs: a URL of the link, and its sum. `required` is the URL's 402 response. */
  example: { url: string; amount: string } | null;
  required: object | null;
  /** Order values from the URL's query. */
  prefilled: Readonly<Record<string, string>>;
  mode: WalletMode;
  /** The operator's URL template for buying USDC; null if none is configured. */
  onrampUrl: string | null;
  texts: Words<OfferTexts>;
};

/** The offer and the payment panel. On wide screens the panel is at the side; on phones it is within the offer, below the price. */
export function Checkout({
  view,
  profile,
  example,
  required,
  prefilled,
  mode,
  onrampUrl,
  texts: translation,
}: CheckoutProps) {
  const { unavailableReason } = view;
  return (
    <div className="grid grid-cols-1 items-start gap-x-14 gap-y-6 min-[860px]:grid-cols-[minmax(0,1fr)_400px] min-[860px]:grid-rows-[auto_1fr]">
      <Offer view={view} profile={profile} texts={translation} />
      <div className="min-w-0 min-[860px]:row-span-2">
        <LinkPanel
          view={view}
          prefilled={prefilled}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} texts={translation.texts} />}
          agent={
            example &&
            required && (
              <AgentWay
                url={example.url}
                sum={usdcOf(example.amount)}
                required={required}
                hasOptions={view.options !== null}
                texts={translation.texts}
              />
            )
          }
          closed={unavailableReason && <Closed view={view} reason={unavailableReason} texts={translation.texts} />}
        />
      </div>
      <Terms view={view} support={profile?.support ?? null} texts={translation} className="border-t pt-5" />
    </div>
  );
}

type OfferProps = Pick<CheckoutProps, "view" | "profile" | "texts">;

export function Offer({ view, profile, texts: translation }: OfferProps) {
  const { language, texts } = translation;
  const { payee, description, network, networkLabel, usesLeft, maxUses, expiresAt, servedAt, unavailableReason } = view;
  const range = view.options?.range;
  const isEach = view.options?.maxQuantity != null;
  return (
    <section aria-label={texts.whatFor} className="grid min-w-0 gap-5 min-[860px]:pt-2">
      {payee && <SellerCard profile={profile} agentName={payee.name} seed={payee.address} texts={texts} />}
      {view.image && <LinkImage image={view.image} words={texts.imageOfOffer} />}
      <div className="grid gap-2">
        {view.title !== null && (
          <p dir="auto" className="text-[1.375rem] leading-snug font-medium [overflow-wrap:anywhere]">
            {view.title}
          </p>
        )}
        <h1 className="text-small font-normal text-ink-2">
          <span className="sr-only">
            {range ? texts.youChoose : fill(texts.pay, { sum: usdcOf(view.amountFormatted, language) })}
          </span>
          <span aria-hidden>{range ? texts.youChooseShown : isEach ? texts.priceOfOne : texts.youPay}</span>
        </h1>
        {range ? (
          <p className="text-body num">
            {fill(texts.range, {
              min: usdcText(toUsdc(BigInt(range.min)), language),
              max: usdcText(toUsdc(BigInt(range.max)), language),
            })}
          </p>
        ) : (
          <p aria-hidden>
            <Amount value={view.amountFormatted} size="big" language={language} />
          </p>
        )}
        <div className="mt-1 flex flex-wrap gap-2">
          <Badge tone="info">{networkLabel}</Badge>
          {usesLeft !== null && maxUses !== null && (
            <Badge tone="plain">
              <span className="num">
                {maxUses === 1
                  ? texts[usesLeft === 1 ? "once" : "taken"]
                  : fill(texts.left, { left: usesLeft, total: maxUses })}
              </span>
            </Badge>
          )}
          {expiresAt !== null && unavailableReason !== "LINK_EXPIRED" && (
            <Expiry expiresAt={expiresAt} servedAt={servedAt} texts={texts.expiry} />
          )}
        </div>
      </div>
      <p className="max-w-[52ch] text-small text-ink-2">
        {NETWORKS[network].isTestnet ? texts.usdcOnTestnet : texts.usdcOnBase}
      </p>
      {description !== "" && (
        <figure className="border-s-3 border-line-2 py-0.5 ps-3.5">
          <figcaption className="text-tiny text-ink-3">{texts.sellerSays}</figcaption>
          <blockquote dir="auto" className="text-body whitespace-pre-wrap [overflow-wrap:anywhere]">
            {description}
          </blockquote>
        </figure>
      )}
    </section>
  );
}

type TermsProps = { view: CheckoutView; support: string | null; texts: Words<OfferTexts>; className?: string };

export function Terms({ view, support, texts: translation, className }: TermsProps) {
  const { language, texts } = translation;
  const { payee, expiresAt, unavailableReason } = view;
  return (
    <section aria-label={texts.terms} className={className}>
      <Facts className="max-w-110">
        <Fact label={texts.youGet}>{whatYouGet(view, translation)}</Fact>
        <Fact label={texts.networkFee}>{texts.noFee}</Fact>
        {view.redirectHost !== null && (
          <Fact label={texts.afterwards}>{filled(texts.backTo, { site: <bdi>{view.redirectHost}</bdi> })}</Fact>
        )}
        {view.options === null && (
          <Fact label={texts.amount}>
            <span className="inline-flex items-center gap-2">
              <span className="num">{usdcOf(view.amountFormatted, language)}</span>
              <Copy
                value={view.amountFormatted}
                label={texts.copyAmount}
                iconOnly
                className="-me-1.5 -ms-1 max-sm:-my-3 max-sm:-me-3.5"
              />
            </span>
          </Fact>
        )}
        {payee && (
          <Fact label={texts.recipient}>
            <AddressTag address={payee.address} tile={false} copyLabel={texts.copyRecipient} />
          </Fact>
        )}
        {support !== null && (
          <Fact label={texts.questions}>
            <SupportContact contact={support} />
          </Fact>
        )}
        {expiresAt !== null && (
          <Fact label={unavailableReason === "LINK_EXPIRED" ? texts.expiry.expired : texts.payableUntil}>
            <Time at={expiresAt} form="short" show="absolute" />
          </Fact>
        )}
      </Facts>
      {payee && unavailableReason === null && (
        <p className="mt-4 max-w-110 text-small text-ink-2">{texts.notByTransfer}</p>
      )}
      {view.cancelUrl !== null && (
        <p className="mt-4">
          <a
            href={view.cancelUrl}
            rel="noreferrer"
            className="text-control underline underline-offset-4 max-sm:py-3.25"
          >
            {filled(texts.cancel, { site: <bdi>{new URL(view.cancelUrl).host}</bdi> })}
          </a>
        </p>
      )}
    </section>
  );
}

function whatYouGet({ hasContent, file }: CheckoutView, { language, texts }: Words<OfferTexts>): ReactNode {
  if (!file) return hasContent ? texts.getContent : texts.getReceipt;
  return filled(hasContent ? texts.getBoth : texts.getFile, {
    file: <bdi className="[overflow-wrap:anywhere]">{file.name}</bdi>,
    size: bytesText(file.bytes, language),
  });
}
