"use client";

import { CircleAlert, CircleCheck, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
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
  payment: Exclude<Payment, { at: "idle" | "submitting" }>;
  flow: PaymentFlow;
  view: CheckoutView;
  sum: string;
  canPayAgain: boolean;
  mode: WalletMode;
};

/** The outcome of the payment: where the money is, and what to do next. */
export function Ending({ payment, flow, view, sum, canPayAgain, mode }: EndingProps) {
  switch (payment.at) {
    case "pending":
      return (
        <Outcome tone="info" icon={Clock} title={`${sum} on the way`}>
          <p>
            It is safe to close this page. Do not pay again: the same page in this browser shows how it ended, and so
            does the payment's own page.
          </p>
          <PaymentFacts payment={payment} />
          <Actions>
            <PageLink href={receiptOf(payment)}>Follow the payment</PageLink>
          </Actions>
        </Outcome>
      );
    case "unknown":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title="We are checking. Do not pay again">
          <p>
            We had no clear answer to your payment of {sum}. We keep checking with your signature: it can move the money
            only once, however often it is sent.
          </p>
          <Actions>
            <Button onClick={flow.checkNow}>Check now</Button>
          </Actions>
        </Outcome>
      );
    case "used":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title="Your signature was used, but not through us">
          <p>
            The chain shows it as used or cancelled, so {sum} may have moved from your wallet to the seller. Look at
            your wallet's transfers first. If it has, do not pay again: show the seller that transfer.
          </p>
          <PaymentFacts from="Signed by" payment={{ ...payment, txHash: null }} />
          <Actions>
            <Button onClick={flow.checkNow}>Check again</Button>
            <Button variant="quiet" onClick={flow.payAgain}>
              It has not moved: pay again
            </Button>
          </Actions>
        </Outcome>
      );
    case "declined":
      return (
        <Outcome tone="warn" icon={TriangleAlert} title="Not settled. Do not sign again">
          <p>{payment.reason}</p>
          <p>
            Your signed payment can still be used until <Time at={payment.until} form="short" />. Wait until then
            {payment.settlementId === null ? ", or try again with the same signature." : ", or cancel it now."}
          </p>
          {payment.settlementId === null ? (
            <Actions>
              <Button variant="primary" onClick={flow.tryAgain}>
                Try again
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
          title={payment.isCancelled ? "Cancelled. No money moved" : "Not paid. No money moved"}
        >
          <p>{payment.isCancelled ? "You can pay again." : payment.reason}</p>
          <Actions>
            <Button variant="primary" onClick={flow.payAgain}>
              {payment.isCancelled ? "Pay again" : "Go back"}
            </Button>
          </Actions>
        </Outcome>
      );
    case "settled":
      return (
        <Outcome
          tone="good"
          icon={CircleCheck}
          title={payment.isNew ? `You paid ${sum}` : `You have paid ${sum} already`}
        >
          {!payment.isNew && (
            <p>This browser remembers it. Other browsers do not show it, and other visitors cannot see who paid.</p>
          )}
          {payment.isNew && payment.redirectUrl !== undefined && (
            <Redirect to={payment.redirectUrl} settlementId={payment.settlementId} />
          )}
          {payment.file && <FileDownload file={payment.file} />}
          <Content text={payment.content} seller={view.payee?.name} />
          <PaymentFacts payment={payment} />
          <Purchase payment={payment} />
          <Actions>
            <PageLink href={receiptOf(payment)}>See the receipt</PageLink>
            {canPayAgain && (
              <Button variant="quiet" onClick={flow.payAgain}>
                Pay again
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

/** Loads the code of the wallets only now. */
function CancelSlot(props: CancelPaymentProps) {
  const CancelPayment = useLoaded(loadCancel, true);
  if (CancelPayment) return <CancelPayment {...props} />;
  return <p className="text-small text-ink-2">{CancelPayment === null ? "Reload this page to cancel." : "Loading…"}</p>;
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

function PaymentFacts({ payment, from = "Paid from" }: PaymentFactsProps) {
  return (
    <Facts className="rounded-control border px-3.5 py-3 text-small">
      <Fact label={from}>
        <AddressTag address={payment.kept.payer} tileSize={20} />
      </Fact>
      {payment.txHash !== null && (
        <Fact label="Transaction">
          <AddressTag address={payment.txHash} noun="transaction hash" tile={false} />
        </Fact>
      )}
    </Facts>
  );
}

/** The whole address that shows the purchase again, in any browser. */
function Purchase({ payment }: { payment: Extract<Payment, { at: "settled" }> }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-small text-ink-2">
        Keep the address of your purchase: it shows{" "}
        {payment.content === null && !payment.file ? "it" : "what you bought"} again in any browser, to anybody who has
        it.
      </p>
      <div>
        <Copy
          value={new URL(receiptOf(payment), location.href).href}
          label="Copy the address of your purchase"
          className="min-h-11"
        />
      </div>
    </div>
  );
}

/** The key unlocks the purchased content, also on the receipt. */
const receiptOf = ({ settlementId, kept }: Extract<Payment, { at: "pending" | "settled" }>) =>
  `/receipt/${settlementId}?key=${kept.secret}`;
