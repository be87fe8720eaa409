import { BATCH_MAX, isTimeToSend } from "../rules";
import { fitting, type Item, itemsOf, simulateItem, simulateTogether } from "./calls";
import { blame, guarded, putOff } from "./faults";
import { sendNextGroup } from "./groups";
import type { Pace, RelayerJob } from "./job";
import { gasBudget, spentGas } from "./payer-gas";
import * as queue from "./queue-store";
import { giveUp, refuse } from "./refusals";
import { hasSettler } from "./settler";
import { send } from "./transactions";

/** Mempools reliably keep about sixteen transactions per account. */
const IN_FLIGHT_MAX = 16;

/** Sends what waits. Each round takes one batch and one group, so that neither delays the other. */
export async function sendWaiting(job: RelayerJob, outlook: queue.Outlook): Promise<Pace> {
  const [batch] = await Promise.allSettled([sendBatch(job, outlook)]);
  const hasSentGroup = outlook.hasGroups && (await sendNextGroup(job));
  if (batch.status === "rejected") throw batch.reason;
  return hasSentGroup ? "more" : batch.value;
}

async function sendBatch(job: RelayerJob, outlook: queue.Outlook): Promise<Pace> {
  const { system, network, signer } = job;
  const { waiting, inFlight, hasCancellations } = outlook;
  if (!isTimeToSend(outlook, system.now())) return waiting + inFlight > 0 || hasCancellations ? "underway" : "idle";
  const picked = await queue.pick(system.db, network, signer, system.now(), BATCH_MAX);
  const items = await itemsOf(job, picked);
  const canShare = await hasSettler(job.chain);
  const spent = await spentGas(
    system,
    network,
    items.map(({ settlement }) => settlement.payer),
  );
  const isSharing = (item: Item) => canShare && !needsOwnTransaction(item) && !spent.has(item.settlement.payer);
  const shareable = items.filter(isSharing);
  const sharing = fitting(shareable);
  const [first, ...tail] = await simulateTogether(job, sharing);
  // After a failed batch each item is retried alone (see needsOwnTransaction).
  if (first)
    await send(job, { items: [first, ...tail] }).catch((err) => blame(job, settlementsOf([first, ...tail]), err));
  const soloItems = items.filter((item) => !shareable.includes(item));
  const room = Math.max(0, IN_FLIGHT_MAX - inFlight - 1);
  for (const item of soloItems.slice(0, room)) await guarded(job, item.settlement, () => sendAlone(job, item));
  // They queue behind later arrivals, so no one can block the front of the queue.
  await putOff(job, ...settlementsOf(soloItems.slice(room)).map(({ id }) => id));
  // What did not fit is first in the next round.
  return waiting > picked.length || sharing.length < shareable.length ? "more" : "underway";
}

const settlementsOf = (items: readonly Item[]) => items.map(({ settlement }) => settlement);

/**
 * A payer with code gets a transaction of its own, so that the receipt shows its gas cost; so does one that has cost us gas. An item
 * that has failed once is never batched again.
 */
const needsOwnTransaction = ({ kind, settlement }: Item) => kind === "code" || settlement.attempts > 0;

async function sendAlone(job: RelayerJob, item: Item): Promise<void> {
  if (!(await isWithinBudget(job, item))) return;
  const result = await simulateItem(job, item);
  if (result.ok) await send(job, { items: [item] });
  else await refuse(job, item.settlement, result.reason);
}

async function isWithinBudget(job: RelayerJob, { settlement, kind }: Item): Promise<boolean> {
  const { used, fits } = await gasBudget(job, settlement.payer, kind);
  if (fits) return true;
  // The transfers under way may turn out to be free.
  if (used.underway > 0) await putOff(job, settlement.id);
  else await giveUp(job, settlement, "GAS_BUDGET_SPENT");
  return false;
}
