"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { UsdcField } from "@/components/ui/usdc-field";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useConnected } from "@/components/wallet/connection";
import { parseUsdc } from "@/lib/core/usdc";
import { MovementNote } from "./movement-note";
import { type Deposit, useDeposit } from "./use-deposit";

export type DepositFormProps = {
  network: Deposit["network"];
  networkLabel: string;
  chainId: number;
  /** The signed-in owner's own wallet, which pays. */
  owner: string;
  /** The spending wallet, which receives. */
  wallet: string;
  /** The balance of the own wallet when the page was rendered; null when the chain did not respond. */
  available: bigint | null;
};

/** Deposits from the owner's own wallet: they sign once, we pay the gas. */
export function DepositForm({ networkLabel, available, ...deposit }: DepositFormProps) {
  const router = useRouter();
  const { address, find, isFinding } = useConnected();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isConnecting, setConnecting] = useState(false);
  // Cleared, so that a stray second click cannot pay again.
  const { step, start, checkAgain } = useDeposit(deposit, () => setText(""));
  const amount = parseUsdc(text);
  // The earlier signature can still move the money: a second one might move it twice.
  const isOutThere = step.type === "unknown" || (step.type === "declined" && step.settlementId === null);
  const isBusy = isFinding || step.type === "signing" || step.type === "sending" || step.type === "pending";

  const goOn = useEffectEvent(() => {
    setConnecting(false);
    if (amount !== null) void start(amount);
  });

  // A wallet of an earlier visit may also reconnect by itself while the dialog is open.
  useEffect(() => {
    if (isConnecting && address !== undefined) goOn();
  }, [isConnecting, address]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const nextProblem = problemWith(amount, available, networkLabel);
    setProblem(nextProblem);
    if (nextProblem !== undefined || amount === null) {
      // The balance of the own wallet may have changed.
      if (amount !== null) router.refresh();
    } else if ((await find()) === undefined) setConnecting(true);
    else void start(amount);
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <UsdcField
        value={text}
        onText={(typed) => {
          setText(typed);
          setProblem(undefined);
        }}
        readOnly={isBusy || isOutThere}
        error={problem}
        hint={available === null ? undefined : `Your own wallet holds ${usdcText(available)} on ${networkLabel}.`}
      />
      {isOutThere ? (
        <Button variant="primary" wide onClick={checkAgain}>
          Check again
        </Button>
      ) : (
        <Button type="submit" variant="primary" wide busy={isBusy}>
          {amount === null ? "Deposit" : `Deposit ${usdcText(amount)}`}
        </Button>
      )}
      <DepositStep step={step} />
      <ConnectDialog open={isConnecting} onOpenChange={setConnecting} />
    </form>
  );
}

function DepositStep({ step }: { step: ReturnType<typeof useDeposit>["step"] }) {
  switch (step.type) {
    case "idle":
      return <p className="text-small text-ink-2">You only sign. No gas: we pay the network for you.</p>;
    case "signing":
      return (
        <Note tone="info" live="polite">
          Sign in your wallet. Compare the amount and the address with those shown here.
        </Note>
      );
    case "sending":
      return (
        <Note tone="info" live="polite">
          Signed. We are sending it to the network. Do not pay again.
        </Note>
      );
    case "rejected":
      return (
        <Note tone="warn" live="assertive" title="You did not sign">
          No money moved.
        </Note>
      );
    default:
      return <MovementNote kind="deposit" sum={usdcText(step.amount)} outcome={step} />;
  }
}

function problemWith(amount: bigint | null, available: bigint | null, networkLabel: string): string | undefined {
  if (amount === null) return "Enter an amount above zero with at most six decimals, for example, 12.50.";
  if (available === null || amount <= available) return undefined;
  return `Your own wallet holds ${usdcText(available)} on ${networkLabel}: ${usdcText(amount - available)} too little.`;
}
