import { listEverOwned } from "@/lib/agents/service";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { listEvents, type PastEvent } from "@/lib/platform/events";
import { type StreamedChange, streamsOf } from "./streams";

/** Number of newest events that are searched for those a page has missed. */
const NEWEST_MAX = 200;
/** Events become visible out of order: a transaction may be longer, or a process's clock slower. A newly loaded page needs no overlap. */
const OVERLAP_SECONDS = 60;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // `no-transform`: compression would buffer the stream.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** The last event that a reconnecting browser received, or the newest event that a newly loaded page contains. */
export type From = { lastEventId: string; isReconnecting: boolean };

/** Streams the owner's events from now on, and those since `from`. Throws rate_limited, unavailable. */
export async function listen(ctx: Ctx<Owner>, from: From | null): Promise<Response> {
  await limit(ctx, "stream_per_owner", ctx.actor.ownerId);
  // Opened before the events are read, so that no event falls between the two.
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

/** The id of the owner's newest event, or null. A page rendered now contains everything up to it. */
export const newestEventId = async (ctx: Ctx<Owner>): Promise<string | null> =>
  (await newestEvents(ctx, 1))[0]?.id ?? null;

/** Ends the streams of this process and accepts no new ones. Browsers reconnect, to another process if there is one. */
export const endStreams = (system: System): void => streamsOf(system).close();

async function newestEvents(ctx: Ctx<Owner>, limit: number): Promise<PastEvent[]> {
  const agentIds = (await listEverOwned(ctx)).map(({ id }) => id);
  return listEvents(ctx.db, { ownerId: ctx.actor.ownerId, agentIds, limit });
}

/** Oldest first. */
export function missedSince(
  newest: readonly Pick<PastEvent, "id" | "type" | "createdAt">[],
  { lastEventId, isReconnecting }: From,
): readonly StreamedChange[] {
  const last = newest.find(({ id }) => id === lastEventId);
  if (!last) return [{ id: null, kind: "missed" }];
  const since = addSeconds(last.createdAt, -OVERLAP_SECONDS);
  const missedEvents = isReconnecting
    ? newest.filter(({ id, createdAt }) => id !== lastEventId && createdAt >= since)
    : newest.slice(0, newest.indexOf(last));
  return missedEvents.map(({ id, type }) => ({ id, kind: type })).reverse();
}
