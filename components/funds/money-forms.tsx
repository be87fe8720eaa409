"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { usdcFault } from "@/components/ui/usdc-fault";
import { UsdcField } from "@/components/ui/usdc-field";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useConnected } from "@/components/wallet/connection";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { parseUsdc, type Usdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";
import { type Outcome, outcomeOf, useSettlementEnd } from "./movement";
import { MovementNote } from "./movement-note";
import { useMovement } from "./use-movement";

export type DepositFormProps = {
  network: Deposit["network"];
  networkLabel: string;
  chainId: number;
  /** The signed-in owner's own wallet, which pays. */
  owner: string;
  /** The spending wallet, which receives. */
  wallet: string;
  /** The balance of the owner's own wallet when the page was rendered; null when the chain did not respond. */
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
    const nextProblem = problemWith(text, amount, available, networkLabel);
    setProblem(nextProblem);
    if (nextProblem !== undefined || amount === null) {
      // The balance of the owner's wallet may have changed since the page was rendered.
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

function problemWith(
  text: string,
  amount: bigint | null,
  available: bigint | null,
  networkLabel: string,
): string | undefined {
  if (amount === null) return usdcFault(text);
  if (available === null || amount <= available) return undefined;
  return `Your own wallet holds ${usdcText(available)} on ${networkLabel}: ${usdcText(amount - available)} too little.`;
}

type Deposit = { network: NetworkName; chainId: number; owner: string; wallet: string };

type DepositState =
  | { type: "idle" }
  | { type: "rejected" }
  | { type: "signing" | "sending"; amount: Usdc }
  | (Outcome & { amount: Usdc });

/** A signed transfer. Safe to submit again: the nonce settles once. */
type Proof = { network: NetworkName; authorization: Record<string, unknown>; signature: string };

/** A deposit from the amount to its outcome; `onArrival` runs when the money has arrived. */
function useDeposit({ network, chainId, owner, wallet }: Deposit, onArrival: () => void) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [step, setStep] = useState<DepositState>({ type: "idle" });
  const [proof, setProof] = useState<Proof>();
  const amount = step.type === "idle" || step.type === "rejected" ? undefined : step.amount;

  const pendingId = step.type === "pending" || step.type === "declined" ? step.settlementId : undefined;
  useSettlementEnd(pendingId, "deposit", (outcome) => {
    if (amount !== undefined) show(outcome, amount);
  });

  function show(outcome: Outcome, depositAmount: Usdc) {
    setStep({ ...outcome, amount: depositAmount });
    if (outcome.type === "settled") onArrival();
    router.refresh();
  }

  async function send(signed: Proof, depositAmount: Usdc) {
    setStep({ type: "sending", amount: depositAmount });
    show(outcomeOf(await callApi("POST", "/api/wallet/deposits", signed), "deposit"), depositAmount);
  }

  async function start(requestedAmount: Usdc) {
    const failed = (reason: string) => setStep({ type: "failed", reason, amount: requestedAmount });
    setStep({ type: "signing", amount: requestedAmount });
    const query = new URLSearchParams({ network, amount: String(requestedAmount) });
    const prepared = await callApi<TypedDataPayload>("GET", `/api/wallet/deposits/typed-data?${query}`);
    if (!prepared.ok) return failed(prepared.message);
    const { message } = prepared.data;
    // The wallet signs only what the page shows: payer, recipient and amount.
    if (message.from !== owner || message.to !== wallet || message.value !== String(requestedAmount)) {
      return failed("The prepared transfer differs from your request. Reload this page and try again.");
    }
    const result = await signTypedData({ owner, chainId, typedData: prepared.data });
    if (result.type === "rejected") return setStep({ type: "rejected" });
    if (result.type === "failed") return failed(result.reason);
    const signed = { network, authorization: message, signature: result.signature };
    setProof(signed);
    await send(signed, requestedAmount);
  }

  async function checkAgain() {
    if (proof && amount !== undefined) await send(proof, amount);
  }

  return { step, start, checkAgain };
}

type WithdrawFormProps = {
  network: NetworkName;
  networkLabel: string;
  /** The address that the owner signs in with: the only recipient of withdrawals. */
  owner: string;
  /** What the wallet holds beside `underWay`. */
  free: bigint;
  /** What transfers claimed before can still take. */
  underWay: bigint;
  /** Reserved for payments that are signed and not completed. */
  pending: bigint;
};

type WithdrawalChoice = "everything" | "amount";

export function WithdrawForm({ network, networkLabel, owner, free, underWay, pending }: WithdrawFormProps) {
  const [choice, setChoice] = useState<WithdrawalChoice>("everything");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { movement, move } = useMovement("withdrawal", "/api/wallet/withdrawals");
  const amount = choice === "everything" ? free : parseUsdc(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    const nextProblem = withdrawalProblem(text, amount, free);
    setProblem(nextProblem);
    setAsking(nextProblem === undefined);
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {free > 0n && (
        <>
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 text-small font-medium">How much</legend>
            <Radio name="how-much" isChosen={choice === "everything"} choose={() => setChoice("everything")}>
              Everything{underWay > 0n && " else"}, {usdcText(free)}
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
          {free > 0n ? "No gas: we pay the network for you." : underWay === 0n && "Your spending wallet is empty."}
          {underWay > 0n && ` Transfers of ${usdcText(underWay)} from this wallet are under way or can still be made.`}
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
          {choice === "everything" && (
            <p>It is all that the wallet holds and no transfer can still take, at the moment you confirm.</p>
          )}
          {pending > 0n && <PendingWarning pending={pending} />}
        </div>
      </Confirm>
    </form>
  );
}

function PendingWarning({ pending }: { pending: bigint }) {
  return (
    <Note tone="warn">
      Payments of your agents for {usdcText(pending)} are signed and not settled yet. If the wallet no longer holds
      enough, they fail.
    </Note>
  );
}

function withdrawalProblem(text: string, amount: bigint | null, free: bigint): string | undefined {
  if (amount === null) return usdcFault(text);
  return amount > free ? `You can withdraw ${usdcText(free)}.` : undefined;
}
