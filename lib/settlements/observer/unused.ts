import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import type { Block } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";

/** A block that is at least CONFIRMATIONS deep and read in full. */
export type DeepBlock = Block;

type Expired = { payer: Address; nonce: Hex; validBefore: bigint };

/** While no second node answers, one node suffices for authorizations that expired this long ago. */
const ONE_NODE_SECONDS = 3_600n;

/**
 * Divides authorizations that have expired at `block` into used and unused ones. Those on which two reads disagree are in
 * neither, and what they pay for stays reserved: one lying node must not make a payment look impossible.
 * Why: docs/decisions.md, 392.
 */
export async function dividedByUse<E extends Expired>(
  system: System,
  network: NetworkName,
  expired: E[],
  block: DeepBlock,
): Promise<{ used: E[]; unused: E[] }> {
  const chain = system.chains[network];
  const isUsed = await chain.authorizationStates(expired);
  const used = expired.filter((_, index) => isUsed[index] === true);
  const candidates = expired.filter((_, index) => isUsed[index] === false);
  if (candidates.length === 0) return { used, unused: [] };
  const confirmed = await chain.confirmUnused(candidates, block);
  const longOver = BigInt(unixSeconds(block.time)) - ONE_NODE_SECONDS;
  const unused = candidates.filter(({ validBefore }, index) => {
    return confirmed ? confirmed[index] === true : validBefore <= longOver;
  });
  const doubtful = candidates.length - unused.length;
  if (doubtful > 0) system.log.warn({ network, block: block.number.toString(), doubtful }, "chain.unused_doubted");
  return { used, unused };
}
