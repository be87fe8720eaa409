import { type Address, toAddress } from "@/lib/core/address";

export const NETWORK_NAMES = ["base", "base-sepolia"] as const;
export type NetworkName = (typeof NETWORK_NAMES)[number];

export type Network = {
  name: NetworkName;
  label: string;
  /** Whether its money is worth nothing. */
  isTestnet: boolean;
  chainId: number;
  /** CAIP-2 id, used by x402 v2. */
  caip2: string;
  usdc: Address;
  /** EIP-712 domain of the token, sent in `accepts[].extra`. */
  tokenName: string;
  tokenVersion: string;
  explorer: string;
  /** The environment variables that configure it. */
  variables: { rpcUrl: `${string}_RPC_URL`; feeCap: `${string}_FEE_CAP` };
};

/** The only place that names the networks: everything else is derived (networks.test.ts). */
export const NETWORKS = {
  base: {
    name: "base",
    label: "Base",
    isTestnet: false,
    chainId: 8453,
    caip2: "eip155:8453",
    usdc: toAddress("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
    tokenName: "USD Coin",
    tokenVersion: "2",
    explorer: "https://basescan.org",
    variables: { rpcUrl: "BASE_RPC_URL", feeCap: "BASE_FEE_CAP" },
  },
  "base-sepolia": {
    name: "base-sepolia",
    label: "Base Sepolia",
    isTestnet: true,
    chainId: 84532,
    caip2: "eip155:84532",
    usdc: toAddress("0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
    tokenName: "USDC",
    tokenVersion: "2",
    explorer: "https://sepolia.basescan.org",
    variables: { rpcUrl: "BASE_SEPOLIA_RPC_URL", feeCap: "BASE_SEPOLIA_FEE_CAP" },
  },
} as const satisfies Record<NetworkName, Network>;

/** The network where a request or a link names none. */
export const DEFAULT_NETWORK: NetworkName = "base";

/** A value for each network. */
export const mapNetworks = <T>(map: (name: NetworkName) => T): Record<NetworkName, T> =>
  Object.fromEntries(NETWORK_NAMES.map((name) => [name, map(name)])) as Record<NetworkName, T>;

/** The same where each takes a while. */
export async function readNetworks<T>(read: (name: NetworkName) => Promise<T>): Promise<Record<NetworkName, T>> {
  const values = await Promise.all(NETWORK_NAMES.map(async (name) => [name, await read(name)] as const));
  return Object.fromEntries(values) as Record<NetworkName, T>;
}

/** Networks whose money is worth something, and the others. */
export const REAL_NETWORK_NAMES = NETWORK_NAMES.filter((name) => !NETWORKS[name].isTestnet);
export const TEST_NETWORK_NAMES = NETWORK_NAMES.filter((name) => NETWORKS[name].isTestnet);

/** For descriptions of members that take a network's name. */
export const NETWORK_LIST = NETWORK_NAMES.map((name) =>
  NETWORKS[name].isTestnet ? `${name} (test money)` : name,
).join(" or ");

export const isNetworkName = (text: unknown): text is NetworkName => NETWORK_NAMES.some((name) => name === text);

/** The network's name for people, with a note where its money is worth nothing. */
export function labelWithNote(name: NetworkName, isDevnet = false): string {
  const { label, isTestnet } = NETWORKS[name];
  if (isDevnet) return `${label} (local devnet, test money)`;
  return isTestnet ? `${label} (test money)` : label;
}

/** Multicall3 has the same address on every chain. */
export const MULTICALL3 = toAddress("0xcA11bde05977b3631167028862bE2a173976CA11");

/** The deterministic deployment proxy: deploys code at an address that depends only on salt and code, on every chain. */
export const CREATE2_DEPLOYER = toAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C");

/** The network with this x402 v1 name or CAIP-2 id, or null. */
export function networkNamed(text: string): Network | null {
  return NETWORK_NAMES.map((name): Network => NETWORKS[name]).find((n) => n.name === text || n.caip2 === text) ?? null;
}
