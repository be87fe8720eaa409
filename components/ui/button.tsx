import { LoaderCircle } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cx } from "./cx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "regular" | "small";
export type ButtonLook = {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  wide?: boolean | undefined;
};

export type ButtonProps = ComponentProps<"button"> & ButtonLook & { busy?: boolean | undefined };
export type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & { label: string; icon: ReactNode };

/** While `busy` it keeps its size and focus, and ignores clicks. */
export function Button({
  variant,
  size,
  wide,
  busy = false,
  className,
  type = "button",
  children,
  ...buttonProps
}: ButtonProps) {
  return (
    <button
      {...buttonProps}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...(variant === "danger" && { "data-destroys": "" })}
      className={cx(buttonClass({ variant, size, wide }), className)}
      {...(busy && { onClick: swallow })}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 shrink-0 motion-safe:animate-spin" />}
      {children}
    </button>
  );
}

export function IconButton({ label, icon, className, type = "button", ...buttonProps }: IconButtonProps) {
  return (
    <button
      {...buttonProps}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        "inline-grid size-9 shrink-0 place-items-center rounded-control text-ink-2 transition-colors hover:bg-sunk hover:text-ink max-sm:size-11 [&_svg]:size-4.5",
        className,
      )}
    >
      {icon}
    </button>
  );
}

/** The classes of a button, for elements that are neither Button nor ButtonLink. */
export const buttonClass = ({ variant = "secondary", size = "regular", wide = false }: ButtonLook) =>
  cx(
    "inline-flex items-center justify-center gap-2 rounded-control border text-center font-medium no-underline transition-colors select-none disabled:opacity-55 aria-disabled:opacity-70 [&_svg]:size-4 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
    wide && "w-full",
    // Its label may name an amount that is wider than a phone.
    wide && variant === "primary" && "[overflow-wrap:anywhere]",
  );

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "border-brand bg-brand text-on-brand hover:border-brand-2 hover:bg-brand-2",
  secondary: "border-line-2 bg-card text-ink hover:bg-sunk",
  quiet: "border-transparent bg-transparent text-ink-2 hover:bg-sunk hover:text-ink",
  danger: "border-bad bg-bad text-on-bad hover:border-bad-2 hover:bg-bad-2",
};

const SIZES: Record<ButtonSize, string> = {
  regular: "min-h-11 px-4 py-2.5 text-control leading-tight",
  small: "min-h-8.5 px-3 py-1.5 text-small leading-tight max-sm:min-h-11",
};

function swallow(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
