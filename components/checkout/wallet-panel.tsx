"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useConnection } from "wagmi";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Button } from "@/components/ui/button";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useWallets } from "@/components/wallet/legacy-wallet";
import { NetworkGuard } from "@/components/wallet/network-guard";
import { Providers } from "@/components/wallet/providers";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { toUsdc } from "@/lib/core/usdc";
import { useIsFramed } from "./frame-context";
import { OnlySign, type Payable, type WalletMode } from "./paying";
import { Shortage } from "./shortage";
import { signPayment } from "./sign-payment";
import { UndeployedNote, useUndeployed } from "./undeployed";
import { type Held, useHeld } from "./use-held";
import type { PaymentFlow } from "./use-payment";
import { reportVisit } from "./visit";
import { WalletApps } from "./wallet-apps";

export type WalletPanelProps = {
  view: Payable;
  sum: string;
  mode: WalletMode;
  flow: PaymentFlow;
  /** Returns whether the order is valid. If not, shows its faults. */
  check: () => boolean;
  onrampUrl: string | null;
  /** The person pressed the button; otherwise the panel only checks whether a wallet is connected. */
  isAsking: boolean;
};

/** Pays with a wallet in this browser: choose one, check its balance, sign. */
export function WalletPanel(props: WalletPanelProps) {
  return (
    <Providers mode={props.mode}>
      <Panel {...props} />
    </Providers>
  );
}

function Panel({ isAsking, ...props }: WalletPanelProps) {
  const { view, mode } = props;
  const { panel } = usePayment().texts;
  const { address } = useConnection();
  const [isChoosing, setChoosing] = useState(isAsking);
  const isReady = useIsReady(mode);
  const hasWallet = useWallets().length > 0;
  // The pressed button disappears when a wallet connects: keep the focus in the panel.
  const box = useRef<HTMLDivElement>(null);
  const wasChoosing = useRef(isAsking);
  useEffect(() => {
    if (isChoosing) wasChoosing.current = true;
    else if (wasChoosing.current) {
      wasChoosing.current = false;
      box.current?.focus();
    }
  }, [isChoosing]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div ref={box} role="group" aria-label={panel.label} tabIndex={-1} className="grid gap-3">
      {address === undefined ? (
        <>
          <Button variant="primary" wide busy={isChoosing && !isReady} onClick={() => setChoosing(true)}>
            {panel.connect}
          </Button>
          {isChoosing && isReady && !hasWallet && <NoWallet url={view.url} />}
          <OnlySign />
        </>
      ) : (
        <Account {...props} address={address} change={() => setChoosing(true)} />
      )}
      <ConnectDialog open={isChoosing && isReady && hasWallet} onOpenChange={setChoosing} />
    </div>
  );
}

/** Wallets announce themselves asynchronously (EIP-6963), shortly after the request. */
function useIsReady(mode: WalletMode): boolean {
  const [isOver, setOver] = useState(false);
  const isEarly = useWallets().length > 0;
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), mode === "devnet" ? 3_000 : 600);
    return () => clearTimeout(timer);
  }, [mode]);
  return isOver || isEarly;
}

function NoWallet({ url }: { url: string }) {
  const { panel } = usePayment().texts;
  const isFramed = useIsFramed();
  return (
    <Note tone="info" live="polite" title={panel.noWalletTitle}>
      <p>{panel.noWalletText}</p>
      <WalletApps url={url} opensTab={isFramed} className="mt-3" />
    </Note>
  );
}

type AccountProps = Omit<WalletPanelProps, "isAsking"> & { address: string; change: () => void };

