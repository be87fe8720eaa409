"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { Disclosure } from "./disclosure";

export type MoreProps = {
  /** The fields inside. */
  names: readonly string[];
  faults: Readonly<Record<string, string | undefined>>;
  /** A field inside has a value from the start. */
  isFilled: boolean;
  children: ReactNode;
};

/** The fields of a form that most people leave out. Open if one is filled in, and when one has an error. */
export function More({ names, faults, isFilled, children }: MoreProps) {
  const inside = useRef<HTMLDivElement>(null);

  // The person may have closed it. This effect runs before the form's own, which moves the focus to the first error.
  useEffect(() => {
    const details = inside.current?.closest("details");
    if (details && names.some((name) => faults[name] !== undefined)) details.open = true;
  }, [names, faults]);

  return (
    <Disclosure summary="More" open={isFilled}>
      <div ref={inside} className="grid gap-5">
        {children}
      </div>
    </Disclosure>
  );
}
