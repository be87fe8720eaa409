"use client";

import { useEffect, useRef, useState } from "react";
import { watchEditing } from "./busy";
import { listenTo } from "./connection";
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

/** Keeps the page of a signed-in owner current: refreshes on events, and polls while the event connection is down. */
export function Live({ owner, since, news }: LiveProps) {
  const refresh = useRefresh();
  const newest = useRef(since);
  const [heard, setHeard] = useState({ now: news, said: "" });
  if (heard.now !== news) setHeard({ now: news, said: news });

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
