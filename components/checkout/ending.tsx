"use client";

import { CircleAlert, CircleCheck, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { usePayment } from "@/components/texts/context";
import { filled } from "@/components/texts/filled";
import { fill } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Fact, Facts } from "@/components/ui/facts";
import { Time } from "@/components/ui/time";
import { useLoaded } from "@/components/ui/use-loaded";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import type { CancelPaymentProps } from "./cancel-payment";
import { Content } from "./content";
import { FileDownload } from "./file-download";
import type { Kept } from "./memory";
import { PageLink } from "./page-link";
import type { WalletMode } from "./paying";
import { Redirect } from "./redirect";
import type { Payment, PaymentFlow } from "./use-payment";

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
