import { formatUsdc, toUsdc } from "@/lib/core/usdc";

const LOCALE = "en-GB";

/** Groups the thousands of a decimal string and gives it at least two decimals. Digits are never dropped. */
export function formatAmount(decimal: string): string {
  const digits = Math.max(2, (decimal.split(".")[1] ?? "").replace(/0+$/, "").length);
  const format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // A numeric string, so that Intl works on the exact value and not on the nearest double.
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** Atomic units with their unit: 1234500000n → "1,234.50 USDC". */
export const usdcText = (atomic: bigint): string => `${formatAmount(formatUsdc(toUsdc(atomic)))} USDC`;

const CENT = 10_000n;

/** An average in atomic units, rounded to cents. Below one cent it stays exact, because "0.00" would look like nothing. */
export const roundAverage = (atomic: bigint): bigint => (atomic < CENT ? atomic : ((atomic + CENT / 2n) / CENT) * CENT);

/** 12345 → "12,345". */
export const formatCount = (count: number | bigint): string => new Intl.NumberFormat(LOCALE).format(count);

/**
 * `part` of `whole` in per cent, rounded down: 100% means all of it. Shows `decimals` digits unless they are all zero:
 * "33.33%", "12.50%", "100%". A part above zero never reads as "0%". `whole` must be positive.
 */
export function formatPercent(part: bigint, whole: bigint, decimals: 0 | 1 | 2 = 0): string {
  const scale = 10n ** BigInt(decimals);
  const scaled = (part * 100n * scale) / whole;
  if (scaled === 0n && part > 0n) return `less than ${decimals === 0 ? "1" : (10 ** -decimals).toFixed(decimals)}%`;
  const rest = (scaled % scale).toString().padStart(decimals, "0");
  return `${formatCount(scaled / scale)}${scaled % scale === 0n ? "" : `.${rest}`}%`;
}
