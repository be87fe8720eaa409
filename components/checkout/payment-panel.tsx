"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { usePayment } from "@/components/texts/context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { usdcText } from "@/components/ui/format";
import { Tabs } from "@/components/ui/tabs";
import { useEarlyClick } from "@/components/ui/use-early-click";
import { useLoaded } from "@/components/ui/use-loaded";
import { wasConnected } from "@/components/wallet/was-connected";
import type { Language } from "@/lib/core/language";
import { toUsdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { usePaymentNews } from "./frame-context";
import type { Order } from "./order";
import { OnlySign, type Payable, type WalletMode } from "./paying";
import { loadPresenting } from "./presenting";
import { type Payment, type PaymentFlow, usePaymentFlow } from "./use-payment";
import { reportVisit } from "./visit";

export type PaymentPanelProps = {
  view: CheckoutView;
  mode: WalletMode;
  onrampUrl: string | null;
  /** Alternative ways to pay, and the note for a link that cannot be paid. */
  phone: ReactNode;
  agent: ReactNode;
  closed: ReactNode;
};

/** `form` renders the order form, if the link has options. */
type Ordering = { order: Order; form: (isLocked: boolean) => ReactNode };

/** The ways to pay and the outcome of the payment. A payment in progress has priority over the current state of the link. */
export function PaymentPanel(props: PaymentPanelProps & Ordering) {
  const { view, mode, onrampUrl, phone, agent, closed, order, form } = props;
  const flow = usePaymentFlow(view.linkId);
  const { language, texts } = usePayment();
  const { sum } = order;
  const { payment } = flow;
  const { payee } = view;
  usePaymentNews({ at: payment.type, settlementId: settlementOf(payment) });
  useEffect(() => reportVisit(view.linkId, { step: "viewed" }), [view.linkId]);
  const isEnding = payment.type !== "idle" && payment.type !== "submitting";
  const Ending = useLoaded(loadEnding, isEnding);
  const box = useFocusOnChange(payment.type, Ending != null);
  const isClosed = view.unavailableReason !== null || payee === null;
  // If the link closes while the wallet is open, the response to the signed proof says so.
  const isUnderway = flow.isSigning || payment.type === "submitting";
  return (
    <Card lift aria-label={texts.label} data-payment={payment.type} className="p-5">
      <p role="status" className="sr-only">
        {texts.said[payment.type]}
      </p>
      <div ref={box}>
        {isEnding && !Ending && <p className="text-control">{texts.said[payment.type]}</p>}
        {isEnding && Ending && (
          <Ending
            payment={payment}
            flow={flow}
            view={view}
            sum={sumOf(payment, view, language)}
            canPayAgain={!isClosed}
            mode={mode}
          />
        )}
      </div>
      {!isEnding && isClosed && !isUnderway && closed}
      {payee !== null && (!isClosed || isUnderway) && (
        <div hidden={isEnding} className="grid gap-5">
          {form(isUnderway)}
          <Tabs
            label={texts.ways}
            tabs={[
              {
                value: "wallet",
                label: texts.wallet,
                content: (
                  <WalletTab
                    {...{ sum, mode, flow, onrampUrl }}
                    view={{ ...view, amount: order.amount, payee, query: order.query }}
                    check={order.check}
                  />
                ),
                isKept: true,
              },
              { value: "phone", label: texts.phone, content: phone },
              ...(agent ? [{ value: "agent", label: texts.agent, content: agent }] : []),
            ]}
          />
        </div>
      )}
    </Card>
  );
}

type WalletTabProps = {
  view: Payable;
  sum: Order["sum"];
  mode: WalletMode;
  flow: PaymentFlow;
  check: () => boolean;
  onrampUrl: string | null;
};

/** Loads the wallet code on demand, or at once if a wallet was connected before. */
function WalletTab(props: WalletTabProps) {
  const { panel } = usePayment().texts;
  const [trigger, setWanted] = useState<"now" | "before">();
  const earlyClick = useEarlyClick<HTMLButtonElement>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (trigger === undefined && wasConnected()) setWanted("before");
  }, []);
  const WalletPanel = useLoaded(loadPanel, trigger !== undefined);
  if (WalletPanel) return <WalletPanel {...props} isAsking={trigger === "now"} />;
  // If loading fails, the button stays and can be pressed again.
  const isLoading = trigger !== undefined && WalletPanel === undefined;
  return (
    <div className="grid gap-3">
      <Button
        {...earlyClick}
        variant="primary"
        wide
        busy={isLoading}
        onClick={() => (WalletPanel === null ? location.reload() : setWanted("now"))}
      >
        {isLoading ? panel.looking : panel.connect}
      </Button>
      {WalletPanel === null && (
        <p role="alert" className="text-center text-small text-bad">
          {panel.notReached}
        </p>
      )}
      <OnlySign />
    </div>
  );
}

const settlementOf = (payment: Payment): string | null | undefined =>
  payment.type === "pending" || payment.type === "settled" || payment.type === "declined"
    ? payment.settlementId
    : undefined;

/** The signed amount, which may differ from the order in the form. */
function sumOf(payment: Payment, view: CheckoutView, language: Language): string {
  const amount = payment.type === "idle" || payment.type === "failed" ? undefined : payment.kept.amount;
  return usdcText(toUsdc(BigInt(amount ?? view.amount)), language);
}

const loadEnding = () => import("./ending").then((module) => module.Ending);

/** Loads the code for the outcome together with the panel: a buyer who has signed must see the result even if the connection breaks. */
const loadPanel = () =>
  Promise.all([import("./wallet-panel"), loadEnding(), loadPresenting()]).then(([module]) => module.WalletPanel);

/** Moves the focus to the outcome of the payment, but not when the page was just opened. */
function useFocusOnChange(paymentType: string, isDrawn: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const previousType = useRef(paymentType);
  const hasActed = useRef(false);
  useEffect(() => {
    if (previousType.current === paymentType) return;
    if (previousType.current === "submitting" || paymentType === "submitting") hasActed.current = true;
    const heading = box.current?.querySelector("h2");
    // The heading has not rendered yet.
    if (!heading && !isDrawn && paymentType !== "submitting") return;
    previousType.current = paymentType;
    if (!hasActed.current || !heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [paymentType, isDrawn]);
  return box;
}
