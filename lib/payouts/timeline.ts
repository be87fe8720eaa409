import type { Hex } from "viem";
import type { System } from "@/lib/platform/context";
import { stillValidUntil } from "@/lib/settlements/contract";
import { type Timeline as SettlementTimeline, timelineOf } from "@/lib/settlements/timeline";
import { type Progress, statusOf } from "./rules";
import type { FullLeg } from "./store";
import type { PayoutView } from "./views";

/** What we wrote down of one payout, step by step. */
export type PayoutStep =
  | { kind: "requested"; at: Date; by: "agent" | "owner" }
  | { kind: "approved"; at: Date; by: "mandate" | "owner" }
  | { kind: "denied" | "cancelled" | "expired"; at: Date }
  /** All of its transfers were signed and stored. */
  | { kind: "claimed"; at: Date }
  /** How they went to the chain, and that it took them back. */
  | Extract<SettlementTimeline["steps"][number], { kind: "prepared" | "sent" | "undone" }>
  | { kind: "settled"; at: Date; hash: Hex | null; block: bigint | null; count: number }
  | { kind: "failed"; at: Date; code: string | null; count: number }
  /** We stopped submitting transfers that can still be made until `until`. */
  | { kind: "declined"; at: Date; code: string | null; until: Date | null; count: number }
  /** Deep enough in the chain to be final. */
  | { kind: "succeeded"; at: Date };

export type PayoutTimeline = { steps: PayoutStep[]; readTo: SettlementTimeline["readTo"] };

/** How a payout came to stand as it does, from our own records, oldest first. */
export async function payoutTimeline(system: System, view: PayoutView): Promise<PayoutTimeline> {
  const transfers = transfersOf(view.legs);
  // All of them go in one transaction: one tells how. One that did not end well only follows the one that was refused.
  const lead = transfers.find(({ failureCode }) => failureCode !== "GROUP_FAILED") ?? transfers[0];
  const timeline = lead && (await timelineOf(system, lead));
  const steps = [
    ...decisionsOf(view, transfers, system.now()),
    ...(timeline?.steps ?? []).flatMap((step): PayoutStep[] => {
      const { kind } = step;
      return kind === "prepared" || kind === "sent" || kind === "undone" ? [step] : [];
    }),
    ...endsOf(view, transfers),
  ];
  // Steps of one moment stay in the order above, which is that of their causes.
  return { steps: steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()), readTo: timeline?.readTo ?? null };
}

type Transfer = NonNullable<FullLeg["transfer"]>;

const transfersOf = (legs: readonly FullLeg[]): Transfer[] =>
  legs.flatMap(({ transfer }) => (transfer === null ? [] : [transfer]));

function decisionsOf({ payout: p }: PayoutView, transfers: readonly Progress[], now: Date): PayoutStep[] {
  const steps: PayoutStep[] = [{ kind: "requested", at: p.createdAt, by: p.agentId === null ? "owner" : "agent" }];
  if (p.deniedAt) steps.push({ kind: "denied", at: p.deniedAt });
  if (p.cancelledAt) steps.push({ kind: "cancelled", at: p.cancelledAt });
  if (statusOf(p, transfers, now) === "expired") steps.push({ kind: "expired", at: p.expiresAt });
  if (p.approvedAt) {
    steps.push({ kind: "approved", at: p.approvedAt, by: p.mandateId === null ? "owner" : "mandate" });
    steps.push({ kind: "claimed", at: p.approvedAt });
  }
  return steps;
}

function endsOf({ payout: { succeededAt } }: PayoutView, transfers: readonly Transfer[]): PayoutStep[] {
  const settled = transfers.filter(({ state }) => state === "settled");
  const declined = transfers.filter(({ state }) => state === "declined");
  const failed = transfers.filter(({ state }) => state === "void");
  const [first] = settled;
  const cause = causeOf(failed);
  const refused = causeOf(declined);
  const steps: PayoutStep[] = [];
  if (first?.endedAt) {
    const { endedAt: at, txHash: hash, blockNumber: block } = first;
    steps.push({ kind: "settled", at, hash, block, count: settled.length });
  }
  if (refused?.declinedAt) {
    const { declinedAt: at, failureCode: code } = refused;
    steps.push({ kind: "declined", at, code, until: stillValidUntil(refused), count: declined.length });
  }
  if (cause?.endedAt) {
    steps.push({ kind: "failed", at: cause.endedAt, code: cause.failureCode, count: failed.length });
  }
  if (succeededAt) steps.push({ kind: "succeeded", at: succeededAt });
  return steps;
}

/** The others of the group only follow the one that was refused. */
const causeOf = (transfers: readonly Transfer[]): Transfer | undefined =>
  transfers.find(({ failureCode }) => failureCode !== "GROUP_FAILED") ?? transfers[0];
