"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";
import { isBusy } from "./busy";

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

/** A row of a list has the attribute `data-row` with its id. */
const ROW = "data-row";
/** The style of this attribute is in globals.css; its animation is as long. */
const NEW = "data-new";
const SHOWN_MS = 2_500;

/** The rows that the page shows, and where it is. */
type Rows = { at: string; ids: ReadonlySet<string> };

function rowsNow(): Rows {
  const rows = [...document.querySelectorAll(`[${ROW}]`)];
  return { at: location.href, ids: new Set(rows.map((row) => row.getAttribute(ROW) ?? "")) };
}

/** Marks the rows that were not there `previousRows`, for a moment. */
function markNewRows(previousRows: Rows): void {
  if (location.href !== previousRows.at) return;
  for (const row of document.querySelectorAll(`[${ROW}]`)) {
    if (previousRows.ids.has(row.getAttribute(ROW) ?? "")) continue;
    row.setAttribute(NEW, "");
    setTimeout(() => row.removeAttribute(NEW), SHOWN_MS);
  }
}
