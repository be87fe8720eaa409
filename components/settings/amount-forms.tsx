"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import { type Answer, callApi } from "@/lib/http/client";

export type LimitFormProps = {
  /** The current value, in atomic units. */
  limit: bigint;
};

/** The daily total that can be paid without a signature. */
export function LimitForm({ limit }: LimitFormProps) {
  const { post, dialog } = useConfirmed();
  return (
    <AmountForm
      name="Approval limit"
      label="Limit without a signature"
      verb="Save the limit"
      amount={limit}
      fault="Enter an amount with at most six decimals, for example, 250.00. 0 requires a signature each time."
      failure="The limit is unchanged"
      save={(amount) => post("/api/wallet/approval-limit", { limit: amount })}
    >
      {dialog}
    </AmountForm>
  );
}

export type LowBalanceFormProps = {
  /** The current value, in atomic units; zero: never. */
  threshold: bigint;
};

/** The balance below which the owner is notified. */
export const LowBalanceForm = ({ threshold }: LowBalanceFormProps) => (
  <AmountForm
    name="Low balance"
    label="Notify me below"
    verb="Save low balance"
    amount={threshold}
    fault="Enter an amount with at most six decimals, for example, 5.00. With 0 we never notify you."
    failure="Nothing was changed"
    save={(amount) => callApi("POST", "/api/wallet/low-balance", { threshold: amount })}
  />
);

type AmountFormProps = {
  name: string;
  label: string;
  verb: string;
  amount: bigint;
  /** Shown when no amount can be read from the input. */
  fault: string;
  /** The title above the server's reason. */
  failure: string;
  /** `amount`: in atomic units. */
  save: (amount: string) => Promise<Answer<unknown>>;
  children?: ReactNode;
};

/** One amount that may be zero. */
function AmountForm({ name, label, verb, amount, fault: faultText, failure, save, children }: AmountFormProps) {
  const router = useRouter();
  const [text, setText] = useState(formatUsdc(toUsdc(amount)));
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const newAmount = amountOrZero(text);
    if (newAmount === null) return setFault(faultText);
    setBusy(true);
    setProblem(undefined);
    const response = await save(newAmount.toString());
    setBusy(false);
    if (!response.ok) return setProblem(response.message);
    // Set here, not by the refresh: a late refresh must not overwrite what is typed next.
    setText(formatUsdc(toUsdc(newAmount)));
    toast.success(`${name} saved`);
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-100 gap-4" aria-label={name}>
      <UsdcField
        label={label}
        value={text}
        onText={(typed) => {
          setText(typed);
          setFault(undefined);
        }}
        error={fault}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title={failure}>
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" busy={isBusy}>
          {verb}
        </Button>
      </div>
      {children}
    </form>
  );
}

const MAX = 2n ** 96n - 1n;

/** Parses an amount that may be zero into atomic units; null if invalid, or above a mandate's maximum. */
function amountOrZero(text: string): Usdc | 0n | null {
  const amount = /^0+(\.0*)?$/.test(text.trim()) ? 0n : parseUsdc(text);
  return amount !== null && amount <= MAX ? amount : null;
}
