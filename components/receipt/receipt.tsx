import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { type BoughtFile, FileDownload } from "@/components/checkout/file-download";
import { LinkImage } from "@/components/links/link-image";
import { soldText } from "@/components/links/words";
import { receiptHref } from "@/components/payments/money-row";
import type { PageTexts } from "@/components/texts/en/page";
import type { BoughtTexts } from "@/components/texts/en/payment";
import type { ReceiptTexts } from "@/components/texts/en/receipt";
import { filled } from "@/components/texts/filled";
import { fill, type Words } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { ExplorerLink } from "@/components/ui/explorer-link";
import { Fact, Facts } from "@/components/ui/facts";
import { formatAmount, usdcText } from "@/components/ui/format";
import { formatUtc } from "@/components/ui/format-utc";
import { JsonView } from "@/components/ui/json-view";
import { layOut } from "@/components/ui/lay-out";
import { Link } from "@/components/ui/link";
import { LinkedText } from "@/components/ui/linked-text";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { Wordmark } from "@/components/ui/wordmark";
import { formatUsdc, type Usdc, ZERO } from "@/lib/core/usdc";
import type { ShownImage } from "@/lib/links/images/image";
import type { SoldWith } from "@/lib/links/received/contract";
import type { GivenBack } from "@/lib/refunds/contract";
import type { ReceiptClaims, SettlementView } from "@/lib/settlements/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { PrintButton } from "./print-button";

/** The image that the checkout showed. */
const ReceiptImage = ({ image, caption }: { image: ShownImage; caption: string }) => (
  <figure className="grid max-w-75 gap-1.5">
    <LinkImage image={image} words={caption} isLazy />
    <figcaption className="text-tiny text-ink-3">{caption}</figcaption>
  </figure>
);

export type ReceiptProps = {
  settlement: SettlementView;
  /** The purchased content, for its buyer. */
  content: string | null;
  /** The purchased file, for its buyer. */
  file: BoughtFile | null;
  /** The address that shows the purchase again, for its buyer. */
  purchaseUrl: string | null;
  /** The seller, if known. */
  seller: SellerOf | null;
  sold: SoldWith | null;
  givenBack: GivenBack;
  /** Null while there is nothing to sign yet. */
  signed: SignedReceiptProps | null;
  isDevnet: boolean;
  texts: Words<ReceiptTexts>;
  bought: Words<BoughtTexts>;
  page: PageTexts;
};

/** `site` is the host to which the seller's link leads after the payment. */
export type SellerOf = { name: string; site: string | null };

/** The outcome of a payment. Only a settled payment is called a receipt. */
export function Receipt(props: ReceiptProps) {
  const {
    settlement,
    content,
    file,
    purchaseUrl,
    sold: sale,
    givenBack,
    signed,
    texts: translation,
    bought: purchaseTranslation,
  } = props;
  const { language, texts } = translation;
  const { stillValidUntil: until, failureCode } = settlement;
  const state = until ? "declined" : settlement.settlementStatus;
  const isRefunded = state === "settled" && givenBack.refunded >= settlement.amount;
  const { title, word: label, text, amount } = texts.states[isRefunded ? "refunded" : state];
  const reason = reasonOf(failureCode, texts);
  return (
    <>
      <div className="hidden print:block">
        <Wordmark />
      </div>
      <PageHeader
        eyebrow={state === "settled" ? texts.title : texts.paymentTitle}
        title={title}
        description={text}
        actions={<Badge tone={isRefunded ? "neutral" : TONES[state]}>{label}</Badge>}
      />
      {until && (
        <Note tone="warn" title={texts.payableTitle}>
          {filled(texts.payableText, { reason, time: <Time at={until} form="short" /> })}
        </Note>
      )}
      {state === "failed" && (
        <Note tone="info" title={texts.failedTitle}>
          {fill(texts.failedText, { reason })}
        </Note>
      )}
      <Refunds paid={settlement.amount} {...{ givenBack, texts: translation }} />
      {file && (
        <Card aria-label={texts.file}>
          <FileDownload file={file} texts={purchaseTranslation} />
        </Card>
      )}
      {content !== null && <Content text={content} texts={texts} opens={purchaseTranslation.texts.opens} />}
      {sale?.image && <ReceiptImage image={sale.image} caption={texts.image} />}
      <Card lift aria-label={texts.payment}>
        <p className="text-small text-ink-2">{amount}</p>
        <p>
          <Amount atomic={settlement.amount} size="big" language={language} />
        </p>
        <hr className="my-5" />
        <ReceiptFacts {...props} />
      </Card>
      <div className="flex flex-wrap gap-2.5" data-print="no">
        <PrintButton label={texts.print} />
        <Copy value={settlement.receiptUrl} label={texts.copyLink} className="min-h-11" />
        {purchaseUrl !== null && <Copy value={purchaseUrl} label={texts.copyPurchase} className="min-h-11" />}
      </div>
      {purchaseUrl !== null && (
        <p className="text-small text-ink-2" data-print="no">
          {texts.keepPurchase}
        </p>
      )}
      {signed && <SignedReceipt {...signed} texts={texts} />}
    </>
  );
}

