"use client";

import { useState } from "react";
import { useConnection } from "wagmi";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { Providers } from "@/components/wallet/providers";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { callPublicly, type Failure } from "@/lib/http/client";
import { ApiError } from "./api-error";
import type { WalletMode } from "./paying";

export type CancelPaymentProps = {
  settlementId: string;
  payer: string;
  chainId: number;
  mode: WalletMode;
  /** Reads the settlement again. */
  checkNow: () => void;
};

/** Lets the payer sign the cancellation of an unsettled payment. The service submits it; the page polls the settlement. */
export function CancelPayment(props: CancelPaymentProps) {
  return (
    <Providers mode={props.mode}>
      <Panel {...props} />
    </Providers>
  );
}

type Step =
  | { at: "idle" | "signing" | "cancelling" | "rejected" }
  | { at: "failed"; reason: string }
  | { at: "refused"; failure: Failure };

function Panel({ settlementId, payer, chainId, checkNow }: CancelPaymentProps) {
  const { cancel: texts } = usePayment().texts;
  const { address } = useConnection();
  const sign = useTypedData();
  const [step, setStep] = useState<Step>({ at: "idle" });
  const [isChoosing, setChoosing] = useState(false);

  async function cancel() {
    setStep({ at: "signing" });
    const path = `/api/settlements/${settlementId}/cancellation` as const;
    const offered = await callPublicly<{ typedData: TypedDataPayload }>("GET", path);
    if (!offered.ok) {
      // The settlement has ended: the page shows its outcome.
      checkNow();
      return setStep({ at: "refused", failure: offered });
    }
    const result = await sign({ owner: payer, chainId, typedData: offered.data.typedData });
    if (result.type === "rejected") return setStep({ at: "rejected" });
    if (result.type === "failed") return setStep({ at: "failed", reason: result.reason });
    const response = await callPublicly("POST", path, { signature: result.signature });
    if (!response.ok) return setStep({ at: "refused", failure: response });
    setStep({ at: "cancelling" });
    checkNow();
  }

  const isBusy = step.at === "signing" || step.at === "cancelling";
  return (
    <div className="grid gap-3">
      {address === undefined ? (
        <Button variant="primary" onClick={() => setChoosing(true)}>
          {fill(texts.connect, { payer: shorten(payer) })}
        </Button>
      ) : (
        <Button variant="primary" busy={isBusy} onClick={() => void cancel()}>
          {step.at === "cancelling" ? texts.cancelling : step.at === "signing" ? texts.waiting : texts.cancel}
        </Button>
      )}
      <ConnectDialog open={isChoosing && address === undefined} onOpenChange={setChoosing} />
      {step.at === "signing" && (
        <Note tone="info" live="polite" title={texts.signTitle}>
          {texts.signText}
        </Note>
      )}
      {step.at === "cancelling" && (
        <Note tone="info" live="polite" title={texts.cancelling}>
          {texts.cancellingText}
        </Note>
      )}
      {step.at === "rejected" && (
        <Note tone="warn" live="assertive" title={texts.notTitle}>
          {texts.rejectedText}
        </Note>
      )}
      {(step.at === "failed" || step.at === "refused") && (
        <Note tone="bad" live="assertive" title={texts.notTitle}>
          {step.at === "refused" ? <ApiError failure={step.failure} /> : step.reason}
        </Note>
      )}
    </div>
  );
}
