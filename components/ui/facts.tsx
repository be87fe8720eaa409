import type { ReactNode } from "react";
import { cx } from "./cx";

export type FactsProps = { className?: string | undefined; children: ReactNode };
export type FactProps = { label: ReactNode; children: ReactNode };

/** Labels on the left, values on the right. Children are Fact. */
export function Facts({ className, children }: FactsProps) {
  return <dl className={cx("grid gap-2.75 text-control", className)}>{children}</dl>;
}

export function Fact({ label, children }: FactProps) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="shrink-0 text-ink-2">{label}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
