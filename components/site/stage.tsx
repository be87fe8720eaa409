"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";

export type StageProps = {
  name: string;
  /** Read aloud when the page moves on to this stage. */
  said: string;
  children: ReactNode;
};

/** One state of a page that changes under the person: moves the focus to the new heading and says where they are. */
export function Stage({ name, said, children }: StageProps) {
  const box = useRef<HTMLDivElement>(null);
  const [history, setHistory] = useState<{ now: string; before: string | undefined }>({ now: name, before: undefined });
  if (history.now !== name) setHistory({ now: name, before: history.now });

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
