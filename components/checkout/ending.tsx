"use client";

import { CircleAlert, CircleCheck, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { usePayment } from "@/components/texts/context";
import type { BoughtTexts } from "@/components/texts/en/payment";
import { filled } from "@/components/texts/filled";
import { fill, fillCount } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Fact, Facts } from "@/components/ui/facts";
import { layOut } from "@/components/ui/lay-out";
import { LinkedText } from "@/components/ui/linked-text";
import { Time } from "@/components/ui/time";
import { useLoaded } from "@/components/ui/use-loaded";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { CancelPaymentProps } from "./cancel-payment";
import { FileDownload } from "./file-download";
import { useIsFramed } from "./frame-context";
import type { Kept } from "./memory";
import type { WalletMode } from "./paying";
import type { Payment, PaymentFlow } from "./use-payment";
import { withLanguage } from "./with-language";

export type EndingProps = {
  payment: Exclude<Payment, { type: "idle" | "submitting" }>;
  flow: PaymentFlow;
  view: CheckoutView;
  sum: string;
  canPayAgain: boolean;
  mode: WalletMode;
};

/** The outcome of the payment: where the money is, and what to do next. */
export function Ending({ payment, flow, view, sum, canPayAgain, mode }: EndingProps) {
  const { language, texts: payments } = usePayment();
  const { ending: texts, reasons, bought: purchaseTexts } = payments;
  switch (payment.type) {
    case "pending":
      return (
        <Outcome tone="info" icon={Clock} title={fill(texts.pendingTitle, { sum })}>
          <p>{texts.pendingText}</p>
          <PaymentFacts payment={payment} />
          <Actions>
            <PageLink href={receiptOf(payment)}>{texts.follow}</PageLink>
          </Actions>
        </Outcome>
      );
    case "unknown":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title={texts.unknownTitle}>
          <p>{fill(texts.unknownText, { sum })}</p>
          <Actions>
            <Button onClick={flow.checkNow}>{texts.checkNow}</Button>
          </Actions>
        </Outcome>
      );
    case "used":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title={texts.usedTitle}>
          <p>{fill(texts.usedText, { sum })}</p>
          <PaymentFacts from={texts.signedBy} payment={{ ...payment, txHash: null }} />
          <Actions>
            <Button onClick={flow.checkNow}>{texts.checkAgain}</Button>
            <Button variant="quiet" onClick={flow.payAgain}>
              {texts.notMoved}
            </Button>
          </Actions>
        </Outcome>
      );
    case "declined":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title={texts.declinedTitle}>
          <p>{reasons[payment.reason]}</p>
          <p>
            {filled(payment.settlementId === null ? texts.declinedRetry : texts.declinedCancel, {
              time: <Time at={payment.until} form="short" />,
            })}
          </p>
          {payment.settlementId === null ? (
            <Actions>
              <Button variant="primary" onClick={flow.tryAgain}>
                {texts.tryAgain}
              </Button>
            </Actions>
          ) : (
            <CancelSlot
              settlementId={payment.settlementId}
              payer={payment.kept.payer}
              chainId={view.chainId}
              mode={mode}
              checkNow={flow.checkNow}
            />
          )}
        </Outcome>
      );
    case "failed":
      return (
        <Outcome
          tone={payment.isCancelled ? "info" : "bad"}
          icon={payment.isCancelled ? CircleCheck : CircleAlert}
          title={payment.isCancelled ? texts.cancelledTitle : texts.failedTitle}
        >
          <p>{payment.isCancelled ? texts.cancelledText : reasons[payment.reason]}</p>
          <Actions>
            {payment.reportUrl !== undefined && <PageLink href={payment.reportUrl}>{texts.reportMistake}</PageLink>}
            <Button variant="primary" onClick={flow.payAgain}>
              {payment.isCancelled ? texts.payAgain : texts.goBack}
            </Button>
          </Actions>
        </Outcome>
      );
    case "settled":
      return (
        <Outcome
          tone="good"
          icon={CircleCheck}
          title={fill(payment.isNew ? texts.paidTitle : texts.paidBeforeTitle, { sum })}
        >
          {!payment.isNew && <p>{texts.paidBeforeText}</p>}
          {payment.isNew && payment.redirectUrl !== undefined && (
            <Redirect to={payment.redirectUrl} settlementId={payment.settlementId} />
          )}
          {payment.file && <FileDownload file={payment.file} texts={{ language, texts: purchaseTexts }} />}
          <Content text={payment.content} seller={view.payee?.name} texts={purchaseTexts} />
          <PaymentFacts payment={payment} />
          <Purchase payment={payment} />
          <Actions>
            <PageLink href={receiptOf(payment)}>{texts.seeReceipt}</PageLink>
            {canPayAgain && (
              <Button variant="quiet" onClick={flow.payAgain}>
                {texts.payAgain}
              </Button>
            )}
          </Actions>
        </Outcome>
      );
    default:
      payment satisfies never;
      return null;
  }
}

/** Loads the wallet code on demand. */
function CancelSlot(props: CancelPaymentProps) {
  const { ending } = usePayment().texts;
  const CancelPayment = useLoaded(loadCancel, true);
  if (CancelPayment) return <CancelPayment {...props} />;
  return <p className="text-small text-ink-2">{CancelPayment === null ? ending.reloadToCancel : ending.loading}</p>;
}

const loadCancel = () => import("./cancel-payment").then((module) => module.CancelPayment);

type OutcomeProps = { tone: keyof typeof TONES; icon: LucideIcon; title: string; children: ReactNode };

