"use client";

import { useEffect, useState } from "react";

/**
 * A part of the page that is fetched once it `isNeeded`: undefined until it is there, null when it could not be fetched,
 * which is tried anew when it is needed anew. What Next has for this weighs more than some of the parts.
 */
export function useLoaded<Part>(load: () => Promise<Part>, isNeeded: boolean): Part | undefined | null {
  const [part, setPart] = useState<Part | null>();
  useEffect(() => {
    if (!isNeeded) return;
    let isOver = false;
    load().then(
      (found) => isOver || setPart(() => found),
      () => isOver || setPart(null),
    );
    return () => {
      isOver = true;
      setPart((before) => before ?? undefined);
    };
  }, [isNeeded, load]);
  return part;
}
