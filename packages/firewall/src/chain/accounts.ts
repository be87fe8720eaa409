import { getAddress } from "viem";
import { hexAt } from "./hex.ts";
import { KNOWN_TOKENS, type KnownToken } from "./known-tokens.ts";

/** The scanners compare addresses as lower-case text. They are checksummed only for display. */
export const ZERO = "0x0000000000000000000000000000000000000000";

const addressSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const BURN = addressSet(`
  0x000000000000000000000000000000000000dead 0xdead000000000000000000000000000000000000
  0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead 0xdead000000000000000042069420694206942069
  0xffffffffffffffffffffffffffffffffffffffff
`);

const addressesOf = (tokens: readonly KnownToken[]): readonly string[] => [
  ...new Set(tokens.map(({ address }) => address.toLowerCase())),
];

/** Token contracts that take no native value. */
export const TOKENS = addressesOf(KNOWN_TOKENS.filter(({ takesCoin }) => !takesCoin));

const WRAPPERS = addressesOf(KNOWN_TOKENS.filter(({ takesCoin }) => takesCoin));
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** Safe's batching contracts. They are meant to be called by delegatecall. */
const MULTI_SENDS = addressSet(`
  0x40a2accbd92bca938b02010e17a5b8929b49130d 0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761
  0x9641d764fc13c8b624c04430c7356c1c7c8102e2 0x38869bf66a61cf6bdb996a6ae40d5853fd43b526
  0x998739bfdaadde7c933b942a68053933098f9eda 0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b
  0x8d29be29923b68abfdd21e541b9374737b49cdad 0x218543288004cd07832472d464648173c77d7eb7
  0xa83c336b20401af773b6219ba5027174338d1836 0x0dfcccb95225ffb03c6fbb2559b530c2b7c8a912
  0xf220d3b4dfb23c4ade8c88e526c1353abacbc38f 0x309d0b190fecca8e1d5d8309a16f7e3cb133e885
`);

/** Safe's libraries for the set-up of an account. They are meant to be called by delegatecall. */
const SETUP_LIBRARIES = addressSet(`
  0x2dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47 0x8ecd4ec46d4d2a6b64fe960b3d64e8b94b2234eb
  0xbd89a1ce4dde368ffab0ec35506eece0b1ffdc54 0x900c7589200010d6c6ecaae5b06ebe653bc2d82a
`);

/** The fallback handlers that Safes usually have. */
const FALLBACK_HANDLERS = addressSet(`
  0xd5d82b6addc9027b22dca772aa68d5d74cdbdf44 0xf48f2b2d2a534e402487b3ee7c18c33aec0fe5e4
  0x017062a1de2fe6b99be3d9d37841fed19f573804 0xfd0732dc9e303f09fcef3a7388ad10a83459ec99
  0xa581c4a4db7175302464ff3c06380bc3270b4037 0x75cf11467937ce3f2f357ce24ffc3dbf8fd5c226
  0x3efcbb83a4a7afcb4f68d501e2c2203a38be77f4 0x85a8ca358d388530ad0fb95d0cb89dd44fc242c3
`);

/** Safe's code with events, versions 1.3 to 1.5, which its library sets on most chains. */
const SAFES = addressSet(`
  0x3e5c63644e683549055b9be8653de26e0b4cd36e 0xfb1bffc9d739b8d520daf37df666da4c687191ea
  0x29fcb43b46531bca003ddc8fcb67ffe91900c762 0xedd160febbd92e350d4d398fb636302fccd67c7e
`);

/** Chains that agents use. Any other id is probably a mistake. */
export const CHAINS: ReadonlySet<number> = new Set([
  1, 10, 25, 56, 100, 130, 137, 146, 250, 252, 324, 480, 1101, 1284, 1329, 1868, 2741, 5000, 7777777, 8217, 8453, 33139,
  34443, 42161, 42170, 42220, 43113, 43114, 57073, 59144, 80002, 80094, 81457, 84532, 167000, 421614, 534352, 11155111,
  11155420, 31337,
]);

export const knownAccounts = {
  BURN,
  TOKENS,
  WRAPPERS,
  PERMIT2,
  MULTI_SENDS,
  SETUP_LIBRARIES,
  FALLBACK_HANDLERS,
  SAFES,
  CHAINS,
};

