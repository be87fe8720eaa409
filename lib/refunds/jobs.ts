import type { System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "./store";

const BATCH = 500;

/**
 * Ends refunds whose transfers failed where everybody could read them and can no longer be made: `block`, read in full
 * before, is at or past their validBefore, and their authorizations are unused. Returns those that are used and yet failed:
 * a node kept their use from the observer.
 */
export async function releaseExpired(
  system: System,
  network: NetworkName,
  block: { time: Date },
): Promise<store.Overdue[]> {
  const overdue = await store.listOverdue(system.db, network, Math.floor(block.time.getTime() / 1000), BATCH);
  if (overdue.length === 0) return [];
  const isUsed = await system.chains[network].authorizationStates(overdue);
  const at = system.now();
  const unused = overdue.filter((_, index) => isUsed[index] === false);
  for (const { refundId, agentId, settlementId, amount, payee } of unused) {
    await system.db.transaction(async (tx) => {
      const refund = await store.lock(tx, refundId);
      if (!refund || refund.voidedAt) return;
      await store.change(tx, refundId, { voidedAt: at });
      const meta = { settlementId, amount: amount.toString(), network, payee };
      await record(tx, at, { type: "refund.failed", subject: refundId, agentId, meta });
    });
  }
  return overdue.filter((_, index) => isUsed[index] === true);
}
