import { formatUnits } from "viem/utils";
import type { Language } from "@/lib/core/language";
import { cx } from "./cx";
import { formatAmount } from "./format";

type Value = { value: string } | { value?: undefined; atomic: bigint; decimals?: number | undefined };
export type AmountProps = Value & {
  size?: "big" | "mid" | "inline" | undefined;
  /** Null: no unit, for example in a column whose header names it. */
  unit?: string | null | undefined;
  language?: Language | undefined;
  /** For inline amounts that may be wider than a phone. */
  wraps?: boolean | undefined;
  className?: string | undefined;
};

/** Money with at least two decimals, never rounded. `value` is a decimal string, `atomic` is in atomic units. */
export function Amount({ size = "inline", unit = "USDC", language, wraps, className, ...value }: AmountProps) {
  const text = formatAmount(value.value ?? formatUnits(value.atomic, value.decimals ?? 6), language);
  const isLong = size === "big" && text.length > BIG_CHARS_MAX;
  return (
    <span
      className={cx(
        "num",
        isLong ? LONG : SIZES[size],
        wraps && "whitespace-normal! [overflow-wrap:anywhere]",
        className,
      )}
    >
      {text}
      {unit !== null && <span className={UNITS[isLong ? "mid" : size]}>{` ${unit}`}</span>}
    </span>
  );
}

/** Longer numbers do not fit a phone in the big size, and a number that wraps within its digits is misread. */
const BIG_CHARS_MAX = 11;
const LONG =
  "text-[clamp(1.125rem,5.8vw,1.75rem)] leading-[1.15] font-bold tracking-[-0.02em] text-ink [overflow-wrap:anywhere]";

const SIZES = {
  big: "text-[clamp(2rem,11vw,2.75rem)] leading-[1.05] font-bold tracking-[-0.03em] text-ink [overflow-wrap:anywhere]",
  mid: "text-[clamp(1.25rem,5.6vw,1.5625rem)] leading-[1.15] font-bold tracking-[-0.02em] text-ink [overflow-wrap:anywhere]",
  inline: "whitespace-nowrap",
} as const;

const UNITS = {
  big: "ms-[0.12em] text-[0.42em] font-medium tracking-normal text-ink-2",
  mid: "text-[0.52em] font-medium tracking-normal text-ink-2",
  inline: "text-[0.88em] text-ink-2",
} as const;
