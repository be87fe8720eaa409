"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { type MovementKind, type Outcome, outcomeOf, useSettlementEnd } from "./movement";

type Moved = { settlementId: string; settlementStatus: "settled" | "pending"; amount: string };

/**
 * Moves money out of the spending wallet with a POST to `path` and polls the settlement. `dialog` requests a signature if the POST requires
 * one.
 */
export function useMovement(kind: MovementKind, path: `/${string}`) {
  const router = useRouter();
  const [movement, setMovement] = useState<{ amount: bigint; outcome: Outcome }>();
  const { post, dialog } = useConfirmed();
  const outcome = movement?.outcome;
  const pendingId = outcome?.type === "pending" || outcome?.type === "declined" ? outcome.settlementId : undefined;

  useSettlementEnd(pendingId, kind, (end) => {
    if (movement) show(end, movement.amount);
  });

  function show(nextOutcome: Outcome, amount: bigint) {
    setMovement({ outcome: nextOutcome, amount });
    router.refresh();
  }

  /** Resolves to the reason why nothing was sent, or to undefined when the page shows the outcome. */
  async function move(body: object, amount: bigint): Promise<string | undefined> {
    const response = await post<Moved>(path, body);
    const outcome = outcomeOf(response, kind);
    if (outcome.type === "failed") return `No money moved. ${outcome.reason}`;
    show(outcome, response.ok ? BigInt(response.data.amount) : amount);
    return undefined;
  }

  return { movement, move, dialog };
}
