import type { Hex } from "viem";
import type { System } from "@/lib/platform/context";
import { listSubjectEvents, type PastEvent } from "@/lib/platform/events";
import * as store from "./relayer/store";
import type { Settlement } from "./store";
import { cursor as readCursor } from "./store";

/** One recorded step of a settlement. */
export type TimelineStep =
  /** The proof was checked, accepted and stored. */
  | { kind: "claimed"; occurredAt: Date }
  /** A transaction that contains it was signed and stored. */
  | { kind: "prepared"; occurredAt: Date; retries: number }
  /** One signed version of that transaction. `occurredAt`: when a node last accepted it, or when it was signed if none has. */
  | { kind: "sent"; occurredAt: Date; hash: Hex; attempt: number; isTaken: boolean }
  /** We stopped submitting it; anyone else can submit it until `until`. */
  | { kind: "declined"; occurredAt: Date; code: string | null; until: Date | null }
  /** The chain shows that it can never move. */
  | { kind: "failed"; occurredAt: Date; code: string | null }
  /** The chain shows the transfer. */
  | { kind: "settled"; occurredAt: Date; hash: Hex; block: bigint | null; isOurs: boolean; isLate: boolean }
  /** It had settled in a block that the chain later replaced. */
  | { kind: "undone"; occurredAt: Date };

export type Timeline = {
  steps: TimelineStep[];
  /** The last block read on its network; null before the first. */
  readTo: { block: bigint; time: Date } | null;
};

/** The history of a settlement, from our own records. */
export async function timelineOf(system: System, row: Settlement): Promise<Timeline> {
  const { network, signer, relayerNonce, agentId, ownerId, id: subject } = row;
  const key = signer !== null && relayerNonce !== null ? { network, signer, nonce: relayerNonce } : null;
  const span = { from: row.createdAt, to: row.endedAt ?? system.now() };
  const [transaction, attempts, events, cursor] = await Promise.all([
    key && store.transaction(system.db, key),
    key ? store.attempts(system.db, key) : [],
    listSubjectEvents(system.db, { agentId, ownerId, subject, ...span }),
    readCursor(system.db, network),
  ]);
  return {
    steps: stepsOf(row, { transaction, attempts, events }),
    readTo: cursor && { block: cursor.blockNumber, time: cursor.blockTime },
  };
}

export type Subject = Pick<
  Settlement,
  "state" | "attempts" | "createdAt" | "endedAt" | "txHash" | "blockNumber" | "isLate"
>;
export type Records = {
  transaction: Pick<store.RelayerTransaction, "createdAt"> | null;
  /** Newest first. */
  attempts: readonly Pick<store.RelayerAttempt, "hash" | "createdAt" | "sentAt">[];
  /** Oldest first. */
  events: readonly Happening[];
};
type Happening = Pick<PastEvent, "type" | "createdAt" | "meta">;

/** The steps in chronological order. */
export function stepsOf(row: Subject, { transaction, attempts, events }: Records): TimelineStep[] {
  const sentSteps = attempts.toReversed().map(({ hash, sentAt, createdAt }, index): TimelineStep => {
    return { kind: "sent", occurredAt: sentAt ?? createdAt, hash, attempt: index + 1, isTaken: sentAt !== null };
  });
  const prepared: TimelineStep[] = transaction
    ? [{ kind: "prepared", occurredAt: transaction.createdAt, retries: row.attempts }]
    : [];
  const ends = events.map((event): TimelineStep | null => endOf(row, event, attempts)).filter((step) => step !== null);
  const steps = [{ kind: "claimed" as const, occurredAt: row.createdAt }, ...prepared, ...sentSteps, ...ends];
  // The sort is stable: steps with the same time keep the causal order above.
  return steps.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
}

function endOf(
  row: Subject,
  { type, createdAt: time, meta }: Happening,
  attempts: Records["attempts"],
): TimelineStep | null {
  const code = typeof meta.failureCode === "string" ? meta.failureCode : null;
  if (type === "settlement.declined") {
    const until = typeof meta.stillValidUntil === "string" ? new Date(meta.stillValidUntil) : null;
    return { kind: "declined", occurredAt: time, code, until };
  }
  // If the settlement is not void now, a reorganisation removed the block that showed the failure.
  if (type === "settlement.failed") return row.state === "void" ? { kind: "failed", occurredAt: time, code } : null;
  if (type !== "settlement.settled") return null;
  // If this is not the current end, a reorganisation removed its block.
  if (row.state !== "settled" || row.endedAt?.getTime() !== time.getTime() || row.txHash === null) {
    return { kind: "undone", occurredAt: time };
  }
  const isOurs = attempts.some(({ hash }) => hash === row.txHash);
  return { kind: "settled", occurredAt: time, hash: row.txHash, block: row.blockNumber, isOurs, isLate: row.isLate };
}
