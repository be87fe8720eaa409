// Amounts without schemas, for pages: a schema would add Zod to their bundle.

declare const usdc: unique symbol;

/** USDC in atomic units (6 decimals): the only representation of money inside the service. */
export type Usdc = bigint & { readonly [usdc]: true };

const DECIMALS = 6;

/** Brands a value that is known to be an amount in atomic USDC. */
export const toUsdc = (atomic: bigint): Usdc => atomic as Usdc;

export const ZERO = toUsdc(0n);

export const add = (a: Usdc, b: Usdc): Usdc => toUsdc(a + b);
export const subtract = (a: Usdc, b: Usdc): Usdc => toUsdc(a - b);

/** Atomic units as a decimal string with at least two and at most six decimals: 12500000 → "12.50". Never rounds. */
export function formatUsdc(value: Usdc): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(DECIMALS + 1, "0");
  const decimals = digits.slice(-DECIMALS).replace(/0{1,4}$/, "");
  return `${sign}${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/** Parses an amount typed by a person ("12.5", ".5"; "12,50" is refused) to atomic units. Null unless positive with at most six decimals. */
export function parseUsdc(text: string): Usdc | null {
  const match = /^(?=\.?\d)(\d{0,60})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const value = BigInt(match[1] || "0") * 10n ** BigInt(DECIMALS) + BigInt((match[2] ?? "").padEnd(DECIMALS, "0"));
  return value > 0n ? toUsdc(value) : null;
}
