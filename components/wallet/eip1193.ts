import { numberToHex } from "viem";
import { base, baseSepolia } from "viem/chains";
import type { Connector } from "wagmi";
import type { WalletTexts } from "@/components/texts/en/wallet";
import { fill } from "@/components/texts/template";

/** The part of EIP-1193 that the page uses. */
export type Eip1193 = { request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> };

export const CHAINS = [base, baseSepolia] as const;

export const chainName = (chainId: number, texts: WalletTexts): string =>
  CHAINS.find((chain) => chain.id === chainId)?.name ??
  OTHER_CHAINS.get(chainId) ??
  fill(texts.unnamedNetwork, { id: chainId });

/** Chains on which a wallet often is when it should be on one of ours. viem's definitions of them are far larger. */
const OTHER_CHAINS: ReadonlyMap<number, string> = new Map([
  [1, "Ethereum"],
  [10, "OP Mainnet"],
  [56, "BNB Smart Chain"],
  [100, "Gnosis"],
  [137, "Polygon"],
  [324, "ZKsync Era"],
  [42161, "Arbitrum One"],
  [43114, "Avalanche"],
  [59144, "Linea"],
  [11155111, "Sepolia"],
]);

/** The raw provider: payloads are passed to it unchanged, so the wallet shows exactly what the server sent. */
export async function providerOf(connector: Connector): Promise<Eip1193> {
  // Injected connectors and the passkey wallet return EIP-1193 providers.
  return (await connector.getProvider()) as Eip1193;
}

export const readChainId = async (wallet: Eip1193): Promise<number> =>
  Number(await wallet.request({ method: "eth_chainId" }));

/** Switches the wallet to `chainId`, and adds the chain if the wallet does not know it. Returns whether the wallet is on the chain. */
export async function ensureChain(wallet: Eip1193, chainId: number): Promise<boolean> {
  if ((await readChainId(wallet)) === chainId) return true;
  const switching = { method: "wallet_switchEthereumChain", params: [{ chainId: numberToHex(chainId) }] };
  try {
    await wallet.request(switching);
  } catch (error) {
    const chain = CHAINS.find(({ id }) => id === chainId);
    if (!chain || !codesOf(error).includes(UNKNOWN_CHAIN)) throw error;
    await wallet.request({ method: "wallet_addEthereumChain", params: [addParameter(chain)] });
    if ((await readChainId(wallet)) !== chainId) await wallet.request(switching);
  }
  return (await readChainId(wallet)) === chainId;
}

/** Wallets report a rejection by the person in several ways. */
export const isRejection = (error: unknown): boolean =>
  codesOf(error).some((code) => code === 4001 || code === 5000 || code === "ACTION_REJECTED");

/** An error message for a failure of the wallet. */
export function explain(error: unknown, texts: WalletTexts): string {
  const codes = codesOf(error);
  if (codes.includes(-32002)) return texts.requestOpen;
  if (codes.includes(4100)) return texts.notAllowed;
  if (codes.includes(4200) || codes.includes(-32601)) return texts.unsupported;
  return texts.unexpected;
}

const UNKNOWN_CHAIN = 4902;

const addParameter = (chain: (typeof CHAINS)[number]) => ({
  chainId: numberToHex(chain.id),
  chainName: chain.name,
  nativeCurrency: chain.nativeCurrency,
  rpcUrls: chain.rpcUrls.default.http,
  blockExplorerUrls: [chain.blockExplorers.default.url],
});

/** The codes of an error and its causes; MetaMask mobile puts 4902 into `data.originalError`. */
function codesOf(error: unknown, depth = 0): unknown[] {
  if (typeof error !== "object" || error === null || depth > 4) return [];
  const { code, cause, data, originalError } = error as Record<string, unknown>;
  return [code, ...[cause, data, originalError].flatMap((inner) => codesOf(inner, depth + 1))];
}
