import { DEFAULT_LANGUAGE, type Language, LOCALES, UNIT_SPACES } from "@/lib/core/language";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";

/** Groups the thousands of a decimal string and gives it at least two decimals. Digits are never dropped. */
export function formatAmount(decimal: string, language: Language = DEFAULT_LANGUAGE): string {
  const digits = Math.max(2, (decimal.split(".")[1] ?? "").replace(/0+$/, "").length);
  const format = new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A numeric string, so that Intl works on the exact value and not on the nearest double.
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** A decimal string, with its own number of decimals: "1234.50" → "1,234.50". */
export function formatDecimal(decimal: string, language: Language = DEFAULT_LANGUAGE): string {
  const digits = (decimal.split(".")[1] ?? "").length;
  const format = new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** A decimal string with the unit. Some languages need a space between them that does not break. */
export const usdcOf = (decimal: string, language: Language = DEFAULT_LANGUAGE): string =>
  `${formatAmount(decimal, language)}${UNIT_SPACES[language]}USDC`;

/** Atomic units with their unit: 1234500000n → "1,234.50 USDC". */
export const usdcText = (atomic: bigint, language: Language = DEFAULT_LANGUAGE): string =>
  usdcOf(formatUsdc(toUsdc(atomic)), language);

const CENT = 10_000n;

/** An average in atomic units, rounded to cents. Below one cent it stays exact, because "0.00" would look like nothing. */
export const roundAverage = (atomic: bigint): bigint => (atomic < CENT ? atomic : ((atomic + CENT / 2n) / CENT) * CENT);

/** 12345 → "12,345". */
export const formatCount = (count: number | bigint, language: Language = DEFAULT_LANGUAGE): string =>
  new Intl.NumberFormat(LOCALES[language]).format(count);

/**
 * `part` of `total` in per cent, rounded down: only all of it is 100%. Shows `decimals` digits unless all are zero: "33.33%", "12.50%",
 * "100%". A part above zero is never shown as "0%". `total` must be positive.
 */
export function formatPercent(part: bigint, total: bigint, decimals: 0 | 1 | 2 = 0): string {
  const scale = 10n ** BigInt(decimals);
  const scaled = (part * 100n * scale) / total;
  if (scaled === 0n && part > 0n) return `less than ${decimals === 0 ? "1" : (10 ** -decimals).toFixed(decimals)}%`;
  const fraction = (scaled % scale).toString().padStart(decimals, "0");
  return `${formatCount(scaled / scale)}${scaled % scale === 0n ? "" : `.${fraction}`}%`;
}
