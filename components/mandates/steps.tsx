import { Check } from "lucide-react";
import { cx } from "@/components/ui/cx";

const STEPS = ["Sign in", "Link agent", "Sign", "Done"] as const;

export type StepsProps = { current: 1 | 2 | 3 | 4 };

/** The progress towards a signed mandate; `current` counts from 1. */
export function Steps({ current }: StepsProps) {
  return (
    <nav aria-label={`Step ${current} of ${STEPS.length}: ${STEPS[current - 1]}`}>
      <ol className="grid grid-cols-4 gap-2 text-tiny">
        {STEPS.map((step, index) => {
          const isDone = index + 1 < current || current === STEPS.length;
          const isCurrent = index + 1 === current;
          return (
            <li
              key={step}
              {...(isCurrent && { "aria-current": "step" as const })}
              className="grid content-start gap-1.5"
            >
              <span aria-hidden className={cx("h-1 rounded-full", isDone || isCurrent ? "bg-brand" : "bg-line-2")} />
              <span className={cx("flex gap-1", isCurrent ? "font-medium text-ink" : "text-ink-2")}>
                {isDone && <Check aria-hidden className="mt-0.5 size-3 shrink-0 text-brand" />}
                <span>
                  {step}
                  {isDone && !isCurrent && <span className="sr-only">, done</span>}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
