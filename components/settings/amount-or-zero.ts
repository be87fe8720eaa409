import { parseUsdc, type Usdc } from "@/lib/core/usdc";

const MAX = 2n ** 96n - 1n;

/** The atomic units of an amount that may be zero; null if it is none, or above what a mandate can have. */
export function amountOrZero(text: string): Usdc | 0n | null {
  const amount = /^0+(\.0*)?$/.test(text.trim()) ? 0n : parseUsdc(text);
  return amount !== null && amount <= MAX ? amount : null;
}
