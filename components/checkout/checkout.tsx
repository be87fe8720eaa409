import type { ReactNode } from "react";
import { LinkImage } from "@/components/links/link-image";
import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import type { OfferTexts } from "@/components/texts/en/offer";
import { filled } from "@/components/texts/filled";
import { fill, type Words } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcOf, usdcText } from "@/components/ui/format";
import { bytesText } from "@/components/ui/format-bytes";
import { Time } from "@/components/ui/time";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { ProfileView } from "@/lib/sellers/profile/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { ApiPaths } from "./api";
import { callPrice, soldTexts } from "./calls";
import { Closed } from "./closed";
import { Expiry } from "./expiry";
import { LinkPanel } from "./link-panel";
import { AgentWay, PhoneWay, WithoutScripts } from "./other-ways";
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
  const { language, texts } = translation;
  const isPayable = unavailableReason === null;
  return (
    <div className="group/checkout flex flex-col gap-6 min-[860px]:grid min-[860px]:grid-cols-[minmax(0,1fr)_400px] min-[860px]:grid-rows-[auto_1fr] min-[860px]:items-start min-[860px]:gap-x-14">
      <Offer view={view} profile={profile} texts={translation} />
      {isPayable && (
        // Floats while the panel is below the screen, and then rests under its upper edge. Keyboards and screen readers reach the panel.
        <div
          aria-hidden
          className="sticky bottom-4 mx-3 mt-3 -mb-20 min-[860px]:hidden group-has-[[data-payment]:not([data-payment=idle])]/checkout:hidden"
        >
          <a
            href={`#${PANEL_ID}`}
            tabIndex={-1}
            className={cx(buttonClass({ variant: "primary", wide: true }), "shadow-lift")}
          >
            {view.options?.range ? texts.youChoose : fill(texts.pay, { sum: usdcOf(view.amountFormatted, language) })}
          </a>
        </div>
      )}
      <div id={PANEL_ID} className="relative z-1 min-w-0 scroll-mt-4 min-[860px]:row-span-2">
        {isPayable && <WithoutScripts url={view.url} payUrl={example?.url} texts={texts} />}
        <LinkPanel
          view={view}
          prefilled={prefilled}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} texts={texts} />}
          agent={
            example &&
            required && (
              <AgentWay
                url={example.url}
                sum={usdcOf(example.amount)}
                required={required}
                hasOptions={view.options !== null}
                texts={texts}
              />
            )
          }
          closed={
            unavailableReason && <Closed view={view} profile={profile} reason={unavailableReason} texts={texts} />
          }
        />
      </div>
      <Terms
        view={view}
        support={profile?.support ?? null}
        texts={translation}
        // What is sold ends with a line.
        className={cx("border-t pt-5", view.calls && "min-[860px]:border-t-0 min-[860px]:pt-0")}
      />
    </div>
  );
}

const PANEL_ID = "payment";

type OfferProps = Pick<CheckoutProps, "view" | "profile" | "texts">;

/** A link that cannot be paid has no price, except for a buyer who has just paid it. */
export function Offer({ view, profile, texts: translation }: OfferProps) {
  const { texts } = translation;
  const { payee, description, network, networkLabel, usesLeft, maxUses, expiresAt, servedAt, unavailableReason } = view;
  const isPayable = unavailableReason === null;
  const isApi = unavailableReason === "SELLS_CALLS";
  return (
    <section aria-label={texts.whatFor} className="grid min-w-0 gap-5 min-[860px]:pt-2">
      {payee && <SellerCard profile={profile} agentName={payee.name} seed={payee.address} texts={texts} />}
      {view.image && (
        <LinkImage
          image={view.image}
          words={texts.imageOfOffer}
          className="max-[859px]:aspect-auto max-[859px]:h-64 max-sm:h-36"
        />
      )}
      <div className="grid gap-2">
        {view.title !== null && (
          <p
            dir="auto"
            className={cx(
              "text-[1.375rem] leading-snug font-medium [overflow-wrap:anywhere]",
              view.title.length > SHORT.title && "max-sm:text-[1.125rem]",
            )}
          >
            {view.title}
          </p>
        )}
        {isApi && view.calls ? (
          <ApiPrice price={callPrice(view.calls, translation)} label={soldTexts(view.calls, texts).price} />
        ) : (
          <Price view={view} texts={translation} />
        )}
        {(isPayable || isApi) && (
          <div className="mt-1 flex flex-wrap gap-2">
            <Badge tone="info">{networkLabel}</Badge>
            {usesLeft !== null && maxUses !== null && (
              <Badge tone="plain">
                <span className="num">
                  {maxUses === 1 ? texts.once : fill(texts.left, { left: usesLeft, total: maxUses })}
                </span>
              </Badge>
            )}
            {expiresAt !== null && (
              <span className="paid:hidden">
                <Expiry expiresAt={expiresAt} servedAt={servedAt} texts={texts.expiry} />
              </span>
            )}
          </div>
        )}
      </div>
      {(isPayable || isApi) && NETWORKS[network].isTestnet && (
        <p className="max-w-[52ch] text-small text-ink-2">{texts.usdcOnTestnet}</p>
      )}
      {description !== "" && <Description text={description} texts={texts} />}
      {isApi && view.calls && <ApiPaths calls={view.calls} texts={translation} />}
    </section>
  );
}