type RefundsProps = { paid: Usdc; givenBack: GivenBack; texts: Words<ReceiptTexts> };

/** Refunded amounts, and refunds that are pending. */
function Refunds({ paid: paidAmount, givenBack: { refunded, refunds }, texts: { language, texts } }: RefundsProps) {
  if (refunded === ZERO && refunds.length === 0) return null;
  const sums = { refunded: formatAmount(formatUsdc(refunded), language), paid: usdcText(paidAmount, language) };
  return (
    <Note tone="warn" title={refunded === ZERO ? texts.refundTitle : fill(texts.refundedOf, sums)}>
      <ul className="grid gap-1">
        {refunds.map(({ amount, state, endedAt, settlementId }) => (
          <li key={settlementId}>
            {filled(texts.refundStates[state], {
              sum: usdcText(amount, language),
              time: endedAt && <Time at={endedAt} form="short" />,
              receipt: (
                <Link href={receiptHref(settlementId)} className="underline underline-offset-4 max-sm:py-3.25">
                  {texts.refundReceipt}
                </Link>
              ),
            })}
          </li>
        ))}
      </ul>
    </Note>
  );
}

type ContentProps = { text: string; texts: ReceiptTexts; opens: BoughtTexts["opens"] };

/** The seller's text or JSON, rendered as text. Only URLs become links. */
function Content({ text, texts, opens }: ContentProps) {
  const formattedText = layOut(text) ?? text;
  return (
    <Card aria-label={texts.bought}>
      <h2 className="text-body">{texts.bought}</h2>
      <pre dir="auto" className="mono mt-3 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
        <LinkedText text={formattedText} opens={opens} />
      </pre>
      <div className="mt-4" data-print="no">
        <Copy value={text} label={texts.copyBought} className="min-h-11" />
      </div>
    </Card>
  );
}

function ReceiptFacts({ settlement, seller, sold: sale, isDevnet, texts: translation, page }: ReceiptProps) {
  const { texts } = translation;
  const { payer, payee, network, txHash, blockNumber, createdAt, endedAt, resource, description, purpose } = settlement;
  const authors = authorsOf(purpose);
  const about = purpose === "refund" ? "" : (sale?.title ?? description);
  const what = soldText(about || purposeOf(purpose, texts), sale?.quantity ?? 1);
  const author = about === "" ? "us" : authors.description;
  return (
    <Facts>
      {seller && <Fact label={texts.seller}>{filled(texts.quotedName, { name: <bdi>{seller.name}</bdi> })}</Fact>}
      {seller?.site != null && (
        <Fact label={texts.site}>
          <bdi>{seller.site}</bdi>
        </Fact>
      )}
      <Fact label={texts.payer}>
        <Exact value={payer} copyLabel={texts.copyAddress} />
      </Fact>
      <Fact label={texts.recipient}>
        <Exact value={payee} copyLabel={texts.copyAddress} />
      </Fact>
      <Fact label={texts.whatFor}>{attributed(author, texts, <bdi>{what}</bdi>)}</Fact>
      {sale?.answers.map(({ name, label, value }) => (
        <Fact key={name} label={<bdi>{label}</bdi>}>
          <bdi dir="auto" className="[overflow-wrap:anywhere]">
            {value}
          </bdi>
        </Fact>
      ))}
      {sale?.taxNote != null && (
        <Fact label={texts.taxNote}>
          <bdi className="whitespace-pre-wrap [overflow-wrap:anywhere]">{sale.taxNote}</bdi>
        </Fact>
      )}
      {resource !== "" && (
        <Fact label={texts.address}>
          {attributed(authors.resource, texts, <bdi className="mono [overflow-wrap:anywhere]">{resource}</bdi>)}
        </Fact>
      )}
      <Fact label={texts.network}>
        {isDevnet ? fill(texts.onDevnet, { network: NETWORKS[network].label }) : NETWORKS[network].label}
      </Fact>
      <Moment label={endedAt ? texts.completed : texts.received} at={endedAt ?? createdAt} texts={translation} />
      {blockNumber !== null && (
        <Fact label={texts.block}>
          <span className="num">{blockNumber}</span>
        </Fact>
      )}
      {txHash !== null && (
        <Fact label={texts.transaction}>
          <Transaction hash={txHash} explorer={isDevnet ? null : NETWORKS[network].explorer} {...{ texts, page }} />
        </Fact>
      )}
      <Fact label={settlement.settlementStatus === "settled" ? texts.title : texts.paymentTitle}>
        <Exact
          value={settlement.settlementId}
          copyLabel={settlement.settlementStatus === "settled" ? texts.copyReceipt : texts.copyPayment}
          tile={false}
        />
      </Fact>
    </Facts>
  );
}

