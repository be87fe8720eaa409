"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Draws the page again every few seconds while something on it may change by itself. */
export function KeepFresh({ isActive }: { isActive: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }, [isActive, router]);
  return null;
}

const PERIOD_MS = 5_000;
