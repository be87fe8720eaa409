"use client";

import { useEffect, useEffectEvent } from "react";
import { failureWords } from "@/components/payments/failure-words";
import { type Answer, callApi, isUnknown } from "@/lib/http/client";

/** The known state of a transfer that was submitted to us. */
export type Outcome =
  | { type: "pending"; settlementId: string }
  | { type: "settled"; settlementId: string }
  | { type: "failed"; reason: string }
  /** We stopped submitting it, and it can still be made until `until` (ISO 8601). With a null settlement, it was never accepted. */
  | { type: "declined"; settlementId: string | null; reason: string; until: string }
  /** The connection broke: the request may or may not have arrived. */
  | { type: "unknown" };

export type MovementKind = "deposit" | "withdrawal" | "credits";

type Wire = { settlementId: string; settlementStatus: "settled" | "pending" };

/** Reads the response to a request that moves money. */
export function outcomeOf(answer: Answer<Wire>, kind: MovementKind): Outcome {
  if (answer.ok) return { type: answer.data.settlementStatus, settlementId: answer.data.settlementId };
  const { settlementId, failureCode, stillValidUntil: until } = answer.details ?? {};
  if (answer.code === "settlement_failed") {
    const reason = failureWords(failureCode, kind);
    if (typeof until === "string")
      return { type: "declined", settlementId: typeof settlementId === "string" ? settlementId : null, reason, until };
    return { type: "failed", reason };
  }
  // Submitted before: its settlement has the outcome.
  if (answer.status === 409 && typeof settlementId === "string") return { type: "pending", settlementId };
  // Without a settlement, somebody else used the signature: it may have paid.
  if (answer.code === "PAYMENT_ALREADY_USED" || isUnknown(answer)) return { type: "unknown" };
  return { type: "failed", reason: SENTENCES[answer.code] ?? answer.message };
}

const SENTENCES: Record<string, string> = {
  insufficient_balance: "Your spending wallet holds less than that.",
  session_required: "Your session has ended. Sign in again.",
  rate_limited: "Too many requests. Wait a minute, then try again.",
};

const POLL_MS = 2_000;

/** Polls a settlement until it ends. Calls `onEnd` when it is declined and when it ends. */
export function useSettlementEnd(
  settlementId: string | null | undefined,
  kind: MovementKind,
  onEnd: (outcome: Outcome) => void,
): void {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (settlementId === undefined || settlementId === null) return;
    let isOver = false;
    let isDeclined = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll(id: string) {
      const answer = await callApi<SettlementWire>("GET", `/api/settlements/${id}`);
      if (isOver) return;
      const status = answer.ok ? answer.data.settlementStatus : "pending";
      if (status === "settled") end({ type: "settled", settlementId: id });
      else if (status === "failed" && answer.ok)
        end({ type: "failed", reason: failureWords(answer.data.failureCode, kind) });
      else if (answer.ok && answer.data.stillValidUntil !== null && !isDeclined) {
        isDeclined = true;
        const { failureCode, stillValidUntil: until } = answer.data;
        end({ type: "declined", settlementId: id, reason: failureWords(failureCode, kind), until });
        timer = setTimeout(poll, POLL_MS, id);
      } else timer = setTimeout(poll, POLL_MS, id);
    }
    void poll(settlementId);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [settlementId, kind]);
}

type SettlementWire = {
  settlementStatus: "pending" | "settled" | "failed";
  failureCode: string | null;
  stillValidUntil: string | null;
};
