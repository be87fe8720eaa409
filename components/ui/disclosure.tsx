import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";

export type DisclosureProps = {
  summary: ReactNode;
  open?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** Hides technical detail, or a step that most people skip. Works without JavaScript. */
export function Disclosure({ summary, open = false, className, children }: DisclosureProps) {
  return (
    <details open={open} className={cx("group min-w-0 rounded-card border bg-card", className)}>
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-card px-4.5 py-2.5 text-small font-medium">
        {summary}
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-ink-2 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
        />
      </summary>
      <div className="border-t px-4.5 py-4">{children}</div>
    </details>
  );
}
