import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { type AuthorizationLog, type Chain, ChainUnavailable } from "@/lib/platform/chain";
import { allLogs } from "@/lib/platform/chain-logs";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "../store";
import { showSpent } from "./endings";
import { assertPresent, factsOf, readFacts } from "./facts";
import { apply } from "./observer";
import { readBlocks } from "./read-blocks";

/** Blocks searched for one authorization: about five hours on Base. */
const SEARCH_BLOCKS = 9_000n;

/** The logs of one authorization since `from`, at most SEARCH_BLOCKS blocks back. */
async function findUses(chain: Chain, key: { payer: Address; nonce: Hex }, from: bigint): Promise<AuthorizationLog[]> {
  const head = await chain.head();
  const first = [0n, head.number - SEARCH_BLOCKS, from].reduce((a, b) => (a > b ? a : b));
  const { logs, last } = await allLogs(chain, { from: first, to: head.number }, key);
  assertPresent(last);
  return logs;
}

/** Maximum number of SEARCH_BLOCKS ranges searched for a use that the database does not know: about forty days. */
const SEARCHES_MAX = 200n;

/**
 * The transfer that a spent authorization made since the block `since`; "none" when it was cancelled. Throws ChainUnavailable when
 * it is not found.
 */
export async function pastTransfer(
  chain: Chain,
  key: { payer: Address; nonce: Hex },
  since = 0n,
): Promise<Transfer | "none"> {
  const head = await chain.head();
  for (let search = 0n; search < SEARCHES_MAX; search++) {
    const to = head.number - search * SEARCH_BLOCKS;
    if (to < since) break;
    const from = to - since < SEARCH_BLOCKS ? since : to - SEARCH_BLOCKS + 1n;
    const { logs, last } = await allLogs(chain, { from, to }, key);
    assertPresent(last);
    if (logs.length === 0) continue;
    const { transfers } = await factsOf(chain, logs);
    return transfers[0] ?? "none";
  }
  throw new ChainUnavailable("the node reports an authorization as used but shows no use of it");
}

/** Applies uses whose logs a node withheld from the observer. `spent`: authorizations used on the chain and not ended here. */
export async function recoverFacts(
  system: System,
  network: NetworkName,
  spent: { payer: Address; nonce: Hex }[],
): Promise<void> {
  for (const key of spent) {
    const logs = await findUses(system.chains[network], key, 0n);
    const observedBlocks = await readBlocks(
      system,
      network,
      logs.map(({ block }) => block),
    );
    const facts = await readFacts(
      system,
      network,
      logs.filter(({ block }) => observedBlocks.has(block)),
    );
    await system.db.transaction(async (tx) => {
      await observedBlocks.assertKept(tx);
      await apply(tx, system, facts);
    });
  }
}

/** Blocks before the claim in which an authorization may have been used elsewhere: about an hour on Base. */
const BLOCKS_BEFORE_CLAIM = 2_000n;

/**
 * Finds out what spent an authorization. A use after the claim is the payment or a cancellation; an earlier one paid for
 * something else. Changes nothing while the use is in a block that the observer has not read, or while no node shows it: a
 * node that hides the log of a payment must not make it look unpaid.
 * Why: docs/decisions.md, 137.
 */
export async function resolveSpent(
  system: System,
  network: NetworkName,
  row: store.Settlement,
  guard: (tx: Tx) => Promise<void>,
): Promise<void> {
  const chain = system.chains[network];
  const logs = await findUses(chain, row, row.claimedAtBlock - BLOCKS_BEFORE_CLAIM);
  let earlier: AuthorizationLog["block"] | null = logs.at(-1)?.block ?? null;
  if (!earlier) {
    // Read before the state, and again below: if the block is unchanged then, the state belongs to it.
    const claimBlock = await chain.block(row.claimedAtBlock);
    if ((await chain.wasUsed(row, row.claimedAtBlock)) === true) earlier = claimBlock;
  }
  // Unused by the claim, or no node has that state.
  if (!earlier) {
    await store.update(system.db, row.id, { useNotShownAt: system.now() });
    system.log.warn({ settlementId: row.id }, "settlement.use_not_shown");
    return;
  }
  const blocks = [earlier, ...logs.map(({ block }) => block)];
  const observedBlocks = await readBlocks(system, network, blocks);
  if (!blocks.every(observedBlocks.has)) return;
  const time = system.now();
  const since = logs.filter((log) => log.block.number > row.claimedAtBlock);
  const facts = await readFacts(system, network, since);
  await system.db.transaction(async (tx) => {
    await guard(tx);
    await observedBlocks.assertKept(tx);
    await apply(tx, system, facts);
    if (since.length > 0) return;
    const [current] = await store.lockByIds(tx, [row.id]);
    if (current) await showSpent(tx, current, "ALREADY_USED", earlier.number, time);
  });
}
