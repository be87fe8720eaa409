type Hex = `0x${string}`;

/** A row of the table of networks. */
type Row = {
  /** As x402 v1 names it. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Whether its money is worth nothing. */
  readonly isTestnet: boolean;
  readonly chainId: number;
  /** CAIP-2 id, as x402 v2 names it. */
  readonly caip2: string;
  /** The USDC contract, checksummed: stock clients compare it as text. */
  readonly usdc: Hex;
  /** EIP-712 domain of the token, sent in `accepts[].extra`. */
  readonly tokenName: string;
  readonly tokenVersion: string;
  /** Host of the block explorer, which is at https. */
  readonly explorerHost: string;
  /** Seconds between two blocks. */
  readonly blockSeconds: number;
};

/**
 * The only table of networks: a third one needs a row here and nothing else. Addresses: Circle's list of USDC contracts.
 * Why: docs/decisions.md, 443.
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

/** A network on which Tessera pays in Circle's USDC. */
export type Network = Row & { readonly name: NetworkName };

/** All names, in the order in which people are shown them. */
export const NETWORK_NAMES = /* @__PURE__ */ Object.keys(NETWORKS) as [NetworkName, ...NetworkName[]];

/** The network where a request or a link names none. */
export const DEFAULT_NETWORK: NetworkName = "base";

/**
 * The network with this x402 v1 name or CAIP-2 id; null for any other value.
 *
 * @example
 * networkNamed("eip155:8453")?.usdc; // "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
 */
export const networkNamed = (text: unknown): Network | null =>
  Object.values<Network>(NETWORKS).find(({ name, caip2 }) => name === text || caip2 === text) ?? null;
