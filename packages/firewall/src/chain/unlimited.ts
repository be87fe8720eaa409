/** More than the supply of any token with a usual number of decimals. */
const ANY_UNLIMITED = 2n ** 120n;
const PERMIT2_UNLIMITED = 2n ** 119n;
const ALL_ONES_FROM = 2n ** 80n - 1n;

/**
 * Whether an allowance is unlimited in practice: the maximum of a usual width, more than any supply, or at least
 * `ceiling`, which is null for unknown tokens.
 */
export function isUnlimited(amount: bigint, ceiling: bigint | null, bits: 160 | 256): boolean {
  if (ceiling !== null && amount >= ceiling) return true;
  if (amount >= (bits === 160 ? PERMIT2_UNLIMITED : ANY_UNLIMITED)) return true;
  return amount >= ALL_ONES_FROM && (amount & (amount + 1n)) === 0n;
}
