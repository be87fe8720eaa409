import { STORED_UNIT_BYTES } from "@/lib/core/limits";
import type { Actor, System } from "@/lib/platform/context";
import { takeTurns } from "@/lib/platform/limiter";
import { edgeErrors } from "./errors";

/** What a request stores beside its text: rows, their indexes, an event and its place in the outbox. */
const ROWS_BYTES = 2_048;

export type Storing = {
  /** The client's address. */
  caller: string;
  actor: Actor;
  /** Bytes of texts that the caller chose. */
  bytes: number;
  /** Whether money of this owner has moved: who pays is not limited here. */
  isPaying: () => Promise<boolean>;
};

/**
 * Counts what a caller has the service store without paying, against the budgets of its address, agent and owner. Whatever a stranger
 * may send, and however short each call is, a day's disk is bounded. Throws rate_limited.
 */
export async function takeStorage(system: System, { caller, actor, bytes, isPaying }: Storing): Promise<void> {
  if (await isPaying()) return;
  const units = Math.ceil((ROWS_BYTES + bytes) / STORED_UNIT_BYTES);
  const { agentId = null } = actor.type === "agent" ? actor : {};
  const ownerId = actor.type === "anonymous" ? null : actor.ownerId;
  const retryAfterSeconds =
    (await takeTurns(system, "stored_kb_per_address", caller, units)) ??
    (agentId && (await takeTurns(system, "stored_kb_per_agent", agentId, units))) ??
    (ownerId && (await takeTurns(system, "stored_kb_per_owner", ownerId, units)));
  if (typeof retryAfterSeconds === "number") throw edgeErrors.rate_limited({ retryAfterSeconds });
}
