const DECIMALS = 6;

/** Atomic units of USDC as a decimal text with two to six decimals: 12500000 becomes "12.50". Never rounds. */
export function formatUsdc(atomic: bigint): string {
  const digits = atomic.toString().padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS).replace(/0{1,4}$/, "")}`;
}
