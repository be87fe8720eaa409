"use client";

import { Switch as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cx } from "./cx";

export type SwitchProps = {
  label: ReactNode;
  hint?: ReactNode | undefined;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

/** Takes effect at once. Use CheckboxField in forms that are submitted. */
export function Switch({ label, hint, checked, onCheckedChange, disabled = false, className }: SwitchProps) {
  const id = useId();
  return (
    <div className={cx("flex items-center justify-between gap-4", className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="text-control font-medium">
          {label}
        </label>
        {hint != null && (
          <p id={`${id}-hint`} className="text-small text-ink-2">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        {...(hint != null && { "aria-describedby": `${id}-hint` })}
        className="relative h-6.5 w-11 shrink-0 rounded-full bg-field transition-colors after:absolute after:-inset-2.5 disabled:opacity-55 data-[state=checked]:bg-brand"
      >
        <Radix.Thumb className="block size-5.5 translate-x-0.5 rounded-full bg-card transition-transform data-[state=checked]:translate-x-5" />
      </Radix.Root>
    </div>
  );
}
