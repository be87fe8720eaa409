import { decodeAbiParameters, encodeAbiParameters, type Hex, size, zeroHash } from "viem";
import { toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import type { Authorization } from "@/lib/x402/authorization";
import { rulesInCode } from "./terms";

const PAYMENT = [
  {
    type: "tuple",
    components: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
      { name: "signature", type: "bytes" },
      { name: "agentSignature", type: "bytes" },
      { name: "proof", type: "bytes32[]" },
    ],
  },
] as const;

/** The signatures and the proof that a vault requires besides the authorization. */
export type Approvals = {
  /** The authorization signed by the signer of the vault's terms; if the payee is the owner, the owner may sign instead. */
  signature: Hex;
  /** The agent key's signature of the authorization; null if the terms name no agent. */
  agentSignature: Hex | null;
  /** Merkle proof of the payee; null if the terms permit any. */
  proof: readonly Hex[] | null;
};

/** The signature of a payment by a vault (`authorization.from`), as any facilitator passes it to the token. */
export function vaultSignature(authorization: Authorization, { signature, agentSignature, proof }: Approvals): Hex {
  const { to, value, validAfter, validBefore, nonce } = authorization;
  return encodeAbiParameters(PAYMENT, [
    {
      to,
      value,
      validAfter,
      validBefore,
      nonce,
      signature,
      agentSignature: agentSignature ?? "0x",
      proof: proof ?? [],
    },
  ]);
}

const SIGNATURE_BYTES = 65;

/**
 * Whether `signature` is the canonical encoding of its payment, without bytes that the vault with this `code` does not read: the
 * first version of the contract ignores them, and each takes room in a transaction. Later ones refuse them. A payment to the owner may hold a signature of any length, because
 * the owner's contract may read it. Never throws.
 * Why: docs/decisions.md, 388.
 */
export function isCanonical(code: Hex, signature: Hex): boolean {
  const { owner, agent, payees } = rulesInCode(code);
  try {
    const [payment] = decodeAbiParameters(PAYMENT, signature);
    if (encodeAbiParameters(PAYMENT, [payment]) !== signature.toLowerCase()) return false;
    if (toAddress(payment.to) === owner) return true;
    return (
      size(payment.signature) === SIGNATURE_BYTES &&
      size(payment.agentSignature) === (agent === ZERO_ADDRESS ? 0 : SIGNATURE_BYTES) &&
      (payees !== zeroHash || payment.proof.length === 0)
    );
  } catch {
    // Vaults refuse a signature that does not decode.
    return false;
  }
}
