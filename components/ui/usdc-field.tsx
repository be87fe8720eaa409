import { TextField, type TextFieldProps } from "./field";

/** A field for an amount in USDC, such as 12.50. */
export function UsdcField({
  label = "Amount",
  onText,
  ...field
}: Omit<TextFieldProps, "label" | "onChange" | "suffix"> & { label?: string; onText: (text: string) => void }) {
  return (
    <TextField
      label={label}
      suffix="USDC"
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      onChange={(event) => onText(event.target.value)}
      {...field}
    />
  );
}
