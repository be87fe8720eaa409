import type { ReactNode } from "react";

/** The top of a page without a way back: for pages that every visitor is sent in case, whose every byte counts. */
export function PlainHeader({ title, description }: { title: ReactNode; description: ReactNode }) {
  return (
    <header>
      <h1 className="text-title [overflow-wrap:anywhere]">{title}</h1>
      <div className="mt-1.5 measure text-control text-ink-2">{description}</div>
    </header>
  );
}
