"use client";

import { useEffect, useEffectEvent } from "react";
import { failureWords } from "@/components/payments/failure-words";
import { type Answer, callApi, isUnknown } from "@/lib/http/client";

/** The state of a transfer that was submitted to the service. */
export type Outcome =
  | { type: "pending"; settlementId: string }
  | { type: "settled"; settlementId: string }
  | { type: "failed"; reason: string }
  /** No longer submitted, but valid until `until` (ISO 8601). `settlementId` is null if the transfer was never accepted. */
  | { type: "declined"; settlementId: string | null; reason: string; until: string }
  /** The connection broke: the request may or may not have arrived. */
  | { type: "unknown" };

export type MovementKind = "deposit" | "withdrawal" | "credits";

type Wire = { settlementId: string; settlementStatus: "settled" | "pending" };

/** Reads the response to a request that moves money. */
export function outcomeOf(response: Answer<Wire>, kind: MovementKind): Outcome {
  if (response.ok) return { type: response.data.settlementStatus, settlementId: response.data.settlementId };
  const { settlementId, failureCode, stillValidUntil: until } = response.details ?? {};
  if (response.code === "settlement_failed") {
    const reason = failureWords(failureCode, kind);
    if (typeof until === "string")
      return { type: "declined", settlementId: typeof settlementId === "string" ? settlementId : null, reason, until };
    return { type: "failed", reason };
  }
  // Submitted before: its settlement has the outcome.
  if (response.status === 409 && typeof settlementId === "string") return { type: "pending", settlementId };
  // PAYMENT_ALREADY_USED without a settlement: the signature was presented elsewhere and may have paid.
  if (response.code === "PAYMENT_ALREADY_USED" || isUnknown(response)) return { type: "unknown" };
  return { type: "failed", reason: SENTENCES[response.code] ?? response.message };
}

const SENTENCES: Record<string, string> = {
  insufficient_balance:
    "Your spending wallet holds less than that, beside transfers that are under way or can still be made.",
  rate_limited: "Too many requests. Wait a minute, then try again.",
};

const POLL_MS = 2_000;

/** Polls a settlement until it ends. Calls `onEnd` when the settlement is declined, and again when it ends. */
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
      const response = await callApi<SettlementWire>("GET", `/api/settlements/${id}`);
      if (isOver) return;
      const status = response.ok ? response.data.settlementStatus : "pending";
      if (status === "settled") end({ type: "settled", settlementId: id });
      else if (status === "failed" && response.ok)
        end({ type: "failed", reason: failureWords(response.data.failureCode, kind) });
      else if (response.ok && response.data.stillValidUntil !== null && !isDeclined) {
        isDeclined = true;
        const { failureCode, stillValidUntil: until } = response.data;
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
