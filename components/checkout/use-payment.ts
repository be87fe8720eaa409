"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { forget, type Kept, keep, recall, recallAll } from "./memory";
import type { Outcome } from "./present";
import { follow, present } from "./presenting";
import { endVisit } from "./visit";

export type Payment =
  | { type: "idle" }
  | { type: "submitting"; kept: Kept }
  | { type: "unknown"; kept: Kept }
  | { type: "used"; kept: Kept }
  | Extract<Outcome, { type: "failed" }>
  | (Extract<Outcome, { type: "declined" }> & { kept: Kept })
  /** `isNew`: the payment ended during this visit. Otherwise the browser stored it earlier. */
  | (Extract<Outcome, { type: "pending" | "settled" }> & { kept: Kept; isNew: boolean });

export type PaymentFlow = ReturnType<typeof usePaymentFlow>;

/** State of one payment, from the signature to the outcome. Independent of the wallet code. */
export function usePaymentFlow(linkId: string) {
  const router = useRouter();
  const [payment, setPayment] = useState<Payment>({ type: "idle" });
  const [isSigning, setSigning] = useState(false);
  // The settlement id of a payment whose payer chose to pay again.
  const [repeated, setRepeated] = useState<string>();

  function show(proof: Kept, outcome: Outcome, isNew: boolean) {
    switch (outcome.type) {
      case "pending":
        keep({ ...proof, settlementId: outcome.settlementId });
        return setPayment({ ...outcome, kept: proof, isNew: true });
      case "settled":
        keep({ ...proof, settlementId: outcome.settlementId });
        setPayment({ ...outcome, kept: proof, isNew });
        // The link has one use less.
        return isNew && router.refresh();
      case "failed":
        // Forget it: presented again without the payer, it might pay after the page said that nothing was paid.
        forget(proof);
        setPayment(outcome);
        // The link may have closed or changed.
        return router.refresh();
      case "declined":
        // Keep it: while this signature can be used, the page requests no other.
        keep(outcome.settlementId === null ? proof : { ...proof, settlementId: outcome.settlementId });
        return setPayment({ ...outcome, kept: proof });
      case "unknown":
      case "used":
        return setPayment({ type: outcome.type, kept: proof });
      default:
        return outcome satisfies never;
    }
  }

  /** Stores the signed proof, then presents it. */
  async function submit(proof: Kept) {
    keep(proof);
    setPayment({ type: "submitting", kept: proof });
    show(proof, await present(proof, false), true);
  }

  /** Resumes with a proof that `payer` signed here before. Returns false if there is none: the payer may sign a new one. */
  function resume(payer: string): boolean {
    const proof = recall(linkId, payer);
    if (!proof || (repeated !== undefined && proof.settlementId === repeated)) return false;
    pickUp(proof);
    return true;
  }

  function pickUp(proof: Kept) {
    if (proof.settlementId === undefined) setPayment({ type: "unknown", kept: proof });
    else setPayment({ type: "pending", kept: proof, settlementId: proof.settlementId, txHash: null, isNew: false });
  }

  /** Starts another payment after the payer has seen the outcome of this one. */
  function payAgain() {
    if (payment.type === "used") forget(payment.kept);
    if (payment.type === "settled") {
      setRepeated(payment.settlementId);
      endVisit(linkId);
    }
    setPayment({ type: "idle" });
    router.refresh();
  }

  /** Reads the state once; returns whether the payment has ended. */
  async function readOnce(): Promise<boolean> {
    if (payment.type === "unknown" || payment.type === "used") {
      const outcome = await present(payment.kept, true);
      show(payment.kept, outcome, true);
      return outcome.type === "settled" || outcome.type === "failed" || outcome.type === "used";
    }
    if (payment.type === "declined") return readDeclined(payment);
    return payment.type !== "pending" || lookUp(payment.kept, payment.settlementId, payment.isNew);
  }

  /** A declined signature is presented again only after it has expired, or when the payer presses "Try again". */
  async function readDeclined({
    kept: proof,
    settlementId,
    until,
  }: Extract<Payment, { type: "declined" }>): Promise<boolean> {
    if (settlementId !== null) return lookUp(proof, settlementId, true);
    if (Date.now() < Date.parse(until)) return false;
    const outcome = await present(proof, true);
    show(proof, outcome, true);
    return outcome.type === "settled" || outcome.type === "failed";
  }

  /** Presents the same signature again: it moves the money at most once. */
  async function tryAgain() {
    if (payment.type !== "declined") return;
    const { kept: proof } = payment;
    setPayment({ type: "submitting", kept: proof });
    show(proof, await present(proof, true), true);
  }

  async function lookUp(proof: Kept, settlementId: string, isNew: boolean): Promise<boolean> {
    const outcome = await follow(settlementId, proof.secret);
    if (outcome === undefined) return false;
    if (outcome !== "missing") {
      show(proof, outcome, isNew);
      return outcome.type === "settled" || outcome.type === "failed";
    }
    forget(proof);
    setPayment({ type: "idle" });
    return true;
  }

  /**
   * Shows the payment that this browser stored, also one by another tab (`news`). Of those only what the service has accepted: a second tab
   * that presented the proof as well could pay after the first one was refused.
   */
  const remember = useEffectEvent((news?: Event) => {
    const proof = recallAll(linkId).find(({ settlementId }) => !news || settlementId);
    if (news && (payment.type !== "idle" || isSigning || proof?.settlementId === repeated)) return;
    if (proof?.settlementId === undefined) return proof && pickUp(proof);
    void lookUp(proof, proof.settlementId, false);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each link has a memory of its own
  useEffect(() => {
    const listen = (news?: Event) => remember(news);
    listen();
    addEventListener("storage", listen);
    return () => removeEventListener("storage", listen);
  }, [linkId]);

  const poll = useEffectEvent(readOnce);
  const isOpen = payment.type === "pending" || payment.type === "unknown" || payment.type === "declined";
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    let rounds = 0;
    let timer = setTimeout(next, FIRST_MS);
    async function next() {
      const hasEnded = await poll();
      rounds++;
      if (!isOver && !hasEnded) timer = setTimeout(next, Math.min(SLOW_MS, FAST_MS + rounds * 500));
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen]);

  return {
    payment,
    isSigning,
    setSigning,
    submit,
    resume,
    payAgain,
    tryAgain: () => void tryAgain(),
    checkNow: () => void readOnce(),
  };
}

const FIRST_MS = 300;
const FAST_MS = 1_500;
const SLOW_MS = 15_000;
