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
  const checked = new WeakMap<Pick<Chain, "codes">, { isThere: boolean; checkedAtMs: number }>();
  const hashes = contracts.map(({ code }) => keccak256(code));
  return async (chain) => {
    const lastCheck = checked.get(chain);
    if (lastCheck && (lastCheck.isThere || performance.now() - lastCheck.checkedAtMs < RECHECK_MS))
      return lastCheck.isThere;
    const codes = await chain.codes(contracts.map(({ address }) => address));
    const isThere = hashes.every((hash, index) => keccak256(codes[index] ?? "0x") === hash);
    checked.set(chain, { isThere, checkedAtMs: performance.now() });
    return isThere;
  };
}