function Account({ view, sum, mode, flow, check, onrampUrl, address, change }: AccountProps) {
  const { panel } = usePayment().texts;
  const price = toUsdc(BigInt(view.amount));
  const balance = useHeld(view.network, address, price);
  const isUndeployed = useUndeployed(view.network, address);
  const { step, pay } = usePaying({ view, address, flow, check });
  const isBusy = step.at === "signing" || flow.payment.type === "submitting";
  const short = balance.amount !== null && balance.amount < price;
  useEffect(() => reportVisit(view.linkId, { step: "connected" }), [view.linkId]);

  // The balance from before a failed payment is stale.
  const recheck = useEffectEvent(balance.recheck);
  const isIdle = flow.payment.type === "idle";
  useEffect(() => {
    if (isIdle) recheck();
  }, [isIdle]);

  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control border px-3.5 py-2.5">
        <AddressTag address={address} tileSize={28} />
        <Holding held={balance} />
      </div>
      <NetworkGuard chainId={view.chainId}>
        {isUndeployed && !isBusy && <UndeployedNote networkLabel={view.networkLabel} />}
        {short && !isBusy && balance.amount !== null && (
          <Shortage {...{ view, mode, address, onrampUrl }} held={balance.amount} recheck={balance.recheck} />
        )}
        <p role="status" className="sr-only">
          {balance.isFilled && panel.enough}
        </p>
        <Button
          variant="primary"
          wide
          busy={isBusy}
          disabled={(short || isUndeployed) && !isBusy}
          onClick={() => void pay()}
        >
          {step.at === "signing" ? panel.waiting : isBusy ? panel.paying : fill(panel.pay, { sum })}
        </Button>
      </NetworkGuard>
      <Said step={step} isSubmitting={flow.payment.type === "submitting"} />
      {!isBusy && (
        <Button variant="quiet" size="small" onClick={change} className="justify-self-center">
          {panel.another}
        </Button>
      )}
    </>
  );
}

function Holding({ held: balance }: { held: Held }) {
  const {
    language,
    texts: { panel },
  } = usePayment();
  if (balance.isLoading) return <span className="text-small text-ink-2">{panel.balanceLoading}</span>;
  if (balance.amount === null) return <span className="text-small text-ink-2">{panel.balanceUnknown}</span>;
  return <span className="text-small text-ink-2 num">{usdcText(balance.amount, language)}</span>;
}

type Step = { at: "idle" | "signing" | "rejected" | "changed" | "unreached" } | { at: "failed"; reason: string };

function usePaying({ view, address, flow, check }: Pick<AccountProps, "view" | "address" | "flow" | "check">) {
  const router = useRouter();
  const sign = useTypedData();
  const [step, setStep] = useState<Step>({ at: "idle" });
  // A ref, because a second click may come before the state is updated.
  const isSigning = useRef(false);

  async function pay() {
    if (isSigning.current || flow.payment.type === "submitting" || flow.resume(address) || !check()) return;
    isSigning.current = true;
    flow.setSigning(true);
    setStep({ at: "signing" });
    const result = await signPayment(view, address, sign);
    isSigning.current = false;
    flow.setSigning(false);
    if (result.type === "changed") router.refresh();
    setStep(result.type === "failed" ? { at: "failed", reason: result.reason } : { at: STEPS[result.type] });
    if (result.type !== "signed") return;
    reportVisit(view.linkId, { step: "signed", payer: address, nonce: result.nonce });
    // Another tab may have signed in the meantime: pay with the earlier signature.
    if (!flow.resume(address)) await flow.submit(result.kept);
  }

  return { step, pay };
}

const STEPS = { signed: "idle", rejected: "rejected", changed: "changed", unreached: "unreached" } as const;

function Said({ step, isSubmitting }: { step: Step; isSubmitting: boolean }): ReactNode {
  const { panel } = usePayment().texts;
  if (isSubmitting) {
    return (
      <Note tone="info" title={panel.signedTitle}>
        {panel.signedText}
      </Note>
    );
  }
  switch (step.at) {
    case "idle":
      return <OnlySign />;
    case "signing":
      return (
        <Note tone="info" live="polite" title={panel.signTitle}>
          {panel.signText}
        </Note>
      );
    case "rejected":
      return (
        <Note tone="warn" live="assertive" title={panel.rejectedTitle}>
          {panel.rejectedText}
        </Note>
      );
    case "changed":
      return (
        <Note tone="warn" live="assertive" title={panel.changedTitle}>
          {panel.changedText}
        </Note>
      );
    case "unreached":
    case "failed":
      return (
        <Note tone="bad" live="assertive" title={panel.failedTitle}>
          {step.at === "failed" ? step.reason : panel.unreached}
        </Note>
      );
    default:
      step satisfies never;
      return null;
  }
}
