import { type Hex, keccak256 } from "viem";
import type { Address } from "@/lib/core/address";
import type { Chain } from "./chain";

const RECHECK_MS = 60_000;

/**
 * Whether contracts with exactly this code are deployed. A positive result is cached for good, a negative one for a minute.
 * The returned function throws ChainUnavailable.
 */
export function presenceOf(
  contracts: readonly { address: Address; code: Hex }[],
): (chain: Pick<Chain, "codes">) => Promise<boolean> {
  const checked = new WeakMap<Pick<Chain, "codes">, { isThere: boolean; at: number }>();
  const hashes = contracts.map(({ code }) => keccak256(code));
  return async (chain) => {
    const known = checked.get(chain);
    if (known && (known.isThere || performance.now() - known.at < RECHECK_MS)) return known.isThere;
    const codes = await chain.codes(contracts.map(({ address }) => address));
    const isThere = hashes.every((hash, at) => keccak256(codes[at] ?? "0x") === hash);
    checked.set(chain, { isThere, at: performance.now() });
    return isThere;
  };
}
