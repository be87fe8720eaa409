"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import type { MandateView } from "@/lib/mandates/responses";
import { sentenceFor } from "../words";

export type MoveCardProps = {
  mandateId: string;
  remaining: bigint;
  /** The pending amount, for example "1.00 USDC"; null if nothing is pending. */
  underway: string | null;
  coversPayouts: boolean;
  /** True if the mandate has a daily or monthly budget. Contracts do not enforce these. */
  hasPeriods: boolean;
};

/** Offers to move the rest of a mandate from the spending wallet to a vault. */
export function MoveCard({ mandateId, remaining, underway, coversPayouts, hasPeriods }: MoveCardProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function prepare() {
    setBusy(true);
    setProblem(undefined);
    const response = await callApi<{ mandate: Pick<MandateView, "mandateId"> }>(
      "POST",
      `/api/mandates/${mandateId}/move-to-vault`,
    );
    // On success it stays busy until the signing page is there.
    if (response.ok) return router.push(`/authorize/mandate/${response.data.mandate.mandateId}`);
    setBusy(false);
    setProblem(sentenceFor(response));
  }

  return (
    <Card title="Move it to a vault">
      <div className="grid justify-items-start gap-4">
        <p className="measure text-control text-ink-2">
          Our server enforces its limits, and its money is in the spending wallet, whose key we hold. With one
          signature, the {usdcText(remaining)} that are left move to a mandate with a vault of its own, until the same
          end and within the same limits. The contract then keeps them
          {hasPeriods && ", except the budgets of days and months, which our server keeps"}.
        </p>
        <p className="measure text-control text-ink-2">
          After that, no payments are signed under this mandate.
          {underway !== null && ` ${underway} is already signed and may still be paid from the spending wallet.`} The
          vault’s money comes from your own wallet: what is in the spending wallet stays there until you withdraw it.
          {coversPayouts && " A vault makes no payouts."} Your agent gets the new mandate at its next payment.
        </p>
        {problem !== undefined && (
          <Note tone="bad" live="assertive" title="Nothing was changed">
            {problem}
          </Note>
        )}
        <Button busy={isBusy} onClick={prepare}>
          Review the new mandate
        </Button>
      </div>
    </Card>
  );
}
