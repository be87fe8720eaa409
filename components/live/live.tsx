"use client";

import { useEffect, useRef, useState } from "react";
import { forgetPageOwner, setPageOwner } from "@/lib/http/client";
import { watchEditing } from "./busy";
import { useRefresh } from "./use-refresh";

export type LiveProps = {
  /** The owner's address. Tabs with the same owner share a connection. */
  owner: string;
  /** The newest event that the page shows. */
  since: string;
  /** What waits for the owner. Announced to screen readers when it changes. */
  news: string;
};

const MS = {
  /** Changes within this interval cause one refresh. */
  gather: 50,
  visible: 2_000,
  hidden: 10_000,
  /** How long to wait while a refresh would disturb. */
  disturbing: 500,
  /** The refresh interval without events. Catches changes that are visible only on-chain. */
  live: 60_000,
  polling: 5_000,
  frugal: 20_000,
};

/**
 * Binds the calls of the page to its owner: what it shows is refused for whoever signs in afterwards in another tab. Keeps it current: refreshes on
 * events, and polls while the event connection is down.
 */
export function Live({ owner, since, news }: LiveProps) {
  const refresh = useRefresh();
  const newest = useRef(since);
  const [heard, setHeard] = useState({ now: news, said: "" });
  if (heard.now !== news) setHeard({ now: news, said: news });

  useEffect(() => {
    setPageOwner(owner);
    return forgetPageOwner;
  }, [owner]);

  useEffect(() => {
    newest.current = since;
  }, [since]);

  useEffect(() => {
    let isWanted = false;
    let isLive = false;
    let refreshedAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const plan = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(onTime, ms);
    };
    const isVisible = () => document.visibilityState === "visible";
    const next = () => {
      const sinceLast = performance.now() - refreshedAt;
      const pace = isVisible() ? MS.visible : MS.hidden;
      if (isWanted) plan(Math.max(MS.gather, pace - sinceLast));
      else if (isVisible()) plan(Math.max(0, (isLive ? MS.live : pollMs()) - sinceLast));
      else clearTimeout(timer);
    };
    function onTime() {
      if (!refresh()) return plan(MS.disturbing);
      isWanted = false;
      refreshedAt = performance.now();
      next();
    }

    let stop = () => {};
    const start = () => {
      stop();
      stop = listenTo(owner, newest.current, (update) => {
        if (update.type === "state") isLive = update.isLive;
        else if (isWanted) return;
        else isWanted = true;
        next();
      });
    };
    // A page in the back/forward cache must have no open connection.
    const onHide = () => stop();
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && start();
    start();
    next();
    const unwatch = watchEditing();
    document.addEventListener("visibilitychange", next);
    window.addEventListener("pagehide", onHide);
    window.addEventListener("pageshow", onShow);
    return () => {
      clearTimeout(timer);
      stop();
      unwatch();
      document.removeEventListener("visibilitychange", next);
      window.removeEventListener("pagehide", onHide);
      window.removeEventListener("pageshow", onShow);
    };
  }, [owner, refresh]);

  return (
    <p role="status" className="sr-only">
      {heard.said}
    </p>
  );
}

function pollMs(): number {
  const isFrugal = "connection" in navigator && Object(navigator.connection).saveData === true;
  return isFrugal ? MS.frugal : MS.polling;
}

/** An update for a page. `isLive`: whether events arrive at all. */
type Heard = { type: "change" } | { type: "state"; isLive: boolean };

/** Messages between tabs. `last`: the newest event of the connection; a tab that has not seen it refreshes. */
type Message =
  | { type: "change"; id: string | null }
  | { type: "state"; isLive: boolean; last?: string | undefined }
  | { type: "hello" };
type Told = Exclude<Message, { type: "hello" }>;

const RETRY_MS = 5_000;
const RETRY_MS_MAX = 60_000;
/** The time without a message after which the connection counts as lost. The server sends a heartbeat every 15 seconds. */
const SILENT_MS = 40_000;

/**
 * Listens to an owner's events until the returned function is called. All tabs of a browser share one connection: the tab that holds the
 * Web Lock opens it and broadcasts its messages; when that tab closes, another takes over. Without Web Locks, each tab has its own
 * connection. `since`: the newest event that the page shows.
 */
function listenTo(owner: string, since: string, heard: (update: Heard) => void): () => void {
  const name = `tessera.events.${owner}`;
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  let last = since;
  let isLeading = false;
  let isLive = false;
  let watch: ReturnType<typeof setTimeout> | undefined;

  const take = (message: Told) => {
    if (message.type === "change") {
      if (message.id !== null) last = message.id;
      heard({ type: "change" });
      return;
    }
    isLive = message.isLive;
    clearTimeout(watch);
    if (isLive) watch = setTimeout(() => take({ type: "state", isLive: false }), SILENT_MS);
    heard({ type: "state", isLive });
    if (message.last && message.last !== last) take({ type: "change", id: message.last });
  };
  const publish = (message: Told) => {
    if (stopping.signal.aborted) return;
    channel.postMessage(message);
    take(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type !== "hello") take(data);
    else if (isLeading) channel.postMessage({ type: "state", isLive, last } satisfies Message);
  };

  /** Holds the lock until this tab stops listening. */
  const lead = () =>
    new Promise<void>((resolve) => {
      isLeading = true;
      const close = open(() => last, publish);
      const stop = () => {
        close();
        resolve();
      };
      if (stopping.signal.aborted) stop();
      else stopping.signal.addEventListener("abort", stop);
    });
  if ("locks" in navigator) {
    // Rejects when this tab stops before it got the lock.
    navigator.locks.request(name, { signal: stopping.signal }, lead).catch(() => undefined);
  } else void lead();
  channel.postMessage({ type: "hello" } satisfies Message);

  return () => {
    clearTimeout(watch);
    stopping.abort();
    channel.close();
  };
}

/** Opens the connection. The browser retries after a broken connection; this function retries after a refused one. */
function open(last: () => string, publish: (message: Told) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = RETRY_MS;
  let wasOpen = false;

  const connect = () => {
    source = new EventSource(`/api/events?lastEventId=${encodeURIComponent(last())}`);
    source.addEventListener("ready", ({ lastEventId }) => {
      retryMs = RETRY_MS;
      publish({ type: "state", isLive: true, last: lastEventId });
      // Some changes have no stored event, so a reconnect cannot replay them: refresh once.
      if (wasOpen) publish({ type: "change", id: null });
      wasOpen = true;
    });
    source.addEventListener("alive", () => publish({ type: "state", isLive: true }));
    source.addEventListener("change", ({ lastEventId }) => publish({ type: "change", id: lastEventId || null }));
    source.addEventListener("error", () => {
      publish({ type: "state", isLive: false });
      if (source.readyState !== EventSource.CLOSED) return;
      // Random jitter: the browsers of an owner should not reconnect at the same time.
      timer = setTimeout(connect, retryMs * (0.5 + Math.random()));
      retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
