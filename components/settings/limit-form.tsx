"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { amountOrZero } from "./amount-or-zero";

export type LimitFormProps = {
  /** The current value, in atomic units. */
  limit: bigint;
};

/** The daily total that can be paid without a signature. */
export function LimitForm({ limit }: LimitFormProps) {
  const router = useRouter();
  const [text, setText] = useState(formatUsdc(toUsdc(limit)));
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { post, dialog } = useConfirmed();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const newLimit = amountOrZero(text);
    if (newLimit === null) {
      return setFault(
        "Enter an amount with at most six decimals, for example, 250.00. 0 requires a signature each time.",
      );
    }
    setBusy(true);
    setProblem(undefined);
    const response = await post("/api/wallet/approval-limit", { limit: newLimit.toString() });
    setBusy(false);
    if (!response.ok) return setProblem(response.message);
    // Set here, not by the refresh: a late refresh must not overwrite what is typed next.
    setText(formatUsdc(toUsdc(newLimit)));
    toast.success("Approval limit saved");
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-100 gap-4" aria-label="Approval limit">
      <UsdcField
        label="Limit without a signature"
        value={text}
        onText={(typed) => {
          setText(typed);
          setFault(undefined);
        }}
        error={fault}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The limit is as it was">
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" busy={isBusy}>
          Save the limit
        </Button>
      </div>
      {dialog}
    </form>
  );
}
