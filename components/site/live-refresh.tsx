"use client";

import { useEffect, useState } from "react";
import { useRefresh } from "@/components/live/use-refresh";

export type LiveRefreshProps = {
  /** The state of the page. Announced to screen readers when it changes. */
  news: string;
  /** If true, refreshes often; otherwise, the interval grows. */
  isExpecting?: boolean | undefined;
};

/** Refreshes the page while it is visible; the longer nothing changes, the less often. */
export function LiveRefresh({ news, isExpecting = false }: LiveRefreshProps) {
  const refreshPage = useRefresh();
  const [heard, setHeard] = useState({ now: news, said: "" });
  if (heard.now !== news) setHeard({ now: news, said: news });

  // A change of `news` restarts the fast pace: after one change, the next is likely to follow soon.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `news` is the point
  useEffect(() => {
    let rounds = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(refresh, paceOf(rounds, isExpecting));
    };
    function refresh() {
      rounds++;
      refreshPage();
      wait();
    }
    function onVisibility() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") refresh();
    }
    if (document.visibilityState === "visible") wait();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [refreshPage, news, isExpecting]);

  return (
    <p role="status" className="sr-only">
      {heard.said}
    </p>
  );
}

const FAST_MS = 3_000;
const SLOW_MS = 20_000;
const FAST_ROUNDS = 20;

function paceOf(rounds: number, isExpecting: boolean): number {
  const isFrugal = "connection" in navigator && Object(navigator.connection).saveData === true;
  if (isFrugal) return SLOW_MS;
  return isExpecting || rounds < FAST_ROUNDS ? FAST_MS : SLOW_MS;
}
