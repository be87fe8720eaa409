"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";
import { isBusy } from "./busy";
import { markNewRows, type Rows, rowsNow } from "./new-rows";

/**
 * Returns a function that renders the page again with the server's data, and marks new rows. It does nothing and returns false
 * while that would disturb, or while the last refresh is under way.
 */
export function useRefresh(): () => boolean {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const previousRows = useRef<Rows | null>(null);
  /** When the last refresh began, while it is under way. */
  const began = useRef<number | null>(null);

  useEffect(() => {
    if (isPending) return;
    began.current = null;
    if (!previousRows.current) return;
    markNewRows(previousRows.current);
    previousRows.current = null;
  }, [isPending]);

  return useCallback(() => {
    const currentTime = performance.now();
    if ((began.current !== null && currentTime - began.current < UNDERWAY_MS_MAX) || isBusy()) return false;
    began.current = currentTime;
    previousRows.current = rowsNow();
    start(() => router.refresh());
    return true;
  }, [router]);
}

/** A server that takes longer is asked again: a page must not wait for good for an answer that was lost. */
const UNDERWAY_MS_MAX = 15_000;
