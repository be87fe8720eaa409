/**
 * Formats atomic USDC as decimal text with two to six decimals. Never rounds. Throws RangeError unless `atomic` is 1 to 78 digits.
 *
 * @example
 * formatUsdc("1250000"); // "1.25"
 * formatUsdc("1"); // "0.000001"
 */
export function formatUsdc(atomic: string): string {
  if (!/^\d{1,78}$/.test(atomic)) throw new RangeError("not an amount in atomic units");
  const digits = atomic.replace(/^0+/, "").padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
}

/**
 * Parses decimal text as atomic USDC. Throws RangeError for more than six decimals, a sign, an exponent or other text.
 *
 * @example
 * parseUsdc("1.25"); // "1250000"
 * await tessera.pay(url, {}, { maxAmount: parseUsdc("0.50") });
 */
export function parseUsdc(text: string): string {
  const [, integer, decimals = ""] = /^(\d{1,60})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (integer === undefined) throw new RangeError("not an amount in USDC with at most six decimals");
  return (integer + decimals.padEnd(6, "0")).replace(/^0+(?=\d)/, "");
}
