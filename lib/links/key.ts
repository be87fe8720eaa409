import { createHash, timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";

/**
 * Whether `key` opens the content of one sale: it is the `told` one, which only the presenter of its proof got, or the secret
 * whose SHA-256 is the nonce that the buyer signed, for a buyer who never got our answer. The proof itself is no evidence:
 * once it is mined, anybody can read it on the chain and present it.
 */
export function opensContent(key: string, sale: { told: string; nonce: Hex }): boolean {
  const nonce = Buffer.from(sale.nonce.slice(2), "hex");
  return isSame(Buffer.from(key), Buffer.from(sale.told)) || isSame(hashOf(key), nonce);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
const hashOf = (key: string): Uint8Array => createHash("sha256").update(key).digest();
