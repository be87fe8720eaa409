import type { Call, CallResult } from "@/lib/platform/chain";
import { refuse } from "./refusals";
import { gasFor, transferCall } from "./rules";
import type { Settlement } from "./store";
import type { RelayerJob } from "./transactions";

/** A settlement and the call that makes its transfer. `isContract`: its payer has code, which judges the signature. */
export type Item = { settlement: Settlement; isContract: boolean; call: Call };

export async function itemsOf(job: RelayerJob, settlements: Settlement[]): Promise<Item[]> {
  const payers = [...new Set(settlements.map((row) => row.payer))];
  const flags = await job.chain.hasCode(payers);
  const contractPayers = new Set(payers.filter((_, at) => flags[at]));
  return settlements.map((settlement) => {
    const isContract = contractPayers.has(settlement.payer);
    return { settlement, isContract, call: transferCall(settlement, isContract) };
  });
}

/** What the chain would say to each now, one after another on one state. */
export function simulateItems(job: RelayerJob, items: Item[]): Promise<CallResult[]> {
  const calls = items.map((item) => item.call);
  return job.chain.simulate(job.signer, calls, gasFor(items));
}

/** The items the chain would accept now, one after another on one state; the refused ones are ended or put off. */
export async function simulateTogether(job: RelayerJob, items: Item[]): Promise<Item[]> {
  const results = await simulateItems(job, items);
  const ready: Item[] = [];
  for (const [at, item] of items.entries()) {
    const result = results[at];
    if (!result || result.ok) ready.push(item);
    else await refuse(job, item.settlement, result.reason);
  }
  return ready;
}
