import { listEverOwned } from "@/lib/agents/service";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { listEvents, type PastEvent } from "@/lib/platform/events";
import { type Shown, streamsOf } from "./streams";

/** The newest events of the owner that a page that was away is told of. */
const NEWEST_MAX = 200;
/** An event with an earlier time may become visible later: its transaction was longer, or its process has a slower clock. A page has just read everything. */
const OVERLAP_SECONDS = 60;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compressed, it would wait in a buffer.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** The newest event that a browser had when it was disconnected, or that a page shows which connects for the first time. */
export type From = { lastEventId: string; isReconnecting: boolean };

/** A stream of what happens to the owner from now on, and since `from`. Throws rate_limited and unavailable. */
export async function listen(ctx: Ctx<Owner>, from: From | null): Promise<Response> {
  await limit(ctx, "stream_per_owner", ctx.actor.ownerId);
  // Opened before the events are read, so that none is between.
  const stream = streamsOf(ctx).open(ctx.actor, ctx.caller ?? "unknown");
  try {
    const newest = await newestEvents(ctx, NEWEST_MAX);
    stream.begin(from ? missedSince(newest, from) : [], newest[0]?.id ?? null);
  } catch (error) {
    stream.end();
    throw error;
  }
  return new Response(stream.body, { headers: HEADERS });
}

/** The id of the owner's newest event, or null: what a page that is rendered now has seen. */
export const newestEventId = async (ctx: Ctx<Owner>): Promise<string | null> =>
  (await newestEvents(ctx, 1))[0]?.id ?? null;

/** Ends the streams of this process; it opens no others. Browsers reconnect, to another process if there is one. */
export const endStreams = (system: System): void => streamsOf(system).close();

async function newestEvents(ctx: Ctx<Owner>, limit: number): Promise<PastEvent[]> {
  const agentIds = (await listEverOwned(ctx)).map(({ id }) => id);
  return listEvents(ctx.db, { ownerId: ctx.actor.ownerId, agentIds, limit });
}

/** Oldest first. */
export function missedSince(
  newest: readonly Pick<PastEvent, "id" | "type" | "createdAt">[],
  { lastEventId, isReconnecting }: From,
): readonly Shown[] {
  const last = newest.find(({ id }) => id === lastEventId);
  if (!last) return [{ id: null, kind: "missed" }];
  const since = addSeconds(last.createdAt, -OVERLAP_SECONDS);
  const missedEvents = isReconnecting
    ? newest.filter(({ id, createdAt }) => id !== lastEventId && createdAt >= since)
    : newest.slice(0, newest.indexOf(last));
  return missedEvents.map(({ id, type }) => ({ id, kind: type })).reverse();
}
