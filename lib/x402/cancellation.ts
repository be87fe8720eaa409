import { encodeFunctionData, type Hex, recoverAddress } from "viem";
import type { Address } from "@/lib/core/address";
import { tokenDomain } from "./authorization";
import { NETWORKS, type NetworkName } from "./networks";
import { canonicalSignature } from "./signature";
import { TOKEN_ABI } from "./token";

export const CANCELLATION_TYPES = {
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** The typed data that a payer signs to cancel an unused authorization (EIP-3009). */
export const cancellationTypedData = (network: NetworkName, authorizer: Address, nonce: Hex) => ({
  domain: tokenDomain(network),
  types: CANCELLATION_TYPES,
  primaryType: "CancelAuthorization" as const,
  message: { authorizer, nonce },
});

/** The canonical form of `signature` if the authorizer's own key made it for `digest`, else null. */
export async function ownSignature(digest: Hex, authorizer: Address, signature: Hex): Promise<Hex | null> {
  const canonical = canonicalSignature(signature);
  if (!canonical) return null;
  try {
    const signer = await recoverAddress({ hash: digest, signature: canonical });
    return signer.toLowerCase() === authorizer.toLowerCase() ? canonical : null;
  } catch {
    // r or s out of range: no key made this signature.
    return null;
  }
}

/** The token call that cancels an authorization, with the signature of an account or of a contract. */
export const cancellationCall = (network: NetworkName, authorizer: Address, nonce: Hex, signature: Hex) => ({
  to: NETWORKS[network].usdc,
  data: encodeFunctionData({
    abi: TOKEN_ABI,
    functionName: "cancelAuthorization",
    args: [authorizer, nonce, signature],
  }),
});
