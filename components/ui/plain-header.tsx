import type { ReactNode } from "react";

/** A page header without a back link: for pages that are sent to every visitor, where each byte counts. */
export function PlainHeader({ title, description }: { title: ReactNode; description: ReactNode }) {
  return (
    <header>
      <h1 className="text-title [overflow-wrap:anywhere]">{title}</h1>
      <div className="mt-1.5 measure text-control text-ink-2">{description}</div>
    </header>
  );
}
