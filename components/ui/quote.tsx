import type { ReactNode } from "react";
import { cx } from "./cx";

export type QuoteProps = { by: ReactNode; className?: string | undefined; children: ReactNode };

/** Untrusted text, set apart from our own and attributed: "The agent says". */
export function Quote({ by: attribution, className, children }: QuoteProps) {
  return (
    <figure className={cx("border-s-3 border-line-2 py-0.5 ps-3.5 text-control text-ink-2", className)}>
      <figcaption className="text-tiny text-ink-3">{attribution}</figcaption>
      <blockquote dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
        {children}
      </blockquote>
    </figure>
  );
}