const ApiPrice = ({ price, label }: { price: string; label: string }) => (
  <>
    <h1 className="text-small font-normal text-ink-2">{label}</h1>
    <p className="num text-[1.75rem] leading-tight">{price}</p>
  </>
);

function Price({ view, texts: { language, texts } }: Pick<OfferProps, "view" | "texts">) {
  const { amountFormatted, options, unavailableReason } = view;
  const range = options?.range;
  const isEach = options?.maxQuantity != null;
  const isPayable = unavailableReason === null;
  return (
    <>
      <h1 className="text-small font-normal text-ink-2">
        <span className="paid:hidden">
          <span className="sr-only">
            {!isPayable
              ? texts.cannotBePaid
              : range
                ? texts.youChoose
                : fill(texts.pay, { sum: usdcOf(amountFormatted, language) })}
          </span>
          {isPayable && (
            <span aria-hidden>{range ? texts.youChooseShown : isEach ? texts.priceOfOne : texts.youPay}</span>
          )}
        </span>
        <span className={cx("hidden paid:inline", (range || isEach) && "sr-only")}>{texts.youPaid}</span>
      </h1>
      {range
        ? isPayable && (
            <p className="text-body num paid:hidden">
              {fill(texts.range, {
                min: usdcText(toUsdc(BigInt(range.min)), language),
                max: usdcText(toUsdc(BigInt(range.max)), language),
              })}
            </p>
          )
        : (isPayable || !isEach) && (
            <p aria-hidden className={cx(!isPayable && "hidden paid:block", isEach && "paid:hidden")}>
              <Amount value={amountFormatted} size="big" language={language} />
            </p>
          )}
    </>
  );
}

/** In characters and lines: a longer title is written smaller on a phone, and a longer description has more than three lines there. */
const SHORT = { title: 60, characters: 180, lines: 3 };

/** The seller's words. On a phone, a long text is cut after three lines, so that the price and the panel fit on the screen. */
function Description({ text, texts }: { text: string; texts: OfferTexts }) {
  const isLong = text.length > SHORT.characters || text.split("\n").length > SHORT.lines;
  return (
    <figure className="group/words border-s-3 border-line-2 py-0.5 ps-3.5">
      <figcaption className="text-tiny text-ink-3">{texts.sellerSays}</figcaption>
      <blockquote
        dir="auto"
        className={cx(
          "text-body whitespace-pre-wrap [overflow-wrap:anywhere]",
          isLong && "max-[480px]:line-clamp-3 group-has-checked/words:line-clamp-none",
        )}
      >
        {text}
      </blockquote>
      {isLong && (
        // A check box, because it needs no script.
        <label className="relative flex min-h-11 w-fit items-center rounded-control text-small underline underline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-brand min-[481px]:hidden">
          <input type="checkbox" className="absolute size-px opacity-0" />
          <span className="group-has-checked/words:hidden">{texts.readMore}</span>
          <span className="hidden group-has-checked/words:inline">{texts.readLess}</span>
        </label>
      )}
    </figure>
  );
}

type TermsProps = { view: CheckoutView; support: string | null; texts: Words<OfferTexts>; className?: string };

/** What applies before the payment leaves the page with it. */
export function Terms({ view, support, texts: translation, className }: TermsProps) {
  const { language, texts } = translation;
  const { payee, expiresAt, unavailableReason, network } = view;
  const isPayable = unavailableReason === null;
  return (
    <section aria-label={texts.terms} className={className}>
      <div className="grid gap-2.75">
        {isPayable && (
          <Facts className="paid:hidden">
            <Fact label={texts.youGet}>{whatYouGet(view, translation)}</Fact>
            <Fact label={texts.networkFee}>{texts.noFee}</Fact>
            {view.redirectHost !== null && (
              <Fact label={texts.afterwards}>{filled(texts.backTo, { site: <bdi>{view.redirectHost}</bdi> })}</Fact>
            )}
            {expiresAt !== null && (
              <Fact label={texts.payableUntil}>
                <Time at={expiresAt} form="short" show="absolute" />
              </Fact>
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
          </Facts>
        )}
        <Facts>
          {/* What is sent there now would buy nothing. */}
          {payee && isPayable && (
            <Fact label={texts.recipient}>
              <AddressTag address={payee.address} tile={false} copyLabel={texts.copyRecipient} />
            </Fact>
          )}
          {support !== null && (
            <Fact label={texts.questions}>
              <SupportContact contact={support} />
            </Fact>
          )}
          {expiresAt !== null && unavailableReason === "LINK_EXPIRED" && (
            <Fact label={texts.expiry.expired}>
              <Time at={expiresAt} form="short" show="absolute" />
            </Fact>
          )}
        </Facts>
      </div>
      {isPayable && (
        <div className="mt-4 grid max-w-[60ch] gap-2 text-small text-ink-2 paid:hidden">
          <p>{texts.notByTransfer}</p>
          {!NETWORKS[network].isTestnet && <p>{texts.usdcOnBase}</p>}
        </div>
      )}
      {view.cancelUrl !== null && (
        <p className="mt-4 paid:hidden">
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
