import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx";

// Separate from field.tsx: a checkout loads only this field.

export type Words = {
  label: ReactNode;
  hint?: ReactNode | undefined;
  error?: ReactNode | undefined;
  /** Shown after the label, for example "Optional". */
  aside?: ReactNode | undefined;
};
type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

export type FieldProps = Words & { className?: string | undefined; children: (wiring: Wiring) => ReactNode };
export type TextFieldProps = Words & Omit<ComponentProps<"input">, "id"> & { suffix?: ReactNode | undefined };

/** Label, hint and error around a control; `children` receives the ids that connect them. */
export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const describedBy = cx(error != null && `${id}-error`, hint != null && `${id}-hint`) || undefined;
  return (
    <div className={cx("min-w-0", className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-small font-medium">
          {label}
        </label>
        {aside != null && <span className="text-tiny text-ink-3">{aside}</span>}
      </div>
      {children({ id, "aria-describedby": describedBy, "aria-invalid": error != null || undefined })}
      <FieldWords id={id} hint={hint} error={error} />
    </div>
  );
}

/** `suffix` is shown inside the box at the end, for example "USDC". */
export function TextField({ label, hint, error, aside, suffix, className, ...inputProps }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} className={className}>
      {(wiring) => (
        <span className="relative block">
          <input {...inputProps} {...wiring} className={cx(BOX, "min-h-11 px-3", suffix != null && "pe-16")} />
          {suffix != null && (
            <span className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-small text-ink-2">
              {suffix}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}

/** Hint and error below a control with the id `id`. */
export function FieldWords({ id, hint, error }: { id: string; hint: ReactNode; error: ReactNode }) {
  return (
    <>
      {error != null && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 flex gap-1.5 text-small text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      {hint != null && (
        <p id={`${id}-hint`} className="mt-1.5 text-small text-ink-2">
          {hint}
        </p>
      )}
    </>
  );
}

export const BOX =
  "block w-full rounded-control border border-field bg-card text-control text-ink transition-colors placeholder:text-ink-3 max-sm:text-[1rem] [&:is(input,textarea):read-only]:bg-sunk disabled:opacity-55 aria-invalid:border-bad";
