type Hex = `0x${string}`;

type Row = {
  /** Network name in x402 v1. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  /** Whether the network's USDC is test money without value. */
  readonly isTestnet: boolean;
  readonly chainId: number;
  /** CAIP-2 id: the network name in x402 v2. */
  readonly caip2: string;
  /** The USDC contract, checksummed: stock clients compare it as text. */
  readonly usdc: Hex;
  /** `name` of the token's EIP-712 domain, sent in `accepts[].extra`. */
  readonly tokenName: string;
  /** `version` of the token's EIP-712 domain, sent in `accepts[].extra`. */
  readonly tokenVersion: string;
  /** Host of the block explorer, reached over https. */
  readonly explorerHost: string;
  /** Seconds between two blocks. */
  readonly blockSeconds: number;
};

/**
 * The supported networks, by x402 v1 name. This is the only table of networks: another network needs only a row here. The addresses
 * are from Circle's list of USDC contracts.
 * Why: docs/decisions.md, 443.
 *
 * @example
 * const { chainId, usdc } = NETWORKS.base; // 8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
 * const url = `https://${NETWORKS.base.explorerHost}/tx/${txHash}`;
 */
export const NETWORKS = {
  base: {
    name: "base",
    label: "Base",
    isTestnet: false,
    chainId: 8453,
    caip2: "eip155:8453",
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    tokenName: "USD Coin",
    tokenVersion: "2",
    explorerHost: "basescan.org",
    blockSeconds: 2,
  },
  "base-sepolia": {
    name: "base-sepolia",
    label: "Base Sepolia",
    isTestnet: true,
    chainId: 84532,
    caip2: "eip155:84532",
    usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    tokenName: "USDC",
    tokenVersion: "2",
    explorerHost: "sepolia.basescan.org",
    blockSeconds: 2,
  },
} as const satisfies { readonly [name: string]: Row };

/** The name of a network in x402 v1. */
export type NetworkName = keyof typeof NETWORKS;

/** A network on which Tessera pays in USDC issued by Circle. */
export type Network = Row & { readonly name: NetworkName };

/** All network names, in display order. */
export const NETWORK_NAMES = /* @__PURE__ */ Object.keys(NETWORKS) as [NetworkName, ...NetworkName[]];

/** The network of a request or link that names none. */
export const DEFAULT_NETWORK: NetworkName = "base";

/**
 * Finds a network by its x402 v1 name or CAIP-2 id (case-sensitive); null for any other value.
 *
 * @example
 * networkNamed("eip155:8453")?.usdc; // "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
 * networkNamed("solana"); // null
 */
export const networkNamed = (text: unknown): Network | null =>
  Object.values<Network>(NETWORKS).find(({ name, caip2 }) => name === text || caip2 === text) ?? null;