const tokens = new Set(TOKENS);
const tokensAndWrapped = new Set([...TOKENS, ...WRAPPERS]);

/** A token whose contract takes no native value. */
export const isToken = (address: string): boolean => tokens.has(address);
export const isTokenContract = (address: string): boolean => tokensAndWrapped.has(address);
export const isBurn = (address: string): boolean => BURN.has(address);
export const isFallbackHandler = (address: string): boolean => FALLBACK_HANDLERS.has(address);
export const isSafe = (address: string): boolean => SAFES.has(address);
export const isSetupLibrary = (address: string): boolean => SETUP_LIBRARIES.has(address);
export const isMultiSend = (address: string): boolean => MULTI_SENDS.has(address);

/** 0x1 to 0xffff: precompiles, and addresses that chains keep for future ones. */
export const isReserved = (address: string): boolean =>
  address.startsWith(RESERVED) && address !== ZERO && !BURN.has(address);

export const isAddress = (text: unknown): text is `0x${string}` =>
  typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text);

/** Addresses that an attacker may imitate, by their first and last four digits (see `endsOf`). */
export type Named = ReadonlyMap<number, ReadonlySet<string>>;

export function named(extraAddresses: readonly string[]): Named {
  return extraAddresses.length === 0 ? wellKnown : byEnds([...WELL_KNOWN, ...extraAddresses]);
}

/** Whether `address` has the first and last four digits of an address in `among` without being one of them. */
export function isLookalike(address: string, among: Named): boolean {
  const same = among.get(endsOf(address));
  return same !== undefined && !same.has(address) && address !== ZERO && !isBurn(address) && !isReserved(address);
}

/**
 * A fast filter: false when the address whose 40 lower-case digits start at `index` is in none of the sets above and imitates
 * nothing. Only its first and last digits are read.
 */
export function isNotable(text: string, index: number, among: Named): boolean {
  const ends = endsAt(text, index);
  return ends >>> 16 === 0 || notable.has(ends) || (among !== wellKnown && among.has(ends));
}

export const looksLike = (a: string, b: string): boolean => a !== b && endsOf(a) === endsOf(b);

/** The EIP-55 spelling, cached: it takes a hash, and payments repeat few addresses. */
export function checksummed(address: string): string {
  const lower = address.toLowerCase();
  let spelt = spellings.get(lower);
  if (spelt === undefined) {
    // Callers pass only text that has the form of an address.
    spelt = getAddress(lower as `0x${string}`);
    if (spellings.size === SPELLINGS_MAX) spellings.clear();
    spellings.set(lower, spelt);
  }
  return spelt;
}

/** Whether the address is in one letter case or checksummed. */
export function isWellSpelt(address: string): boolean {
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(address) === address;
}

const spellings = new Map<string, string>();
const SPELLINGS_MAX = 256;

/** Every 20-byte address in a text, in lower case. */
export function addressesIn(text: string): string[] {
  const addresses: string[] = [];
  for (let index = text.indexOf("0x"); index !== -1; index = text.indexOf("0x", index + 2)) {
    const end = hexEnd(text, index + 2, index + 43);
    if (end === index + 42) addresses.push(text.slice(index, end).toLowerCase());
  }
  return addresses;
}

const RESERVED = `0x${"0".repeat(36)}`;
const WELL_KNOWN = [...TOKENS, ...WRAPPERS, PERMIT2];

function byEnds(addresses: readonly string[]): Named {
  const groups = new Map<number, Set<string>>();
  for (const address of addresses) groups.set(endsOf(address), (groups.get(endsOf(address)) ?? new Set()).add(address));
  return groups;
}

/** The first and last four digits of the address whose digits start at `index`, as a signed 32-bit number. */
const endsAt = (text: string, index: number): number => (hexAt(text, index, 4) << 16) | hexAt(text, index + 36, 4);

const endsOf = (address: string): number => endsAt(address, 2);

const wellKnown = byEnds(WELL_KNOWN);
const notable: Named = byEnds([...WELL_KNOWN, ...BURN]);

/** The end of the hexadecimal digits from `from`, at most `limit`. */
export function hexEnd(text: string, from: number, limit: number): number {
  let index = from;
  while (index < limit && isHexCode(text.charCodeAt(index))) index++;
  return index;
}

const isHexCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
