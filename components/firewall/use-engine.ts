"use client";

import { useCallback, useEffect, useState } from "react";
import type { ScanRequest } from "./drafts";
import type { Judged } from "./engine";

export type EngineState = {
  state: "loading" | "failed" | "ready";
  judge: ((request: ScanRequest) => Judged) | null;
  /** Loads the engine again after a failure. */
  retry: () => void;
};

/** Loads the engine when the page opens. No other page loads it: its model and word lists are large. */
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
