import type { AgentId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import type { Queryable } from "./db";
import { events } from "./tables";

export type Event = {
  type: string;
  subject: string;
  ownerId?: OwnerId | null;
  agentId?: AgentId | null;
  meta?: Record<string, unknown>;
};

/** Writes events in the transaction that makes them true. */
export async function record(db: Queryable, at: Date, ...happened: Event[]): Promise<void> {
  if (happened.length === 0) return;
  await db.insert(events).values(
    happened.map(({ type, subject, ownerId, agentId, meta }) => ({
      id: newId("event"),
      type,
      subject,
      ownerId: ownerId ?? null,
      agentId: agentId ?? null,
      meta: meta ?? {},
      createdAt: at,
    })),
  );
}
