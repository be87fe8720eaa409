import secp256k1 from "secp256k1";
import { type Hex, keccak256 } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { type Authorization, authorizationDigest } from "./authorization";
import type { NetworkName } from "./networks";

/** Half of the curve's order: the token refuses a larger s (EIP-2). */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Signs with a raw private key; the result is 65 bytes r ‖ s ‖ v with low s and v 27 or 28, as the token demands. */
export function signAuthorization(network: NetworkName, a: Authorization, privateKey: Hex): Hex {
  const { signature, recid } = secp256k1.ecdsaSign(bytes(authorizationDigest(network, a)), bytes(privateKey));
  return `0x${Buffer.from(signature).toString("hex")}${(27 + recid).toString(16)}`;
}

/**
 * The account whose key made `signature`, or null when it is no canonical ECDSA signature (65 bytes, low s, v 27/28 or
 * the yParity 0/1 some signers write).
 */
export function recoverPayer(network: NetworkName, a: Authorization, signature: Hex): Address | null {
  const canonical = canonicalSignature(signature);
  if (!canonical) return null;
  const raw = bytes(canonical);
  try {
    const key = secp256k1.ecdsaRecover(
      raw.subarray(0, 64),
      (raw[64] ?? 27) - 27,
      bytes(authorizationDigest(network, a)),
      false,
    );
    return toAddress(`0x${keccak256(key.subarray(1)).slice(-40)}`);
  } catch {
    // The library throws for r or s out of range: no key made this signature.
    return null;
  }
}

/** `signature` with v as 27 or 28 (Circle's token refuses 0 and 1), or null when it cannot be an account's signature. */
export function canonicalSignature(signature: Hex): Hex | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number.parseInt(signature.slice(130), 16);
  if (s > S_MAX || s === 0n || ![0, 1, 27, 28].includes(v)) return null;
  return `${signature.slice(0, 130) as Hex}${(v < 27 ? v + 27 : v).toString(16)}`;
}

const bytes = (hex: Hex): Uint8Array => new Uint8Array(Buffer.from(hex.slice(2), "hex"));
