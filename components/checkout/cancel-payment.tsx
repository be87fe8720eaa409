"use client";

import { useState } from "react";
import { useConnection } from "wagmi";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { Providers } from "@/components/wallet/providers";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { callPublicly } from "@/lib/http/client";
import type { WalletMode } from "./paying";

export type CancelPaymentProps = {
  settlementId: string;
  payer: string;
  chainId: number;
  mode: WalletMode;
  /** Reads the settlement again. */
  checkNow: () => void;
};

/** Lets the payer sign the cancellation of a payment that was not settled. We submit it; the page follows the settlement. */
export function CancelPayment(props: CancelPaymentProps) {
  return (
    <Providers mode={props.mode}>
      <Panel {...props} />
    </Providers>
  );
}

type Step = { at: "idle" | "signing" | "cancelling" | "rejected" } | { at: "failed"; reason: string };

function Panel({ settlementId, payer, chainId, checkNow }: CancelPaymentProps) {
  const { address } = useConnection();
  const sign = useTypedData();
  const [step, setStep] = useState<Step>({ at: "idle" });
  const [isChoosing, setChoosing] = useState(false);

  async function cancel() {
    setStep({ at: "signing" });
    const path = `/api/settlements/${settlementId}/cancellation` as const;
    const offered = await callPublicly<{ typedData: TypedDataPayload }>("GET", path);
    if (!offered.ok) {
      // The settlement has ended meanwhile: the page shows its outcome.
      checkNow();
      return setStep({ at: "failed", reason: offered.message });
    }
    const result = await sign({ owner: payer, chainId, typedData: offered.data.typedData });
    if (result.outcome === "rejected") return setStep({ at: "rejected" });
    if (result.outcome === "failed") return setStep({ at: "failed", reason: result.reason });
    const sent = await callPublicly("POST", path, { signature: result.signature });
    if (!sent.ok) return setStep({ at: "failed", reason: sent.message });
    setStep({ at: "cancelling" });
    checkNow();
  }

  const isBusy = step.at === "signing" || step.at === "cancelling";
  return (
    <div className="grid gap-3">
      {address === undefined ? (
        <Button variant="primary" onClick={() => setChoosing(true)}>
          Connect {shorten(payer)} to cancel
        </Button>
      ) : (
        <Button variant="primary" busy={isBusy} onClick={() => void cancel()}>
          {step.at === "cancelling"
            ? "Cancelling…"
            : step.at === "signing"
              ? "Waiting for your wallet"
              : "Cancel this payment"}
        </Button>
      )}
      <ConnectDialog open={isChoosing && address === undefined} onOpenChange={setChoosing} />
      {step.at === "signing" && (
        <Note tone="info" live="polite" title="Sign in your wallet">
          The signature cancels your payment. It costs nothing and moves no money.
        </Note>
      )}
      {step.at === "cancelling" && (
        <Note tone="info" live="polite" title="Cancelling…">
          We submit the cancellation and pay the gas. Do not pay again before this page says that it is cancelled.
        </Note>
      )}
      {step.at === "rejected" && (
        <Note tone="warn" live="assertive" title="Not cancelled">
          You did not sign. Your payment can still be used.
        </Note>
      )}
      {step.at === "failed" && (
        <Note tone="bad" live="assertive" title="Not cancelled">
          {step.reason}
        </Note>
      )}
    </div>
  );
}
