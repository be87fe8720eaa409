import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import type { Address } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { type Chain, ChainUnavailable } from "@/lib/platform/chain";

const ABI = parseAbi([
  "function nonces(address owner) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
]);
const VIEW_GAS = 100_000n;

/** What the token says about a vault's owner now. */
export type OwnersFunds = { permitNonce: bigint; balance: Usdc; allowance: Usdc };

/** Throws ChainUnavailable. */
export async function readOwner(chain: Chain, owner: Address, vault: Address): Promise<OwnersFunds> {
  const read = async (data: Hex) => {
    const result = await chain.simulateAlone(owner, { to: chain.network.usdc, data }, VIEW_GAS);
    if (!result.ok) throw new ChainUnavailable(`the token did not answer: ${result.reason}`);
    return decodeFunctionResult({ abi: ABI, functionName: "balanceOf", data: result.data });
  };
  const [permitNonce, balance, allowance] = await Promise.all([
    read(encodeFunctionData({ abi: ABI, functionName: "nonces", args: [owner] })),
    read(encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [owner] })),
    read(encodeFunctionData({ abi: ABI, functionName: "allowance", args: [owner, vault] })),
  ]);
  return { permitNonce, balance: toUsdc(balance), allowance: toUsdc(allowance) };
}
