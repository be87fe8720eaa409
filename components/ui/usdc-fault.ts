/** Why `parseUsdc` refuses a typed amount, as the error of its field. */
export function usdcFault(typed: string): string {
  const text = typed.trim();
  if (text.includes(",")) return "Use a point for decimals, and no comma: 12.50.";
  if (/\d\s+\d/.test(text)) return "Leave out the spaces: 1000, not 1 000.";
  if (/^[-+\u2212]/.test(text)) return "Leave out the sign: an amount is above zero.";
  const [, before, after] = /^([^\d.\s]*)\s*[\d.]+\s*([^\d.\s]*)$/.exec(text) ?? [];
  const unit = before || after;
  if (unit) return `Leave out “${unit}”: enter only the number.`;
  return /\.\d{7}/.test(text) ? "Use at most six decimals." : "Enter an amount above zero, for example, 12.50.";
}
