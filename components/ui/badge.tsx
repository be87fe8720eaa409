import type { ReactNode } from "react";
import { cx } from "./cx";

export type BadgeTone = "good" | "warn" | "bad" | "info" | "neutral" | "plain";
export type BadgeProps = { tone?: BadgeTone | undefined; className?: string | undefined; children: ReactNode };

/** A state in one or two words. `plain` has no dot: for facts that are not states. */
export function Badge({ tone = "neutral", className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        "inline-flex max-w-full items-center gap-1.75 rounded-full px-2.25 py-1 text-tiny leading-4 font-medium",
        TONES[tone],
        className,
      )}
    >
      {tone !== "plain" && <span aria-hidden className="size-1.75 shrink-0 rounded-full bg-current" />}
      <span className="min-w-0 wrap-break-word">{children}</span>
    </span>
  );
}

const TONES: Record<BadgeTone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  neutral: "bg-sunk text-ink-2",
  plain: "bg-sunk text-ink-2",
};
