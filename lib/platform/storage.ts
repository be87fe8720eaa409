import { STORED_UNIT_BYTES } from "@/lib/core/limits";
import type { Actor, System } from "./context";
import { takeTurns } from "./limiter";

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
 * may send, and however short each call is, a day's disk is bounded. Returns null, or the seconds until there is room.
 * Why: docs/decisions.md, 416.
 */
export async function takeStorage(system: System, { caller, actor, bytes, isPaying }: Storing): Promise<number | null> {
  if (await isPaying()) return null;
  const units = Math.ceil((ROWS_BYTES + bytes) / STORED_UNIT_BYTES);
  const { agentId = null } = actor.type === "agent" ? actor : {};
  const ownerId = actor.type === "anonymous" ? null : actor.ownerId;
  return (
    (await takeTurns(system, "stored_kb_per_address", caller, units)) ??
    (agentId === null ? null : await takeTurns(system, "stored_kb_per_agent", agentId, units)) ??
    (ownerId === null ? null : await takeTurns(system, "stored_kb_per_owner", ownerId, units))
  );
}
