import { timingSafeEqual } from "node:crypto";

/**
 * Compares two secrets in a time that depends only on their lengths. The only use of timingSafeEqual, which throws on different byte
 * lengths: strings of equal length can differ in bytes.
 */
export function isSameSecret(one: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
