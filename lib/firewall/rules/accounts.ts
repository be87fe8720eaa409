import { NETWORKS } from "@/lib/x402/networks";
import { hexAt } from "./hex";

/** Addresses in this folder are lower-case text: compared by value, never shown as more than that. */
export const ZERO = "0x0000000000000000000000000000000000000000";

const BURN = new Set([
  "0x000000000000000000000000000000000000dead",
  "0xdead000000000000000000000000000000000000",
  "0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead",
  "0xdead000000000000000042069420694206942069",
  "0xffffffffffffffffffffffffffffffffffffffff",
]);

const USDC: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(NETWORKS).map((network) => [network.chainId, network.usdc.toLowerCase()]),
);

/** Token contracts that agents meet on Base and on Ethereum. */
export const TOKENS: readonly string[] = [
  ...Object.values(USDC),
  "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
  "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
  "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
  "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
  "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22",
  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "0xdac17f958d2ee523a2206206994597c13d831ec7",
  "0x6b175474e89094c44da98b954eedeac495271d0f",
];

const WRAPPED_ETHER = ["0x4200000000000000000000000000000000000006", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"];
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** Safe's own batching contracts, which are meant to be called by delegatecall. */
const MULTI_SENDS = new Set([
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
  "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "0x998739bfdaadde7c933b942a68053933098f9eda",
]);

/** Chains an agent may mean; any other id is more likely a mistake. */
export const CHAINS: ReadonlySet<number> = new Set([
  1, 10, 25, 56, 100, 130, 137, 146, 250, 252, 324, 480, 1101, 1284, 1329, 1868, 2741, 5000, 7777777, 8217, 8453, 33139,
  34443, 42161, 42170, 42220, 43113, 43114, 57073, 59144, 80002, 80094, 81457, 84532, 167000, 421614, 534352, 11155111,
  11155420, 31337,
]);

export const knownAccounts = { BURN, USDC, TOKENS, WRAPPED_ETHER, PERMIT2, MULTI_SENDS, CHAINS };

const tokens = new Set(TOKENS);
const tokensAndWrapped = new Set([...TOKENS, ...WRAPPED_ETHER]);

export const isUsdc = (chainId: number | null, token: string): boolean => chainId !== null && USDC[chainId] === token;
/** A token whose contract takes no native value. */
export const isToken = (address: string): boolean => tokens.has(address);
export const isTokenContract = (address: string): boolean => tokensAndWrapped.has(address);
export const isBurn = (address: string): boolean => BURN.has(address);
export const isMultiSend = (address: string): boolean => MULTI_SENDS.has(address);

/** 0x1 to 0xffff: precompiles, and room that chains keep for more of them. */
export const isReserved = (address: string): boolean =>
  address.startsWith(RESERVED) && address !== ZERO && !BURN.has(address);

export const isAddress = (text: unknown): text is `0x${string}` =>
  typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text);

/** Addresses that others may be made to resemble, by what they begin and end with. */
export type Named = ReadonlyMap<number, ReadonlySet<string>>;

export function named(more: readonly string[]): Named {
  return more.length === 0 ? wellKnown : byEnds([...WELL_KNOWN, ...more]);
}

/** Whether `address` shows the same first and last four digits as a named one without being named itself. */
export function isLookalike(address: string, among: Named): boolean {
  const same = among.get(endsOf(address));
  return same !== undefined && !same.has(address) && address !== ZERO && !isBurn(address) && !isReserved(address);
}

/**
 * Whether anything above could hold of the address whose digits begin at `at` of a text in lower case: all of it shows in
 * how an address begins and ends, and most addresses are nothing special.
 */
export function isNotable(text: string, at: number, among: Named): boolean {
  const ends = hexAt(text, at, 4) * 0x10000 + hexAt(text, at + 36, 4);
  return ends < 0x10000 || notable.has(ends) || among.has(ends);
}

export const looksLike = (a: string, b: string): boolean => a !== b && endsOf(a) === endsOf(b);

/** Every 20-byte address in a text, in lower case. */
export function addressesIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("0x"); at !== -1; at = text.indexOf("0x", at + 2)) {
    const end = hexEnd(text, at + 2, at + 43);
    if (end === at + 42) found.push(text.slice(at, end).toLowerCase());
  }
  return found;
}

const RESERVED = `0x${"0".repeat(36)}`;
const WELL_KNOWN = [...TOKENS, ...WRAPPED_ETHER, PERMIT2];

function byEnds(addresses: readonly string[]): Named {
  const groups = new Map<number, Set<string>>();
  for (const address of addresses) groups.set(endsOf(address), (groups.get(endsOf(address)) ?? new Set()).add(address));
  return groups;
}

const endsOf = (address: string): number => hexAt(address, 2, 4) * 0x10000 + hexAt(address, 38, 4);

const wellKnown = byEnds(WELL_KNOWN);
const notable: Named = byEnds([...WELL_KNOWN, ...BURN]);

function hexEnd(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isHexCode(text.charCodeAt(at))) at++;
  return at;
}

const isHexCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
