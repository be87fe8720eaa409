import { networkNamed } from "../../../x402/src/networks.ts";

/**
 * The kind of an option's network: Base or Base Sepolia (`ours`), service credits, another EVM chain, or another
 * system. A name that no reader must know is `unknown`, also where it resembles another: clients that read a number out of
 * it may take it for Base.
 */
export type NetworkKind = "ours" | "credits" | "evm" | "other" | "unknown";

export function kindOf(network: string): NetworkKind {
  if (networkNamed(network)) return "ours";
  if (network === CREDITS) return "credits";
  if (EVM_CAIP2.test(network) || EVM_NETWORKS.has(network)) return "evm";
  return OTHER_CAIP2.test(network) || OTHER_NETWORKS.test(network) ? "other" : "unknown";
}

/** On a network that is neither one of ours nor unreadable. */
export const isElsewhere = (kind: NetworkKind): boolean => kind === "evm" || kind === "other";

const CREDITS = "service-credits";

/** The name of an EVM chain in version 2, in the only spelling of its number. */
const EVM_CAIP2 = /^eip155:[1-9]\d{0,14}$/;
/** Of other systems: a namespace that cannot be meant to be EVM's, and a reference. Cloudflare's is longer than CAIP-2 allows. */
const OTHER_CAIP2 = /^(?:(?!e(?:ip|vm|th|rc)|base)[-a-z0-9]{3,8}|cloudflare):[-_a-zA-Z0-9]{1,32}$/;
/** The names of other systems in version 1. */
const OTHER_NETWORKS =
  /^(?:solana|stellar|aptos|sui|near|cosmos|hedera|algorand|bip122|cloudflare|ton|tron|xrpl)(?:-[a-z0-9]{1,16}){0,2}$/;

/** The names of other EVM chains in version 1. */
const EVM_NETWORKS: ReadonlySet<string> = new Set(
  (
    "abstract abstract-testnet arbitrum avalanche avalanche-fuji bsc celo ethereum iotex monad optimism peaq polygon " +
    "polygon-amoy sei sei-testnet skale-base-sepolia story"
  ).split(" "),
);
