import { add, type Usdc, ZERO } from "@/lib/core/usdc";
import type { ExceededCap, SpendingCapView } from "@/lib/mandates/caps/contract";
import type { TogetherItem } from "./together-types";

export type ExceededTogether = Pick<ExceededCap, "window" | "remainingAmount" | "canAsk"> & {
  /** The agent whose spending the cap limits; null: of all agents. */
  agent: TogetherItem["agent"];
  /** What the items spend of it. */
  amount: Usdc;
};

/** The caps that the items exceed together, each window on its own. */
export const exceededTogether = (
  items: readonly Pick<TogetherItem, "network" | "agent" | "amount">[],
  caps: readonly SpendingCapView[],
): readonly ExceededTogether[] =>
  caps.flatMap(({ network, agentId, waitingMax, last24Hours, last30Days }) => {
    const counted = items
      .filter((item) => item.network === network && item.agent !== null)
      .filter(({ agent }) => agentId === null || agent?.id === agentId);
    const amount = counted.reduce<Usdc>((sum, item) => add(sum, item.amount), ZERO);
    const agent = agentId === null ? null : (counted[0]?.agent ?? null);
    const windows = [
      { window: "24_hours", use: last24Hours },
      { window: "30_days", use: last30Days },
    ] as const;
    return windows.flatMap(({ window, use }) =>
      use !== null && amount > use.remainingAmount
        ? [{ agent, window, amount, remainingAmount: use.remainingAmount, canAsk: waitingMax > 0 }]
        : [],
    );
  });
