"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";

export type StageProps = {
  name: string;
  /** Read aloud when the page moves on to this stage. */
  said: string;
  children: ReactNode;
};

/** What this document shows now. The frame around a stage can change together with it, which draws the stage anew. */
let shown: { path: string; name: string } | undefined;

/** One state of a page that changes under the person: moves the focus to the new heading and says where they are. */
export function Stage({ name, said, children }: StageProps) {
  const box = useRef<HTMLDivElement>(null);
  const path = usePathname();
  const [history, setHistory] = useState<{ now: string; before: string | undefined }>(() => ({
    now: name,
    before: shown?.path === path && shown.name !== name ? shown.name : undefined,
  }));
  if (history.now !== name) setHistory({ now: name, before: history.now });

  useEffect(() => {
    shown = { path, name };
    return () => {
      shown = undefined;
    };
  }, [path, name]);

  useEffect(() => {
    if (history.before === undefined) return;
    const heading = box.current?.querySelector("h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [history]);

  return (
    <Before value={history.before}>
      <div ref={box} className="grid grid-cols-1 gap-5">
        <p role="status" className="sr-only">
          {history.before !== undefined && said}
        </p>
        {children}
      </div>
    </Before>
  );
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
