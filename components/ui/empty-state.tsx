import type { ReactNode } from "react";
import { cx } from "./cx";

export type EmptyStateProps = {
  title: ReactNode;
  /** The purpose of the page in one or two sentences. */
  children: ReactNode;
  /** The button for the first step. */
  action?: ReactNode | undefined;
  className?: string | undefined;
};

export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cx("rounded-card border border-dashed border-line-2 px-6 py-10 text-center", className)}>
      <h2 className="text-body">{title}</h2>
      <div className="mx-auto mt-1.5 max-w-[48ch] text-control text-ink-2">{children}</div>
      {action != null && <div className="mt-5 flex flex-wrap justify-center gap-2.5">{action}</div>}
    </div>
  );
}
