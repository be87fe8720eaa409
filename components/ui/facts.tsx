import type { ReactNode } from "react";
import { cx } from "./cx";

export type FactsProps = { className?: string | undefined; children: ReactNode };
export type FactProps = {
  label: ReactNode;
  /** On a phone the value has a line of its own, so that an address is not broken. */
  isLong?: boolean | undefined;
  /** The label is broken where it does not fit, and not the value. */
  isLabelLong?: boolean | undefined;
  /** The value has a line of its own on all screens. */
  isStacked?: boolean | undefined;
  children: ReactNode;
};

/** Labels on the left, values on the right. Children are Fact. */
export function Facts({ className, children }: FactsProps) {
  return <dl className={cx("grid gap-2.75 text-control", className)}>{children}</dl>;
}

export function Fact({ label, isLong = false, isLabelLong = false, isStacked = false, children }: FactProps) {
  return (
    <div
      className={
        isStacked
          ? "grid gap-0.5"
          : cx("flex items-baseline justify-between gap-6", isLong && "max-sm:flex-col max-sm:gap-0.5")
      }
    >
      <dt className={cx("text-ink-2", isLabelLong ? "min-w-0 [overflow-wrap:anywhere]" : "shrink-0")}>{label}</dt>
      <dd
        className={cx(
          isLabelLong ? "shrink-0" : "min-w-0 [overflow-wrap:anywhere]",
          isStacked ? "text-start" : "text-end",
          isLong && "max-sm:text-start",
        )}
      >
        {children}
      </dd>
    </div>
  );
}
