import { encodeFunctionData, type Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Authorization } from "./authorization";
import { NETWORKS, type NetworkName } from "./networks";
import { TOKEN_ABI } from "./token";

/** The token call that executes an authorization. The token accepts signatures of accounts and of contracts. */
export function submission(network: NetworkName, a: Authorization, signature: Hex): { to: Address; data: Hex } {
  const args = [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature] as const;
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: "transferWithAuthorization", args });
  return { to: NETWORKS[network].usdc, data };
}
