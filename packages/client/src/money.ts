/** Atomic USDC ("1250000") as decimal text with two to six decimals ("1.25"). Never rounds. Throws a RangeError for other text. */
export function formatUsdc(atomic: string): string {
  if (!/^\d{1,78}$/.test(atomic)) throw new RangeError("not an amount in atomic units");
  const digits = atomic.replace(/^0+/, "").padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
}

/** Decimal text ("1.25") as atomic USDC ("1250000"). Throws a RangeError for more than six decimals and for other text. */
export function parseUsdc(text: string): string {
  const [, integer, decimals = ""] = /^(\d{1,60})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (integer === undefined) throw new RangeError("not an amount in USDC with at most six decimals");
  return (integer + decimals.padEnd(6, "0")).replace(/^0+(?=\d)/, "");
}
