import { timingSafeEqual } from "node:crypto";

/**
 * Whether two secrets are equal, in a time that depends on their lengths only. The only use of timingSafeEqual, which throws when
 * the bytes differ in number: texts of equal length can.
 */
export function isSameSecret(one: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
