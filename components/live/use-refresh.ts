"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";
import { isBusy } from "./busy";

/**
 * Returns a function that reloads the page's server data and marks new rows. The function does nothing and returns false while a refresh
 * would disturb, the previous one is in progress, or there is no network.
 */
export function useRefresh(): () => boolean {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const previousRows = useRef<Rows | null>(null);
  /** The start of the refresh in progress; null if there is none. */
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
    if ((began.current !== null && currentTime - began.current < UNDERWAY_MS_MAX) || !navigator.onLine || isBusy())
      return false;
    began.current = currentTime;
    previousRows.current = rowsNow();
    start(() => router.refresh());
    return true;
  }, [router]);
}

/** After this time, another refresh may start: the response may have been lost. */
const UNDERWAY_MS_MAX = 15_000;

/** The attribute with a row's id. */
const ROW = "data-row";
/** globals.css styles this attribute; its animation lasts `SHOWN_MS`. */
const NEW = "data-new";
const SHOWN_MS = 2_500;

/** The ids of the page's rows, and the page's URL. */
type Rows = { at: string; ids: ReadonlySet<string> };

function rowsNow(): Rows {
  const rows = [...document.querySelectorAll(`[${ROW}]`)];
  return { at: location.href, ids: new Set(rows.map((row) => row.getAttribute(ROW) ?? "")) };
}

/** Briefly marks the rows that are not in `previousRows`. */
function markNewRows(previousRows: Rows): void {
  if (location.href !== previousRows.at) return;
  for (const row of document.querySelectorAll(`[${ROW}]`)) {
    if (previousRows.ids.has(row.getAttribute(ROW) ?? "")) continue;
    row.setAttribute(NEW, "");
    setTimeout(() => row.removeAttribute(NEW), SHOWN_MS);
  }
}
