"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";

export type LiveRefreshProps = {
  /** A sentence about what the page shows; read aloud whenever it changes. */
  news: string;
  /** Ask again soon; otherwise less and less often. */
  isExpecting?: boolean | undefined;
};

/** Keeps the page current while somebody looks at it. The longer nothing changes, the less it asks. */
export function LiveRefresh({ news, isExpecting = false }: LiveRefreshProps) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const [heard, setHeard] = useState({ now: news, said: "" });
  if (heard.now !== news) setHeard({ now: news, said: news });

  const pending = useRef(false);
  useEffect(() => {
    pending.current = isPending;
  }, [isPending]);

  // `news` starts the pace anew: where one thing has happened, the next is near.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `news` is the point
  useEffect(() => {
    let rounds = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(ask, paceOf(rounds, isExpecting));
    };
    function ask() {
      rounds++;
      if (!pending.current) start(() => router.refresh());
      wait();
    }
    function onVisibility() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") ask();
    }
    if (document.visibilityState === "visible") wait();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [router, news, isExpecting]);

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
