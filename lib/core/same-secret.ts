import { timingSafeEqual } from "node:crypto";

/**
 * Whether two secrets are equal, in a time that depends on their lengths only. The only use of timingSafeEqual, which throws when
 * the bytes differ in number: texts of equal length can.
 */
export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
