"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page every few seconds while it shows something pending. */
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
