"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Marks an element so that a click before hydration is repeated, rather than lost. Only for elements that open or show something: the click
 * is repeated up to ten seconds later.
 */
export function useEarlyClick<Marked extends HTMLElement>(): { ref: RefObject<Marked | null>; "data-early": "" } {
  const ref = useRef<Marked>(null);
  const repeat = useRef<() => void>(undefined);
  // Runs in the commit that hydrates the element. From then on, React handles clicks, even before the effects.
  useLayoutEffect(() => {
    repeat.current = window.onAttached?.(ref.current);
  }, []);
  useEffect(() => repeat.current?.(), []);
  return { ref, "data-early": "" };
}
