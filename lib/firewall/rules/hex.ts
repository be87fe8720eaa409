/** The number that `digits` lower-case hexadecimal digits from `at` on write; at most 12 of them, or it would not be exact. */
export function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const code = text.charCodeAt(i);
    value = value * 16 + (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

/** The same of a function's four bytes, as a signed number of 32 bits: engines keep those without allocating. */
export function selectorAt(text: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + 8; i++) {
    const code = text.charCodeAt(i);
    value = (value << 4) | (code < LETTER_A ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return value;
}

const [DIGIT_ZERO, LETTER_A] = [48, 97];
