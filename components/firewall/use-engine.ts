"use client";

import { useCallback, useEffect, useState } from "react";
import type { ScanRequest } from "./drafts";
import type { Judged } from "./engine";

export type EngineState = {
  state: "loading" | "failed" | "ready";
  judge: ((request: ScanRequest) => Judged) | null;
  /** Fetches it once more, after it failed. */
  retry: () => void;
};

/** The engine, fetched when the page is opened and by no other page: its model and word lists are most of what it weighs. */
export function useEngine(): EngineState {
  const [engine, setEngine] = useState<Pick<EngineState, "state" | "judge">>({ state: "loading", judge: null });
  const load = useCallback(() => {
    setEngine({ state: "loading", judge: null });
    import("./engine").then(
      ({ judge }) => setEngine({ state: "ready", judge }),
      () => setEngine({ state: "failed", judge: null }),
    );
  }, []);
  useEffect(load, [load]);
  return { ...engine, retry: load };
}