/** Quotes untrusted text and names its author: this page must not seem to say it. */
const attributed = (author: Author, texts: ReceiptTexts, quote: ReactNode): ReactNode =>
  author === "us" ? (
    quote
  ) : (
    <>
      {filled(texts.quotedName, { name: quote })}
      <span className="block text-small text-ink-2">{texts.unverified[author]}</span>
    </>
  );

/** Shortened on screens, where it expands; complete in print. */
function Exact({ value, copyLabel, tile = true }: { value: string; copyLabel: string; tile?: boolean }) {
  return (
    <>
      <span data-print="no">
        <AddressTag address={value} copyLabel={copyLabel} tile={tile} />
      </span>
      <span className="hidden mono [overflow-wrap:anywhere] print:inline">{value}</span>
    </>
  );
}

/** In the reader's time zone and in UTC. */
function Moment({ label, at: time, texts: translation }: { label: ReactNode; at: Date; texts: Words<ReceiptTexts> }) {
  return (
    <>
      <Fact label={label}>
        <Time at={time} />
      </Fact>
      <Fact label={translation.texts.inUtc}>
        <span className="num">{formatUtc(time, translation.language, true)}</span>
      </Fact>
    </>
  );
}

type TransactionProps = { hash: string; explorer: string | null; texts: ReceiptTexts; page: PageTexts };

function Transaction({ hash, explorer, texts, page }: TransactionProps) {
  return (
    <span className="inline-grid max-w-full justify-items-end gap-0.5">
      <Exact value={hash} copyLabel={texts.copyTransaction} tile={false} />
      {explorer === null ? (
        <span className="text-small text-ink-2">{texts.noExplorer}</span>
      ) : (
        <ExplorerLink explorer={explorer} hash={hash} says={page.explorer} />
      )}
    </span>
  );
}

const TONES = {
  pending: "info",
  declined: "warn",
  settled: "good",
  failed: "bad",
} as const satisfies Record<SettlementView["settlementStatus"] | "declined", BadgeTone>;

/** The author of a settlement's text. "either": its payer or its seller. */
type Author = "us" | "seller" | "either";
type Authors = { description: Author; resource: Exclude<Author, "seller"> };

const OURS: Authors = { description: "us", resource: "us" };
/** A UPL's URL includes the payer's query. A refund has the URL of the refunded payment. */
const AUTHORS: ReadonlyMap<string, Authors> = new Map<string, Authors>([
  ["facilitator", { description: "either", resource: "either" }],
  ["link", { description: "seller", resource: "us" }],
  ["upl", { description: "seller", resource: "either" }],
  ["refund", { description: "us", resource: "either" }],
]);

const authorsOf = (purpose: string): Authors => AUTHORS.get(purpose) ?? OURS;

const purposeOf = (purpose: string, { purposes, aPayment }: ReceiptTexts): string =>
  (purposes as Readonly<Record<string, string>>)[purpose] ?? aPayment;

const reasonOf = (code: string | null, { failures, refused: fallback }: ReceiptTexts): string =>
  (failures as Readonly<Record<string, string>>)[code ?? ""] ?? fallback;

type SignedReceiptProps = { claims: ReceiptClaims; jws: string };

/** The receipt for programs: its claims, and the signature that proves their issuer. */
function SignedReceipt({ claims, jws, texts }: SignedReceiptProps & { texts: ReceiptTexts }) {
  return (
    <div data-print="no">
      <Disclosure summary={texts.signed}>
        <div className="grid gap-4">
          <p className="text-small text-ink-2">{texts.signedText}</p>
          <JsonView value={claims} label={texts.claimsLabel} copyLabel={texts.copyClaims} />
          <JsonView value={jws} label={texts.signedLabel} copyLabel={texts.copySignedText} />
          <div className="flex flex-wrap gap-2.5">
            <Copy value={jws} label={texts.copySigned} className="min-h-11" />
            <a
              href={`/api/settlements/${claims.sub}/receipt`}
              download={`receipt-${claims.sub}.json`}
              className={buttonClass({ size: "small" })}
            >
              <Download aria-hidden />
              {texts.download}
            </a>
          </div>
        </div>
      </Disclosure>
    </div>
  );
}
