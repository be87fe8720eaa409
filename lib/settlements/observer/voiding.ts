import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import type { Block } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { assertLease, type Lease } from "@/lib/platform/lease";
import type { NetworkName } from "@/lib/x402/networks";
import { makeVoid } from "./endings";
import { resolveSpent } from "./search";
import * as store from "./store";

const BATCH = 500;

/**
 * Makes settlements void that can never move money as of block `deep`: those cancelled or spent on something else in a block up
 * to it, and unused ones with `validBefore` at or before its time. Only the chain's clock counts: a stalled chain can still
 * accept an authorization that is expired by our clock. An expired authorization that is spent is read from the chain again,
 * because a node must have withheld its log.
 * Why: docs/decisions.md, 392.
 */
export async function endUnusable(system: System, network: NetworkName, lease: Lease, deep: DeepBlock): Promise<void> {
  let ids: store.OverdueSettlement["id"][];
  do {
    ids = await store.listShownSpent(system.db, network, deep.number, BATCH);
    await endAll(system, lease, ids, deep);
  } while (ids.length === BATCH);
  let last: store.OverdueSettlement | undefined;
  for (;;) {
    const overdue = await store.listOverdue(system.db, network, Math.floor(deep.time.getTime() / 1000), last, BATCH);
    last = overdue.at(-1);
    if (!last) return;
    const { used, unused } = await dividedByUse(system, network, overdue, deep);
    await endAll(
      system,
      lease,
      unused.map(({ id }) => id),
      deep,
    );
    for (const row of used) {
      await resolveSpent(system, network, row, (tx) => assertLease(tx, lease)).catch((err: unknown) => {
        // An error in one must not delay the others.
        system.log.warn({ settlementId: row.id, err }, "settlement.resolve_failed");
      });
    }
    if (overdue.length < BATCH) return;
  }
}

async function endAll(
  system: System,
  lease: Lease,
  ids: store.OverdueSettlement["id"][],
  deep: DeepBlock,
): Promise<void> {
  if (ids.length === 0) return;
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await makeVoid(tx, system, ids, deep.number, system.now());
  });
}

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