function Outcome({ tone, icon: Icon, title, children }: OutcomeProps) {
  return (
    <div className="grid gap-4 text-control">
      <div className="flex items-start gap-3">
        <span className={cx("grid size-9 shrink-0 place-items-center rounded-full", TONES[tone])}>
          <Icon aria-hidden className="size-4.5" />
        </span>
        <h2 className="min-w-0 pt-1 text-[1.125rem] leading-snug [overflow-wrap:anywhere]">{title}</h2>
      </div>
      {children}
    </div>
  );
}

const TONES = {
  info: "bg-info-soft text-info",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  good: "bg-good-soft text-good",
} as const;

const Actions = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap gap-2.5">{children}</div>;

type PaymentFactsProps = { payment: { kept: Kept; txHash: string | null }; from?: string };

function PaymentFacts({ payment, from }: PaymentFactsProps) {
  const { ending } = usePayment().texts;
  return (
    <Facts className="rounded-control border px-3.5 py-3 text-small">
      <Fact label={from ?? ending.paidFrom}>
        <AddressTag address={payment.kept.payer} tileSize={20} />
      </Fact>
      {payment.txHash !== null && (
        <Fact label={ending.transaction}>
          <AddressTag address={payment.txHash} copyLabel={ending.copyTransaction} tile={false} />
        </Fact>
      )}
    </Facts>
  );
}

/** The full URL that shows the purchase again, in any browser. */
function Purchase({ payment }: { payment: Extract<Payment, { type: "settled" }> }) {
  const { ending } = usePayment().texts;
  return (
    <div className="grid gap-1.5">
      <p className="text-small text-ink-2">
        {payment.content === null && !payment.file ? ending.keepAddress : ending.keepContent}
      </p>
      <div>
        <Copy
          value={new URL(receiptOf(payment), location.href).href}
          label={ending.copyPurchase}
          className="min-h-11"
        />
      </div>
    </div>
  );
}

/** The receipt's URL. The key unlocks the purchased content. */
const receiptOf = ({ settlementId, kept: proof }: Extract<Payment, { type: "pending" | "settled" }>) =>
  `/receipt/${settlementId}?key=${proof.secret}`;

type ContentProps = {
  text: string | null;
  seller: string | undefined;
  texts: BoughtTexts;
};

/** The purchased content. The seller's text is untrusted and rendered as text; only URLs become links. */
function Content({ text, seller, texts }: ContentProps) {
  if (text === null) return null;
  const json = layOut(text);
  return (
    <section aria-label={texts.whatYouBought} className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 text-small font-medium [overflow-wrap:anywhere]">
          {seller === undefined ? texts.whatYouBought : filled(texts.from, { seller: <bdi>{seller}</bdi> })}
        </h3>
        <Copy value={text} label={texts.copy} />
      </div>
      <section
        aria-label={texts.content}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control bg-sunk p-4"
      >
        {json === null ? (
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LinkedText text={text} opens={texts.opens} />
          </p>
        ) : (
          <pre dir="ltr" className="text-tiny leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LinkedText text={json} opens={texts.opens} />
          </pre>
        )}
      </section>
    </section>
  );
}

/** A button to another page of this service. Such pages may not be framed: in a frame, the button opens a new tab. */
function PageLink({ href, children }: { href: string; children: ReactNode }) {
  if (!useIsFramed()) return <ButtonLink href={withLanguage(href)}>{children}</ButtonLink>;
  return (
    <a href={withLanguage(href)} target="_blank" rel="noopener" className={buttonClass({})}>
      {children}
    </a>
  );
}

type RedirectProps = { to: string; settlementId: string };

const SECONDS = 5;

/**
 * Redirects the buyer to the seller after a countdown, unless they choose to stay. In a frame, only a link is shown. The server has
 * validated the URL.
 */
function Redirect({ to, settlementId }: RedirectProps) {
  const {
    language,
    texts: { redirect: texts },
  } = usePayment();
  const [secondsLeft, setLeft] = useState(SECONDS);
  const isFramed = useIsFramed();
  const [isStaying, setStaying] = useState(isFramed);
  const target = withReceipt(to, settlementId);
  const host = new URL(to).host;

  useEffect(() => {
    if (isStaying) return;
    if (secondsLeft === 0) return window.location.assign(target);
    const timer = setTimeout(() => setLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, isStaying, target]);

  return (
    <div className="grid gap-2.5 rounded-control bg-sunk px-3.5 py-3">
      <p role="status" className="sr-only">
        {isStaying ? texts.stay : fillCount(language, texts.soon, SECONDS, { host })}
      </p>
      <p aria-hidden className="[overflow-wrap:anywhere]">
        {isStaying
          ? fill(texts.staying, { host })
          : filled(texts.left, { host, count: <span className="num">{secondsLeft}</span> })}
      </p>
      <div className="flex flex-wrap gap-2.5">
        {!isStaying && (
          <Button size="small" onClick={() => setStaying(true)}>
            {texts.stayHere}
          </Button>
        )}
        <a
          href={target}
          target={isFramed ? "_top" : undefined}
          className={buttonClass({ size: "small", variant: isStaying ? "secondary" : "quiet" })}
        >
          {fill(isStaying ? texts.go : texts.goNow, { host })}
        </a>
      </div>
    </div>
  );
}

/** The seller receives the id of the payment, but no key to the purchased content. */
function withReceipt(to: string, settlementId: string): string {
  const url = new URL(to);
  url.searchParams.set("receiptId", settlementId);
  return url.href;
}
