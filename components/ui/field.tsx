import { ChevronDown } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { cx } from "./cx";
import { BOX, Field, FieldWords, type Words } from "./text-field";

export { Field, type FieldProps, TextField, type TextFieldProps } from "./text-field";

export type TextAreaProps = Words & Omit<ComponentProps<"textarea">, "id">;
export type SelectFieldProps = Words &
  Omit<ComponentProps<"select">, "id" | "children"> & { options: readonly { value: string; label: string }[] };
export type CheckboxFieldProps = Omit<Words, "aside"> & Omit<ComponentProps<"input">, "id" | "type">;

export function TextArea({ label, hint, error, aside, className, rows = 4, ...textAreaProps }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} className={className}>
      {(wiring) => <textarea {...textAreaProps} {...wiring} rows={rows} className={cx(BOX, "px-3 py-2.5")} />}
    </Field>
  );
}

export function SelectField({ label, hint, error, aside, className, options, ...selectProps }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} className={className}>
      {(wiring) => (
        <span className="relative block">
          <select {...selectProps} {...wiring} className={cx(BOX, "min-h-11 appearance-none pe-9 ps-3")}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 end-3 size-4 -translate-y-1/2 text-ink-2"
          />
        </span>
      )}
    </Field>
  );
}

export function CheckboxField({ label, hint, error, className, ...inputProps }: CheckboxFieldProps) {
  const id = useId();
  const describedBy = cx(error != null && `${id}-error`, hint != null && `${id}-hint`) || undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-8 items-start gap-3 text-control max-sm:min-h-11">
        <input
          {...inputProps}
          id={id}
          type="checkbox"
          aria-describedby={describedBy}
          aria-invalid={error != null || undefined}
          className="mt-0.5 size-4.5 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      <FieldWords id={id} hint={hint} error={error} />
    </div>
  );
}
