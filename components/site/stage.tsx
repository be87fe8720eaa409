"use client";

import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";

export type StageProps = {
  name: string;
  /** Read aloud when the page moves on to this stage. */
  said: string;
  children: ReactNode;
};

/** The stage that was left last. Signing in replaces the whole page, and with it the component that was there before. */
let lastStage: { path: string; name: string } | undefined;

/** One state of a page that changes under the person: moves the focus to the new heading and says where they are. */
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

/** Draws `children` when this visit came here from the stage `from`, else `otherwise`. */
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
