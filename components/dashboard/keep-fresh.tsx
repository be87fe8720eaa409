"use client";

import { useEffect } from "react";
import { useRefresh } from "@/components/live/use-refresh";

/** Refreshes the page every few seconds while it shows something pending. */
export function KeepFresh({ isActive }: { isActive: boolean }) {
  const refresh = useRefresh();
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }, [isActive, refresh]);
  return null;
}

const PERIOD_MS = 5_000;
