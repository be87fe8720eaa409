"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { usdcText } from "@/components/ui/format";
import { usdcFault } from "@/components/ui/usdc-fault";
import { UsdcField } from "@/components/ui/usdc-field";
import { parseUsdc, toUsdc } from "@/lib/core/usdc";
import { creditsWorth, PURCHASE_MAX } from "@/lib/x402/credits";
import { MovementNote } from "./movement-note";
import { useMovement } from "./use-movement";

/** Buys service credits from the spending wallet on Base. `balance` is null while the chain does not respond. */
export function BuyCredits({ balance }: { balance: bigint | null }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { movement, move, dialog } = useMovement("credits", "/api/credits/purchases");
  const amount = parseUsdc(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    const nextProblem = problemWith(text, amount, balance);
    setProblem(nextProblem);
    setAsking(nextProblem === undefined);
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <UsdcField
        label="Buy credits for"
        value={text}
        onText={(typed) => {
          setText(typed);
          setProblem(undefined);
        }}
        error={problem}
      />
      <Button type="submit" wide busy={movement?.outcome.type === "pending"}>
        Buy credits
      </Button>
      {movement && <MovementNote kind="credits" sum={usdcText(movement.amount)} outcome={movement.outcome} />}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Buy credits for ${usdcText(amount ?? 0n)}`}
        verb={`Pay ${usdcText(amount ?? 0n)}`}
        nested={dialog}
        onConfirm={() => move({ amount: String(amount ?? 0n) }, amount ?? 0n)}
      >
        <p>It leaves your spending wallet on Base. Credits pay for scans only, and cannot be turned back into USDC.</p>
      </Confirm>
    </form>
  );
}

function problemWith(text: string, amount: bigint | null, balance: bigint | null): string | undefined {
  if (amount === null) return usdcFault(text);
  if (creditsWorth(toUsdc(amount)) === null) return "Enter an amount in whole cents, for example, 5.00.";
  if (amount > PURCHASE_MAX) return `At most ${usdcText(PURCHASE_MAX)} at once.`;
  if (balance === null) return "Base is not responding. Try again in a minute.";
  return amount > balance ? `Your spending wallet on Base holds ${usdcText(balance)}.` : undefined;
}
