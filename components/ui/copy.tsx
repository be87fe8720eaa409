"use client";

import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useCommon } from "@/components/texts/context";
import { buttonClass } from "./button";
import { cx } from "./cx";

export type CopyProps = {
  value: string;
  /** For example "Copy address". Read aloud, and shown unless `iconOnly`. */
  label?: string | undefined;
  iconOnly?: boolean | undefined;
  variant?: "primary" | undefined;
  className?: string | undefined;
};
type State = "idle" | "copied" | "failed";

export function Copy({ value, label, iconOnly = false, variant, className }: CopyProps) {
  const { texts } = useCommon();
  const name = label ?? texts.copy;
  const statusTexts = { idle: "", copied: texts.copied, failed: texts.notCopied };
  const [state, setState] = useState<State>("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);

  const Icon = state === "copied" ? Check : CopyIcon;
  return (
    <>
      <button
        type="button"
        onClick={async () => setState(await copyText(value))}
        {...(iconOnly && { "aria-label": name, title: name })}
        className={cx(
          iconOnly
            ? "inline-grid size-7 shrink-0 place-items-center rounded-control text-ink-2 transition-colors hover:bg-sunk hover:text-ink max-sm:size-11 [&_svg]:size-3.5"
            : buttonClass({ size: "small", variant }),
          "noscript:hidden",
          className,
        )}
      >
        <Icon aria-hidden className={cx(state === "copied" && "text-good")} />
        {!iconOnly && (statusTexts[state] || name)}
      </button>
      <span role="status" className="sr-only">
        {statusTexts[state]}
      </span>
    </>
  );
}

/** Browsers provide the clipboard only on https and localhost. */
async function copyText(text: string): Promise<State> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "failed";
  }
}
