import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";
import type { SettlementId } from "@/lib/core/ids";

/** What opens the content of one sale, told only to whoever presented its proof first. */
export const contentKey = (secret: string, id: SettlementId): string =>
  createHmac("sha256", secret).update(`what ${id} bought`).digest("base64url");

/**
 * Whether `key` is the buyer's: the one we told them, or the secret whose SHA-256 is the nonce they signed, for who never
 * got our answer. The proof itself is no evidence: once it is mined, anybody can read it on the chain and present it.
 */
export function opensContent(key: string, secret: string, sale: { id: SettlementId; nonce: Hex }): boolean {
  const nonce = Buffer.from(sale.nonce.slice(2), "hex");
  return isSame(Buffer.from(key), Buffer.from(contentKey(secret, sale.id))) || isSame(hashOf(key), nonce);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
const hashOf = (key: string): Uint8Array => createHash("sha256").update(key).digest();
