/** Signs that some rule requires, one bit each. */
const noted = '\n"#$%&(-./<=?@[\\_|!+:';
export const signBits = new Int32Array(128);
for (let i = 0; i < noted.length; i++) signBits[noted.charCodeAt(i)] = 1 << i;

/** The bits of these signs in `Words.signs`. */
export function bitsOf(signs: string): number {
  let bits = 0;
  for (let i = 0; i < signs.length; i++) {
    const bit = signBits[signs.charCodeAt(i)] ?? 0;
    if (bit === 0) throw new Error(`Not noted: ${signs.charAt(i)}`);
    bits |= bit;
  }
  return bits;
}
