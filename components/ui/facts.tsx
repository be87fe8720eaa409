import type { ReactNode } from "react";
import { cx } from "./cx";

export type FactsProps = { className?: string | undefined; children: ReactNode };
export type FactProps = {
  label: ReactNode;
  /** On a phone the value has a line of its own, so that an address is not broken. */
  isLong?: boolean | undefined;
  children: ReactNode;
};

/** Labels on the left, values on the right. Children are Fact. */
export function Facts({ className, children }: FactsProps) {
  return <dl className={cx("grid gap-2.75 text-control", className)}>{children}</dl>;
}

export function Fact({ label, isLong = false, children }: FactProps) {
  return (
    <div className={cx("flex items-baseline justify-between gap-6", isLong && "max-sm:flex-col max-sm:gap-0.5")}>
      <dt className="shrink-0 text-ink-2">{label}</dt>
      <dd className={cx("min-w-0 text-end [overflow-wrap:anywhere]", isLong && "max-sm:text-start")}>{children}</dd>
    </div>
  );
}
