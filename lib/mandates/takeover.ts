import { add, subtract, type Usdc, ZERO } from "@/lib/core/money";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { readUpTo } from "@/lib/settlements/observer/read-blocks";
import { mandateErrors } from "./errors";
import { hasPeriods } from "./periods";
import { releasedSince } from "./reservations/store";
import { remaining } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";

/**
 * The budget that another mandate can take over from a locked one: its limit less the paid and the pending sums; pending proofs
 * stay payable. A reservation released in a block that may still be replaced counts as pending.
 */
export async function leftOf(system: System, tx: Tx, mandate: Mandate): Promise<Usdc> {
  const cursor = await readUpTo(system, mandate.network);
  const depth = BigInt(system.config.confirmations - 1);
  const released = cursor ? await releasedSince(tx, mandate.id, cursor.blockNumber - depth) : ZERO;
  const remainingAmount = remaining(mandate);
  return released < remainingAmount ? subtract(remainingAmount, released) : ZERO;
}

/**
 * Ends the mandate that `mandate` replaces, in the transaction of the signature and with both locked, so that no payment can be
 * signed under both. Throws rest_changed if less is left of it than was signed.
 */
export async function takeOver(system: System, tx: Tx, mandate: Mandate): Promise<void> {
  const { id, replaces, limitAmount } = mandate;
  if (replaces === null) return;
  const replaced = await store.lock(tx, replaces);
  if (!replaced) throw new Error(`${replaces}, which ${id} replaces, does not exist`);
  const remainingAmount = replaced.state === "signed" ? await leftOf(system, tx, replaced) : ZERO;
  if (limitAmount > remainingAmount) throw mandateErrors.rest_changed({ remainingAmount: remainingAmount.toString() });
  if (hasPeriods(mandate)) {
    const { chargedOn, dayAmount, monthAmount } = replaced;
    // Released in a block that may still be replaced.
    const uncertain = subtract(remaining(replaced), remainingAmount);
    // These sums count for the successor even if they are released later.
    await store.carryPeriods(tx, id, {
      chargedOn,
      dayAmount: chargedOn === null ? ZERO : add(dayAmount, uncertain),
      monthAmount: chargedOn === null ? ZERO : add(monthAmount, uncertain),
    });
  }
  const time = system.now();
  const { ownerId, agentId } = replaced;
  await record(tx, time, { type: "mandate.revoked", subject: replaces, ownerId, agentId, meta: { replacedBy: id } });
  await store.change(tx, replaces, { state: "revoked", isEnabled: false, replacedBy: id }, time);
}
