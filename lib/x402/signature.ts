import secp256k1 from "secp256k1";
import { type Hex, keccak256, parseErc6492Signature, zeroAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { type Authorization, authorizationDigest } from "./authorization";
import type { NetworkName } from "./networks";

/** The order n of secp256k1: r and s are in 1..n-1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Half of the order. The token refuses a larger s (EIP-2). */
const S_MAX = ORDER / 2n;
/** The last 32 bytes of a signature for an undeployed contract (ERC-6492). */
const ERC6492_SUFFIX = "6492".repeat(16);

/** The kinds of signature, distinguished by their bytes alone. */
export type Signature =
  /** A canonical account signature. A contract may still interpret the same bytes in its own way. */
  | { kind: "ecdsa"; v: 27 | 28; r: Hex; s: Hex }
  /** Any other bytes: only a contract can verify them. */
  | { kind: "erc1271"; bytes: Hex }
  /**
   * For an undeployed contract (ERC-6492): the signature that its code verifies, null when the wrapper is not readable, and the call that
   * deploys it, null when the wrapper has none.
   */
  | { kind: "erc6492"; signature: Hex | null; deployment: Deployment | null };

/** The call of a factory that deploys a contract account. */
export type Deployment = { factory: Address; factoryCalldata: Hex };

/** How a stored signature is verified: `ecdsa` by the payer's key, `erc1271` by the payer's contract code. */
export type SignatureKind = "ecdsa" | "erc1271";

/**
 * Parses a signature (hex of any length). It is ECDSA only with 65 bytes, r in 1..n-1, s in 1..n/2 and v 0, 1, 27 or 28.
 * The result has v 27 or 28. Never throws.
 */
export function parseSignature(hex: Hex): Signature {
  if (hex.toLowerCase().endsWith(ERC6492_SUFFIX)) return unwrapped(hex);
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return { kind: "erc1271", bytes: hex };
  const r: Hex = `0x${hex.slice(2, 66)}`;
  const s: Hex = `0x${hex.slice(66, 130)}`;
  const v = { 0: 27, 1: 28, 27: 27, 28: 28 }[Number.parseInt(hex.slice(130), 16)];
  const isInRange = isBetween(r, ORDER - 1n) && isBetween(s, S_MAX);
  return isInRange && (v === 27 || v === 28) ? { kind: "ecdsa", v, r, s } : { kind: "erc1271", bytes: hex };
}

const isBetween = (hex: Hex, max: bigint) => BigInt(hex) >= 1n && BigInt(hex) <= max;

/** The 65 bytes r ‖ s ‖ v that the token expects. */
const ecdsaBytes = ({ r, s, v }: { r: Hex; s: Hex; v: 27 | 28 }): Hex => `${r}${s.slice(2)}${v.toString(16)}` as Hex;

function unwrapped(hex: Hex): Extract<Signature, { kind: "erc6492" }> {
  try {
    const { address: factory = zeroAddress, data: factoryCalldata = "0x", signature } = parseErc6492Signature(hex);
    const deployment = factory === zeroAddress ? null : { factory: toAddress(factory), factoryCalldata };
    return { kind: "erc6492", signature, deployment };
  } catch {
    // The signature has the suffix of ERC-6492, but no readable wrapper.
    return { kind: "erc6492", signature: null, deployment: null };
  }
}

/**
 * The stored form of a signature, without its ERC-6492 wrapper. `ecdsa` (canonical 65 bytes) if the key of `a.from` made it; otherwise
 * `erc1271`, unchanged, because the payer's code interprets it. Never throws.
 */
export function typedSignature(network: NetworkName, a: Authorization, wrapped: Hex) {
  const outer = parseSignature(wrapped);
  const { signature, deployment } = outer.kind === "erc6492" ? outer : { signature: wrapped, deployment: null };
  const parsed = parseSignature(signature ?? wrapped);
  const isPayers = parsed.kind === "ecdsa" && recoverPayer(network, a, ecdsaBytes(parsed)) === a.from;
  return isPayers
    ? { signatureKind: "ecdsa" as const, signature: ecdsaBytes(parsed), deployment: null }
    : { signatureKind: "erc1271" as const, signature: signature ?? wrapped, deployment };
}

/** Signs with a raw private key. The result is 65 bytes r ‖ s ‖ v with low s and v 27 or 28, as the token requires. */
export const signAuthorization = (network: NetworkName, a: Authorization, privateKey: Hex): Hex =>
  signDigest(authorizationDigest(network, a), privateKey);

export function signDigest(digest: Hex, privateKey: Hex): Hex {
  const { signature, recid } = secp256k1.ecdsaSign(bytes(digest), bytes(privateKey));
  return `0x${Buffer.from(signature).toString("hex")}${(27 + recid).toString(16)}`;
}

/**
 * The account whose key made `signature`, or null when it is not a canonical ECDSA signature (65 bytes, low s, v 27/28, or
 * the yParity 0/1 that some signers write).
 */
export const recoverPayer = (network: NetworkName, a: Authorization, signature: Hex): Address | null =>
  recoverSigner(authorizationDigest(network, a), signature);

export function recoverSigner(digest: Hex, signature: Hex): Address | null {
  const parsed = parseSignature(signature);
  if (parsed.kind !== "ecdsa") return null;
  const rs = bytes(`0x${parsed.r.slice(2)}${parsed.s.slice(2)}`);
  try {
    const key = secp256k1.ecdsaRecover(rs, parsed.v - 27, bytes(digest), false);
    return toAddress(`0x${keccak256(key.subarray(1)).slice(-40)}`);
  } catch {
    // An r in range need not be the coordinate of a point on the curve: no key made this signature.
    return null;
  }
}

/** `signature` with v 27 or 28 (Circle's token refuses 0 and 1), or null when it cannot be an account's signature. */
export function canonicalSignature(signature: Hex): Hex | null {
  const parsed = parseSignature(signature);
  return parsed.kind === "ecdsa" ? ecdsaBytes(parsed) : null;
}

const bytes = (hex: Hex): Uint8Array => new Uint8Array(Buffer.from(hex.slice(2), "hex"));
