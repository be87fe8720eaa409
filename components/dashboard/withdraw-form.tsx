"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { formatAmount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/money";
import { callApi } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";
import { type Outcome, outcomeOf, useSettlementEnd } from "./movement";
import { MovementNote } from "./movement-note";

export type WithdrawFormProps = {
  network: NetworkName;
  networkLabel: string;
  /** The address the owner signs in with: the only one money is sent to. */
  owner: string;
  balance: bigint;
  /** Reserved for payments that agents have signed for and not finished. */
  pending: bigint;
};

type Choice = "everything" | "amount";

/** Money back to the owner's own address. */
export function WithdrawForm({ network, networkLabel, owner, balance, pending }: WithdrawFormProps) {
  const [choice, setChoice] = useState<Choice>("everything");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { movement, withdraw } = useWithdrawal(network);
  const asked = choice === "everything" ? balance : parseUsdc(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemWith(asked, balance);
    setProblem(found);
    setAsking(found === undefined);
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {balance > 0n && (
        <>
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 text-small font-medium">How much</legend>
            <Option choice="everything" chosen={choice} choose={setChoice}>
              Everything, {write(balance)}
            </Option>
            <Option choice="amount" chosen={choice} choose={setChoice}>
              An amount
            </Option>
          </fieldset>
          {choice === "amount" && (
            <TextField
              label="Amount"
              suffix="USDC"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0.00"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setProblem(undefined);
              }}
              error={problem}
            />
          )}
          {pending > 0n && <PendingWarning pending={pending} />}
          <Button type="submit" wide busy={movement?.outcome.at === "pending"}>
            {asked === null ? "Withdraw" : `Withdraw ${write(asked)}`}
          </Button>
        </>
      )}
      {movement ? (
        <MovementNote kind="withdrawal" sum={write(movement.amount)} outcome={movement.outcome} />
      ) : (
        <p className="text-small text-ink-2">
          {balance === 0n ? "There is nothing to withdraw on this network." : "No gas: we pay the network for you."}
        </p>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Withdraw ${write(asked ?? 0n)}`}
        verb={choice === "everything" ? "Withdraw everything" : `Withdraw ${write(asked ?? 0n)}`}
        onConfirm={() => withdraw(asked ?? 0n, choice === "everything")}
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
      Your agents have signed for {write(pending)} that has not moved yet. If the wallet no longer holds enough, those
      payments fail.
    </Note>
  );
}

type OptionProps = { choice: Choice; chosen: Choice; choose: (choice: Choice) => void; children: React.ReactNode };

function Option({ choice, chosen, choose, children }: OptionProps) {
  return (
    <label className="flex min-h-8 items-center gap-3 text-control max-sm:min-h-11">
      <input
        type="radio"
        name="how-much"
        value={choice}
        checked={chosen === choice}
        onChange={() => choose(choice)}
        className="size-4.5 shrink-0 accent-brand"
      />
      <span>{children}</span>
    </label>
  );
}

function useWithdrawal(network: NetworkName) {
  const router = useRouter();
  const [movement, setMovement] = useState<{ amount: bigint; outcome: Outcome }>();
  const pendingId = movement?.outcome.at === "pending" ? movement.outcome.settlementId : undefined;

  useSettlementEnd(pendingId, "withdrawal", (outcome) => {
    if (movement) show(outcome, movement.amount);
  });

  function show(outcome: Outcome, amount: bigint) {
    setMovement({ outcome, amount });
    router.refresh();
  }

  /** Resolves to why nothing was sent, or to nothing when the page has more to say. */
  async function withdraw(amount: bigint, isEverything: boolean): Promise<string | undefined> {
    const body = { network, ...(!isEverything && { amount: String(amount) }) };
    const answer = await callApi<Moved>("POST", "/api/wallet/withdrawals", body);
    const outcome = outcomeOf(answer, "withdrawal");
    if (outcome.at === "failed") return `No money moved. ${outcome.reason}`;
    show(outcome, answer.ok ? BigInt(answer.data.amount) : amount);
    return undefined;
  }

  return { movement, withdraw };
}

type Moved = { settlementId: string; settlementStatus: "settled" | "pending"; amount: string };

function problemWith(amount: bigint | null, balance: bigint): string | undefined {
  if (amount === null) return "Write an amount above zero with at most six decimals, as 12.50.";
  return amount > balance ? `Your spending wallet holds ${write(balance)}.` : undefined;
}

const write = (atomic: bigint) => `${formatAmount(formatUsdc(toUsdc(atomic)))} USDC`;
