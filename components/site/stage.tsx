"use client";

import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";

export type StageProps = {
  name: string;
  /** Announced to screen readers when the page enters this stage. */
  said: string;
  children: ReactNode;
};

/** The stage that was left last. A module variable, because signing in replaces the whole page and unmounts the component. */
let lastStage: { path: string; name: string } | undefined;

/** One state of a page. On a change of state, moves the focus to the new heading and announces the state. */
export function Stage({ name, said: announcement, children }: StageProps) {
  const box = useRef<HTMLDivElement>(null);
  const [previousStage, setBefore] = useState<string>();

  useLayoutEffect(() => {
    const path = location.pathname;
    if (lastStage?.path === path && lastStage.name !== name) {
      setBefore(lastStage.name);
      focusOnHeading(box.current);
    }
    return () => {
      lastStage = { path, name };
    };
  }, [name]);

  return (
    <Before value={previousStage}>
      <div ref={box} className="grid grid-cols-1 gap-5">
        <p role="status" className="sr-only">
          {previousStage !== undefined && announcement}
        </p>
        {children}
      </div>
    </Before>
  );
}

function focusOnHeading(box: HTMLElement | null) {
  const heading = box?.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}

const Before = createContext<string | undefined>(undefined);

/** Renders `children` if the page came to this stage from the stage `from`, otherwise `otherwise`. */
export function CameFrom({
  from,
  children,
  otherwise = null,
}: {
  from: string;
  children: ReactNode;
  otherwise?: ReactNode;
}) {
  return useContext(Before) === from ? children : otherwise;
}
