"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import type { Usdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";
import { type Outcome, outcomeOf, useSettlementEnd } from "./movement";

export type Deposit = { network: NetworkName; chainId: number; owner: string; wallet: string };

export type DepositStep =
  | { type: "idle" }
  | { type: "rejected" }
  | { type: "signing" | "sending"; amount: Usdc }
  | (Outcome & { amount: Usdc });

/** A signed transfer. Safe to submit again: the nonce settles once. */
type Proof = { network: NetworkName; authorization: Record<string, unknown>; signature: string };

/** A deposit from the amount to its outcome; `onArrival` runs when the money has arrived. */
export function useDeposit({ network, chainId, owner, wallet }: Deposit, onArrival: () => void) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [step, setStep] = useState<DepositStep>({ type: "idle" });
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
