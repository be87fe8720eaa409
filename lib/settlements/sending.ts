import { type Item, itemsOf, simulateTogether } from "./calls";
import { sendNextGroup } from "./groups";
import { refuse } from "./refusals";
import * as store from "./relayer-store";
import { BATCH_MAX, CONTRACT_PAYER_GAS, isTimeToSend } from "./rules";
import { type RelayerJob, send } from "./transactions";

export type Pace = "more" | "underway" | "idle";

/** Sends what waits. Each round takes one batch and one group, so that neither holds up the other. */
export async function sendWaiting(job: RelayerJob): Promise<Pace> {
  const pace = await sendBatch(job);
  return (await sendNextGroup(job)) ? "more" : pace;
}

async function sendBatch(job: RelayerJob): Promise<Pace> {
  const { system, network, signer } = job;
  const [queue, open] = await Promise.all([
    store.waiting(system.db, network, signer, system.now()),
    store.openTransactions(system.db, network, signer),
  ]);
  if (!isTimeToSend({ ...queue, inFlight: open.length }, system.now())) {
    return queue.waiting + open.length > 0 ? "underway" : "idle";
  }
  const picked = await store.pick(system.db, network, signer, system.now(), BATCH_MAX);
  const items = await itemsOf(job, picked);
  // Accounts with code (ERC-1271, EIP-7702) run their own: they never share a transaction.
  const contracts = items.filter((item) => item.isContract);
  const accounts = items.filter((item) => !item.isContract);
  const [first, ...rest] = await simulateTogether(job, accounts);
  if (first) await send(job, { items: [first, ...rest] });
  for (const item of contracts) await sendContractPayer(job, item);
  return queue.waiting > picked.length ? "more" : "underway";
}

async function sendContractPayer(job: RelayerJob, item: Item): Promise<void> {
  const result = await job.chain.simulateAlone(job.signer, item.call, CONTRACT_PAYER_GAS);
  if (result.ok) await send(job, { items: [item], gas: CONTRACT_PAYER_GAS });
  else await refuse(job, item.settlement, result.reason);
}
