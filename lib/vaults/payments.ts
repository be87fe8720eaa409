import { encodeAbiParameters, type Hex } from "viem";
import type { Authorization } from "@/lib/x402/authorization";

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

/** What a vault needs beside the authorization to judge a payment. */
export type Approvals = {
  /** Of the authorization, by the terms' signer. On the way to the owner, by signer or owner. */
  signature: Hex;
  /** Of the authorization, by the terms' agent; null if they name none. */
  agentSignature: Hex | null;
  /** Of the payee; null if the terms permit any. */
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
