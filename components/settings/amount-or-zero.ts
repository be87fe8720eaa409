import { parseUsdc, type Usdc } from "@/lib/core/usdc";

const MAX = 2n ** 96n - 1n;

/** Parses an amount that may be zero into atomic units; null if invalid, or above a mandate's maximum. */
export function amountOrZero(text: string): Usdc | 0n | null {
  const amount = /^0+(\.0*)?$/.test(text.trim()) ? 0n : parseUsdc(text);
  return amount !== null && amount <= MAX ? amount : null;
}
