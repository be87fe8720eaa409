import { add, type Usdc, ZERO } from "@/lib/core/usdc";
import type { ExceededCap, SpendingCapView } from "@/lib/mandates/caps/contract";
import type { NetworkName } from "@/lib/x402/networks";
import type { TogetherItem } from "./together-types";

export type ExceededTogether = Pick<ExceededCap, "window" | "remainingAmount"> & {
  network: NetworkName;
  /** The agent whose spending the cap limits; null: of all agents. */
  agent: TogetherItem["agent"];
  /** What the items spend of it. */
  amount: Usdc;
  /** What happens once the items are approved. `other_refuses`: another exceeded cap counts some of them too, and lets nothing wait. */
  outcome: "paid" | "refused" | "other_refuses";
};

/** The caps that the items exceed together, each window on its own. */
export function exceededTogether(
  items: readonly Pick<TogetherItem, "network" | "agent" | "amount">[],
  caps: readonly SpendingCapView[],
): readonly ExceededTogether[] {
  const exceeded = caps.flatMap(({ network, agentId, waitingMax, last24Hours, last30Days }) => {
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
        ? [{ network, agent, window, amount, remainingAmount: use.remainingAmount, isStrict: waitingMax === 0 }]
        : [],
    );
  });
  const outcomeOf = ({ network, agent, isStrict }: (typeof exceeded)[number]): ExceededTogether["outcome"] => {
    if (isStrict) return "refused";
    const others = exceeded.filter((other) => other.isStrict && other.network === network);
    const isShared = others.some((other) => other.agent === null || agent === null || other.agent.id === agent.id);
    return isShared ? "other_refuses" : "paid";
  };
  return exceeded.map((each) => ({ ...each, outcome: outcomeOf(each) }));
}
