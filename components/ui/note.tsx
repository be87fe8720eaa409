import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";

export type NoteTone = "neutral" | "good" | "warn" | "bad" | "info";
export type NoteProps = {
  tone?: NoteTone | undefined;
  title?: ReactNode | undefined;
  /** Read aloud when it appears: "polite" for news, "assertive" for failures. */
  live?: "polite" | "assertive" | undefined;
  /** Buttons or links under the text. */
  actions?: ReactNode | undefined;
  className?: string | undefined;
  children?: ReactNode | undefined;
};

/** A short message: what happened, whether money moved, what to do next. */
export function Note({ tone = "neutral", title, live, actions, className, children }: NoteProps) {
  const { Icon, colours } = TONES[tone];
  return (
    <div
      {...(live && { role: live === "assertive" ? "alert" : "status" })}
      className={cx("flex gap-3 rounded-control px-3.5 py-3 text-small", colours, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {title != null && <p className="font-medium">{title}</p>}
        {children != null && <div className={cx(title != null && "mt-0.5 text-ink")}>{children}</div>}
        {actions != null && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}

const TONES = {
  neutral: { Icon: Info, colours: "bg-sunk text-ink-2" },
  good: { Icon: CircleCheck, colours: "bg-good-soft text-good" },
  warn: { Icon: TriangleAlert, colours: "bg-warn-soft text-warn" },
  bad: { Icon: CircleAlert, colours: "bg-bad-soft text-bad" },
  info: { Icon: Info, colours: "bg-info-soft text-info" },
} satisfies Record<NoteTone, { Icon: typeof Info; colours: string }>;
