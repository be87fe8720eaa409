import { STORED_UNIT_BYTES } from "@/lib/core/limits";
import type { Actor, System } from "./context";
import { takeTurn } from "./limiter";

/** Bytes that a request stores in addition to its text: rows, their indexes, an event and its row in the outbox. */
const ROWS_BYTES = 2_048;

export type Storing = {
  /** The client's address. */
  caller: string;
  actor: Actor;
  /** Bytes of texts that the caller chose. */
  bytes: number;
  /** Whether the actor's owner has moved money and is exempt. */
  isPaying: () => Promise<boolean>;
};

/**
 * Counts the bytes stored for a caller who does not pay against the budgets of its address, agent and owner. This bounds the disk space
 * that strangers can use in a day. Returns null, or the seconds until there is room.
 * Why: docs/decisions.md, 416.
 */
export async function takeStorage(system: System, { caller, actor, bytes, isPaying }: Storing): Promise<number | null> {
  if (await isPaying()) return null;
  const units = Math.ceil((ROWS_BYTES + bytes) / STORED_UNIT_BYTES);
  const { agentId = null } = actor.type === "agent" ? actor : {};
  const ownerId = actor.type === "anonymous" ? null : actor.ownerId;
  return (
    (await takeTurn(system, "stored_kb_per_address", caller, units)) ??
    (agentId === null ? null : await takeTurn(system, "stored_kb_per_agent", agentId, units)) ??
    (ownerId === null ? null : await takeTurn(system, "stored_kb_per_owner", ownerId, units))
  );
}
