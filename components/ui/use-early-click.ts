"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Marks an element whose click is repeated if it came before React had attached to it; otherwise it would be lost. Only for what opens or
 * shows something: the click is repeated up to ten seconds after the person made it.
 */
export function useEarlyClick<Marked extends HTMLElement>(): { ref: RefObject<Marked | null>; "data-early": "" } {
  const ref = useRef<Marked>(null);
  const repeat = useRef<() => void>(undefined);
  // Runs in the commit that attaches React. From then on React handles clicks, also those before the effects.
  useLayoutEffect(() => {
    repeat.current = window.onAttached?.(ref.current);
  }, []);
  useEffect(() => repeat.current?.(), []);
  return { ref, "data-early": "" };
}
