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
  const before = useRef<Rows | null>(null);
  const pending = useRef(false);

  useEffect(() => {
    pending.current = isPending;
    if (isPending || !before.current) return;
    markNewRows(before.current);
    before.current = null;
  }, [isPending]);

  return useCallback(() => {
    if (pending.current || isBusy()) return false;
    pending.current = true;
    before.current = rowsNow();
    start(() => router.refresh());
    return true;
  }, [router]);
}
