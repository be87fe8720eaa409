"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import { amountOrZero } from "./amount-or-zero";

export type LowBalanceFormProps = {
  /** The current value, in atomic units; zero: never. */
  threshold: bigint;
};

/** The balance below which the owner is notified. */
export function LowBalanceForm({ threshold }: LowBalanceFormProps) {
  const router = useRouter();
  const [text, setText] = useState(formatUsdc(toUsdc(threshold)));
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const newThreshold = amountOrZero(text);
    if (newThreshold === null) {
      return setFault("Enter an amount with at most six decimals, for example, 5.00. With 0 we never notify you.");
    }
    setBusy(true);
    setProblem(undefined);
    const response = await callApi("POST", "/api/wallet/low-balance", { threshold: newThreshold.toString() });
    setBusy(false);
    if (!response.ok) return setProblem(response.message);
    setText(formatUsdc(toUsdc(newThreshold)));
    toast.success("Low balance saved");
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-100 gap-4" aria-label="Low balance">
      <UsdcField
        label="Notify me below"
        value={text}
        onText={(typed) => {
          setText(typed);
          setFault(undefined);
        }}
        error={fault}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="Nothing was changed">
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" busy={isBusy}>
          Save low balance
        </Button>
      </div>
    </form>
  );
}
