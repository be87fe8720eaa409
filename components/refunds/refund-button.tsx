"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { usdcText } from "@/components/ui/format";
import { usdcFault } from "@/components/ui/usdc-fault";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import { REASON_MAX } from "@/lib/refunds/limits";

export type RefundButtonProps = {
  paymentId: number;
  /** How much a refund can be, in atomic units. `least`: of a payment for a pass. */
  refundable: { most: bigint; least: bigint };
};

/** Prepares a refund and opens its page, where it is reviewed and approved. */
export function RefundButton(props: RefundButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Refund</Button>
      {isOpen && <RefundDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

function RefundDialog({ paymentId, refundable: { most, least }, close }: RefundButtonProps & { close: () => void }) {
  const [text, setText] = useState(formatUsdc(toUsdc(most)));
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState<string>();
  const { isBusy, prepare } = usePreparing(paymentId, setProblem);

  function submit() {
    const amount = parseUsdc(text);
    if (amount === null) return setProblem(usdcFault(text));
    if (amount > most) return setProblem(`At most ${usdcText(most)} of this payment can be refunded.`);
    if (amount < least) return setProblem(`At least ${usdcText(least)} is unused of the pass, which the refund ends.`);
    void prepare(amount, note.trim());
  }

  return (
    <FormDialog
      title="Refund a payment"
      description="It goes to the address that paid. Nothing moves yet: you review it on the next page."
      verb="Review the refund"
      isBusy={isBusy}
      submit={submit}
      close={close}
    >
      <TextField
        label="Amount"
        suffix="USDC"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
        hint={`${least > 0n ? `From ${usdcText(least)}, what is unused of the pass that the refund ends, up` : "Up"} to ${usdcText(most)}. The refunds of a payment together cannot exceed it.`}
        error={problem}
      />
      <TextArea
        label="Note to yourself"
        aside="Optional"
        rows={2}
        dir="auto"
        maxLength={REASON_MAX}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  );
}

function usePreparing(paymentId: number, fail: (problem: string) => void) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);

  async function prepare(amount: bigint, reason: string) {
    if (isBusy) return;
    setBusy(true);
    const refund = { paymentId, amount: amount.toString(), ...(reason !== "" && { reason }) };
    const response = await callApi<{ refund: { refundId: string } }>("POST", "/api/refunds", refund);
    if (response.ok) return router.push(`/authorize/refund/${response.data.refund.refundId}`);
    setBusy(false);
    fail(response.message);
  }

  return { isBusy, prepare };
}
