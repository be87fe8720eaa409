import type { Hex } from "viem";
import type { System } from "@/lib/platform/context";
import { stillValidUntil } from "@/lib/settlements/contract";
import { type Timeline as SettlementTimeline, timelineOf } from "@/lib/settlements/timeline";
import { statusOf } from "./rules";
import type { FullLeg } from "./store";
import type { PayoutView } from "./views";

/** A recorded step of a payout. */
export type PayoutStep =
  | { kind: "requested"; occurredAt: Date; by: "agent" | "owner" }
  | { kind: "approved"; occurredAt: Date; by: "mandate" | "owner" }
  | { kind: "denied" | "cancelled" | "expired"; occurredAt: Date }
  /** All its transfers were signed and claimed. */
  | { kind: "claimed"; occurredAt: Date }
  /** Preparation and broadcast of the transfers, and a reorganisation that undid them. */
  | Extract<SettlementTimeline["steps"][number], { kind: "prepared" | "sent" | "undone" }>
  | { kind: "settled"; occurredAt: Date; hash: Hex | null; block: bigint | null; count: number }
  | { kind: "failed"; occurredAt: Date; code: string | null; count: number }
  /** The service stopped submitting transfers, which can still be made until `until`. */
  | { kind: "declined"; occurredAt: Date; code: string | null; until: Date | null; count: number }
  /** All transfers have the configured number of confirmations. */
  | { kind: "succeeded"; occurredAt: Date };

export type PayoutTimeline = { steps: PayoutStep[]; readTo: SettlementTimeline["readTo"] };

/** The history of a payout from the database, oldest first. */
export async function payoutTimeline(system: System, view: PayoutView): Promise<PayoutTimeline> {
  const { payout: p } = view;
  const transfers = view.legs.flatMap(({ transfer }) => (transfer === null ? [] : [transfer]));
  const decisions: PayoutStep[] = [
    { kind: "requested", occurredAt: p.createdAt, by: p.agentId === null ? "owner" : "agent" },
  ];
  if (p.deniedAt) decisions.push({ kind: "denied", occurredAt: p.deniedAt });
  if (p.cancelledAt) decisions.push({ kind: "cancelled", occurredAt: p.cancelledAt });
  if (statusOf(p, transfers, system.now()) === "expired") decisions.push({ kind: "expired", occurredAt: p.expiresAt });
  if (p.approvedAt) {
    decisions.push({ kind: "approved", occurredAt: p.approvedAt, by: p.mandateId === null ? "owner" : "mandate" });
    decisions.push({ kind: "claimed", occurredAt: p.approvedAt });
  }
  // All transfers normally share one transaction, so the timeline of one is enough. GROUP_FAILED only follows another failure.
  const lead = transfers.find(({ failureCode }) => failureCode !== "GROUP_FAILED") ?? transfers[0];
  const timeline = lead && (await timelineOf(system, lead));
  const steps = [
    ...decisions,
    ...(timeline?.steps ?? []).flatMap((step): PayoutStep[] => {
      const { kind } = step;
      return kind === "prepared" || kind === "sent" || kind === "undone" ? [step] : [];
    }),
    ...endsOf(view, transfers),
  ];
  // The sort is stable: steps at the same time keep the order above, causes first.
  return {
    steps: steps.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime()),
    readTo: timeline?.readTo ?? null,
  };
}

type Transfer = NonNullable<FullLeg["transfer"]>;

function endsOf({ payout: { succeededAt } }: PayoutView, transfers: readonly Transfer[]): PayoutStep[] {
  const settled = transfers.filter(({ state }) => state === "settled");
  const declined = transfers.filter(({ state }) => state === "declined");
  const failed = transfers.filter(({ state }) => state === "void");
  const [first] = settled;
  const cause = causeOf(failed);
  const declineCause = causeOf(declined);
  const steps: PayoutStep[] = [];
  if (first?.endedAt) {
    const { endedAt: time, txHash: hash, blockNumber: block } = first;
    steps.push({ kind: "settled", occurredAt: time, hash, block, count: settled.length });
  }
  if (declineCause?.declinedAt) {
    const { declinedAt: time, failureCode: code } = declineCause;
    steps.push({
      kind: "declined",
      occurredAt: time,
      code,
      until: stillValidUntil(declineCause),
      count: declined.length,
    });
  }
  if (cause?.endedAt) {
    steps.push({ kind: "failed", occurredAt: cause.endedAt, code: cause.failureCode, count: failed.length });
  }
  if (succeededAt) steps.push({ kind: "succeeded", occurredAt: succeededAt });
  return steps;
}

/** The transfer that caused the failure: GROUP_FAILED only says that another transfer of the group failed. */
const causeOf = (transfers: readonly Transfer[]): Transfer | undefined =>
  transfers.find(({ failureCode }) => failureCode !== "GROUP_FAILED") ?? transfers[0];
