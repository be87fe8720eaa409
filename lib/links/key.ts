import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { isSameSecret } from "@/lib/core/same-secret";

/**
 * Whether `key` grants access to the content of one sale. It is either the issued key, returned only to the presenter of the proof,
 * or the preimage whose SHA-256 is the signed nonce, for a buyer who never received the response. The proof itself grants no access:
 * once it is mined, anyone can read it from the chain and present it.
 * Why: docs/decisions.md, 90.
 */
export function opensContent(key: string, sale: { issued: string; nonce: Hex }): boolean {
  const nonce = Buffer.from(sale.nonce.slice(2), "hex");
  return isSameSecret(key, sale.issued) || isSameSecret(createHash("sha256").update(key).digest(), nonce);
}
