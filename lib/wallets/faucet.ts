import { BaseError, createTestClient, type Hex, http, parseAbi, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Address } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { walletErrors } from "./errors";

export type Mint = { address: Address; amount: Usdc; network: NetworkName };

const DOLLAR_ABI = parseAbi([
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);
const BLOCK_WAIT_MS = 15_000;

/** Mints test USDC and waits for the transaction. Throws not_found outside a devnet. */
export async function mint({ config }: System, mintRequest: Mint): Promise<{ txHash: Hex; balance: Usdc }> {
  if (config.mode !== "devnet") throw walletErrors.not_found();
  const { address: to, amount, network } = mintRequest;
  const client = createTestClient({
    mode: "anvil",
    transport: http(config.rpcUrls[network][0], { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);
  const token = { address: NETWORKS[network].usdc, abi: DOLLAR_ABI } as const;
  // A fresh account for each mint, so that two mints never compete for a nonce.
  const account = privateKeyToAccount(generatePrivateKey());
  try {
    await client.setBalance({ address: account.address, value: parseEther("1") });
    const call = { ...token, account, chain: null, functionName: "mint", args: [to, amount] } as const;
    const txHash = await client.writeContract(call);
    const { status } = await client.waitForTransactionReceipt({ hash: txHash, timeout: BLOCK_WAIT_MS });
    if (status !== "success") throw new Error(`mint reverted in ${txHash}`);
    const balance = await client.readContract({ ...token, functionName: "balanceOf", args: [to] });
    return { txHash, balance: toUsdc(balance) };
  } catch (cause) {
    if (cause instanceof BaseError) throw new ChainUnavailable("the local chain did not mint", { cause });
    throw cause;
  }
}
