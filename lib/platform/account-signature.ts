import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { NetworkName } from "@/lib/x402/networks";
import { recoverSigner } from "@/lib/x402/signature";
import type { System } from "./context";

export type AccountSignature = { network: NetworkName; account: Address; digest: Hex; signature: Hex };

/**
 * Whether `account` signed `digest`: with its key, or as a contract on `network` that accepts the signature (EIP-1271).
 * `beforeChainCall` runs before the node is called and may throw.
 */
export async function isSignedByAccount(
  { chains }: System,
  { network, account, digest, signature }: AccountSignature,
  beforeChainCall: () => Promise<void> = async () => {},
): Promise<boolean> {
  if (recoverSigner(digest, signature) === account) return true;
  await beforeChainCall();
  return chains[network].acceptsSignature(account, digest, signature);
}
