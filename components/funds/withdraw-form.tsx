"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { UsdcField } from "@/components/ui/usdc-field";
import { parseUsdc } from "@/lib/core/usdc";
import type { NetworkName } from "@/lib/x402/networks";
import { MovementNote } from "./movement-note";
import { useMovement } from "./use-movement";

export type WithdrawFormProps = {
  network: NetworkName;
  networkLabel: string;
  /** The address that the owner signs in with: the only recipient of withdrawals. */
  owner: string;
  balance: bigint;
  /** Reserved for payments that are signed and not completed. */
  pending: bigint;
};

type Choice = "everything" | "amount";

export function WithdrawForm({ network, networkLabel, owner, balance, pending }: WithdrawFormProps) {
  const [choice, setChoice] = useState<Choice>("everything");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { movement, move } = useMovement("withdrawal", "/api/wallet/withdrawals");
  const amount = choice === "everything" ? balance : parseUsdc(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    const nextProblem = problemWith(amount, balance);
    setProblem(nextProblem);
    setAsking(nextProblem === undefined);
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {balance > 0n && (
        <>
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 text-small font-medium">How much</legend>
            <Radio name="how-much" isChosen={choice === "everything"} choose={() => setChoice("everything")}>
              Everything, {usdcText(balance)}
            </Radio>
            <Radio name="how-much" isChosen={choice === "amount"} choose={() => setChoice("amount")}>
              An amount
            </Radio>
          </fieldset>
          {choice === "amount" && (
            <UsdcField
              value={text}
              onText={(typed) => {
                setText(typed);
                setProblem(undefined);
              }}
              error={problem}
            />
          )}
          {pending > 0n && <PendingWarning pending={pending} />}
          <Button type="submit" wide busy={movement?.outcome.type === "pending"}>
            {amount === null ? "Withdraw" : `Withdraw ${usdcText(amount)}`}
          </Button>
        </>
      )}
      {movement ? (
        <MovementNote kind="withdrawal" sum={usdcText(movement.amount)} outcome={movement.outcome} />
      ) : (
        <p className="text-small text-ink-2">
          {balance === 0n ? "There is nothing to withdraw on this network." : "No gas: we pay the network for you."}
        </p>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Withdraw ${usdcText(amount ?? 0n)}`}
        verb={choice === "everything" ? "Withdraw everything" : `Withdraw ${usdcText(amount ?? 0n)}`}
        onConfirm={() => move({ network, ...(choice === "amount" && { amount: String(amount) }) }, amount ?? 0n)}
      >
        <div className="grid gap-3">
          <p>
            It goes to your own address on {networkLabel}, and nowhere else:{" "}
            <span className="mono text-ink [overflow-wrap:anywhere]">{owner}</span>
          </p>
          {choice === "everything" && <p>It is all that the wallet holds at the moment you confirm.</p>}
          {pending > 0n && <PendingWarning pending={pending} />}
        </div>
      </Confirm>
    </form>
  );
}

function PendingWarning({ pending }: { pending: bigint }) {
  return (
    <Note tone="warn">
      Your agents have signed for {usdcText(pending)} that has not moved yet. If the wallet no longer holds enough,
      those payments fail.
    </Note>
  );
}

function problemWith(amount: bigint | null, balance: bigint): string | undefined {
  if (amount === null) return "Enter an amount above zero with at most six decimals, for example, 12.50.";
  return amount > balance ? `Your spending wallet holds ${usdcText(balance)}.` : undefined;
}
