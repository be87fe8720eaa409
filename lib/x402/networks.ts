import {
  DEFAULT_NETWORK,
  NETWORK_NAMES,
  type NetworkName,
  NETWORKS as ROWS,
  type Network as Row,
  networkNamed as rowNamed,
} from "@tessera/x402/networks";
import { type Address, toAddress } from "@/lib/core/address";

export { DEFAULT_NETWORK, NETWORK_NAMES, type NetworkName };

/** A network with its block explorer and the environment variables that configure it. */
export type Network = Row & {
  usdc: Address;
  /** Origin of the block explorer. */
  explorer: string;
  variables: { rpcUrl: `${Prefix}_RPC_URL`; feeCap: `${Prefix}_FEE_CAP` };
};
type Prefix = Uppercase<Underscored<NetworkName>>;
type Underscored<T extends string> = T extends `${infer A}-${infer B}` ? `${A}_${Underscored<B>}` : T;

export const mapNetworks = <T>(map: (name: NetworkName) => T): Record<NetworkName, T> =>
  Object.fromEntries(NETWORK_NAMES.map((name) => [name, map(name)])) as Record<NetworkName, T>;

/** `mapNetworks` for asynchronous values, which are read concurrently. */
export async function readNetworks<T>(readNetwork: (name: NetworkName) => Promise<T>): Promise<Record<NetworkName, T>> {
  const values = await Promise.all(NETWORK_NAMES.map(async (name) => [name, await readNetwork(name)] as const));
  return Object.fromEntries(values) as Record<NetworkName, T>;
}

export const NETWORKS = mapNetworks((name): Network => {
  const prefix = name.toUpperCase().replaceAll("-", "_") as Prefix;
  return {
    ...ROWS[name],
    usdc: toAddress(ROWS[name].usdc),
    explorer: `https://${ROWS[name].explorerHost}`,
    variables: { rpcUrl: `${prefix}_RPC_URL`, feeCap: `${prefix}_FEE_CAP` },
  };
});

export const REAL_NETWORK_NAMES = NETWORK_NAMES.filter((name) => !NETWORKS[name].isTestnet);
export const TEST_NETWORK_NAMES = NETWORK_NAMES.filter((name) => NETWORKS[name].isTestnet);

/** For descriptions of fields that accept a network name. */
export const NETWORK_LIST = NETWORK_NAMES.map((name) =>
  NETWORKS[name].isTestnet ? `${name} (test money)` : name,
).join(" or ");

export const isNetworkName = (text: unknown): text is NetworkName => NETWORK_NAMES.some((name) => name === text);

/** The network's display name, with a note if it has only test money. */
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
  const row = rowNamed(text);
  return row && NETWORKS[row.name];
}
