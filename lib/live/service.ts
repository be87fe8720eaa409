import { listEverOwned } from "@/lib/agents/service";
import type { OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import * as sessions from "@/lib/owners/sessions";
import { type AnnouncedChange, changesIn } from "@/lib/platform/announcements";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { listEvents, newestOf, type PastEvent } from "@/lib/platform/events";
import type { Hub } from "@/lib/platform/queue";

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

/** The tabs of a browser share one stream; without Web Locks, each tab opens its own. */
export const OWNER_STREAMS_MAX = 12;
/** Per client address, which may be a whole office. A limit per owner alone is not enough: accounts are free. */
export const ADDRESS_STREAMS_MAX = 100;
const STREAMS_MAX = 2_000;
const RETRY_SECONDS = 30;
const BEAT_MS = 15_000;
/** Unread messages after which a slow browser is disconnected. When it reconnects, it receives what it missed. */
const UNREAD_MAX = 256;
const REMEMBERED_MAX = 500;

type StreamedChange = Pick<AnnouncedChange, "id" | "kind">;

export type Stream = {
  body: ReadableStream<Uint8Array>;
  /** Sends `missed`, then the changes since the stream was opened, then `ready`. `newest`: the id of the newest event. */
  begin: (missed: readonly StreamedChange[], newest: string | null) => void;
  end: () => void;
};

type Open = Stream & {
  owner: Owner;
  caller: string;
  change: (announcement: StreamedChange) => void;
  alive: () => void;
  hasSent: (id: string) => boolean;
};

export type Streams = {
  /**
   * Opens a stream for a client at the address `caller`. Throws rate_limited if the owner or the address has too many, and
   * unavailable if the process is stopping, or is full and no other address has more streams than this one.
   */
  open: (owner: Owner, caller: string) => Stream;
  /** Ends streams whose session has ended, and sends `missed` where an announcement was lost. */
  beat: () => Promise<void>;
  /** Ends all streams; no stream can be opened afterwards. */
  close: () => void;
};

const shared = new WeakMap<Hub, Streams>();

export function streamsOf(system: System): Streams {
  const streams = shared.get(system.hub) ?? createStreams(system);
  shared.set(system.hub, streams);
  return streams;
}

export function createStreams(system: System, streamsMax = STREAMS_MAX): Streams {
  const byOwner = new Map<OwnerId, Set<Open>>();
  const byCaller = new Map<string, Set<Open>>();
  let count = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let stopListening: (() => void) | null = null;

  const all = () => [...byOwner.values()].flatMap((streams) => [...streams]);

  async function beat() {
    const streams = all();
    const ids = streams.flatMap(({ owner }) => owner.sessionId ?? []);
    const [live, newest] = await Promise.all([
      sessions.stillLive(system, ids),
      newestOf(system.db, [...new Set(streams.map(({ owner }) => owner.ownerId))]),
    ]);
    for (const stream of streams) {
      const { sessionId } = stream.owner;
      if (sessionId !== undefined && !live.has(sessionId)) {
        stream.end();
        continue;
      }
      const id = newest.get(stream.owner.ownerId);
      if (id !== undefined && !stream.hasSent(id)) stream.change({ id, kind: "missed" });
      stream.alive();
    }
  }

  function forget(stream: Open) {
    const mine = byOwner.get(stream.owner.ownerId);
    if (!mine?.delete(stream)) return;
    count -= 1;
    if (mine.size === 0) byOwner.delete(stream.owner.ownerId);
    const callerStreams = byCaller.get(stream.caller);
    callerStreams?.delete(stream);
    if (callerStreams?.size === 0) byCaller.delete(stream.caller);
    if (count > 0) return;
    if (timer) clearInterval(timer);
    stopListening?.();
    [timer, stopListening] = [null, null];
  }

  /** Ends the newest stream of the address with the most, if it has more than `caller` would have, so that no address shuts out others. */
  function makePlace(caller: string) {
    const most = [...byCaller.values()].reduce(
      (one, candidate) => (candidate.size > one.size ? candidate : one),
      new Set<Open>(),
    );
    if (most.size > (byCaller.get(caller)?.size ?? 0) + 1) [...most].at(-1)?.end();
  }

  return {
    open: (owner, caller) => {
      const mine = byOwner.get(owner.ownerId) ?? new Set();
      const isOwnersFull = mine.size >= OWNER_STREAMS_MAX;
      if (isOwnersFull || (byCaller.get(caller)?.size ?? 0) >= ADDRESS_STREAMS_MAX)
        throw edgeErrors.rate_limited({ retryAfterSeconds: RETRY_SECONDS });
      if (!isClosed && count >= streamsMax) makePlace(caller);
      if (isClosed || count >= streamsMax) throw edgeErrors.unavailable({ retryAfterSeconds: RETRY_SECONDS });
      const stream = createStream({ owner, caller }, () => forget(stream));
      // Read again after makePlace: the ended stream may have been the last one of its owner or address.
      byOwner.set(owner.ownerId, (byOwner.get(owner.ownerId) ?? new Set()).add(stream));
      byCaller.set(caller, (byCaller.get(caller) ?? new Set()).add(stream));
      count += 1;
      stopListening ??= system.hub.on("owner_changed", (payload) => {
        for (const { ownerId, ...announcement } of changesIn(payload)) {
          for (const listener of byOwner.get(ownerId) ?? []) listener.change(announcement);
        }
      });
      // A failed beat is only logged: without the database, pages cannot show anything newer.
      timer ??= setInterval(() => {
        beat().catch((err) => system.log.warn({ err }, "live.heartbeat_failed"));
      }, BEAT_MS).unref();
      return stream;
    },
    beat,
    close: () => {
      isClosed = true;
      for (const stream of all()) stream.end();
    },
  };
}

const encoder = new TextEncoder();

/** `onEnd` is called once, whichever side ends the stream. */
function createStream({ owner, caller }: Pick<Open, "owner" | "caller">, onEnd: () => void): Open {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isOver = false;
  /** Changes that arrive before `begin`. */
  let backlog: StreamedChange[] | null = [];
  const sentIds = new Set<string>();

  const end = ({ isCancelled = false } = {}) => {
    if (isOver) return;
    isOver = true;
    onEnd();
    // The browser has closed a cancelled stream.
    if (!isCancelled) controller.close();
  };
  const write = (text: string) => {
    if (isOver) return;
    controller.enqueue(encoder.encode(text));
    if ((controller.desiredSize ?? 0) <= 0) end();
  };
  const remember = (id: string) => {
    const [oldest] = sentIds;
    if (sentIds.size >= REMEMBERED_MAX && oldest !== undefined) sentIds.delete(oldest);
    sentIds.add(id);
  };
  const change = ({ id, kind }: StreamedChange) => {
    if (backlog) {
      backlog.push({ id, kind });
      return;
    }
    if (id !== null) {
      if (sentIds.has(id)) return;
      remember(id);
    }
    // Without an `id` line the browser keeps the previous id.
    write(`${id === null ? "" : `id: ${id}\n`}event: change\ndata: ${JSON.stringify({ id, kind })}\n\n`);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (streamController) => {
        controller = streamController;
      },
      cancel: () => end({ isCancelled: true }),
    },
    { highWaterMark: UNREAD_MAX },
  );
  return {
    owner,
    caller,
    body,
    change,
    end,
    begin: (missed, newest) => {
      const waiting = [...missed, ...(backlog ?? [])];
      backlog = null;
      const ready = `${newest === null ? "" : `id: ${newest}\n`}event: ready\ndata: {}\n\n`;
      write(`retry: ${RECONNECT_MS}\n\n`);
      // The newest id is sent last: if the connection breaks before, the browser resumes from the previous id.
      for (const announcement of waiting) change(announcement);
      if (newest !== null) remember(newest);
      write(ready);
    },
    alive: () => write("event: alive\ndata: {}\n\n"),
    hasSent: (id) => sentIds.has(id),
  };
}

const RECONNECT_MS = 1_000;
