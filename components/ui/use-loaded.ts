"use client";

import { useEffect, useState } from "react";

/**
 * Loads a component when `isNeeded`: undefined until loaded, null if loading failed. A failed load is repeated when the component is needed
 * again. Next's own loader is larger than some of the components.
 */
export function useLoaded<Part>(load: () => Promise<Part>, isNeeded: boolean): Part | undefined | null {
  const [part, setPart] = useState<Part | null>();
  useEffect(() => {
    if (!isNeeded) return;
    let isOver = false;
    load().then(
      (loadedPart) => isOver || setPart(() => loadedPart),
      () => isOver || setPart(null),
    );
    return () => {
      isOver = true;
      setPart((currentPart) => currentPart ?? undefined);
    };
  }, [isNeeded, load]);
  return part;
}
