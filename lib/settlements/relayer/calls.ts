import { type Hex, isHex, size } from "viem";
import type { Address } from "@/lib/core/address";
import type { Call, CallResult } from "@/lib/platform/chain";
import { deploymentOf, type Sending, sendingOf, simulateTransfer } from "../deployment";
import { authorizationOf, CALLDATA_BYTES_MAX, payerKind, TRANSACTION_GAS_MAX, transferCall } from "../rules";
import type { Settlement } from "../store";
import { blame, guarded } from "./faults";
import type { RelayerJob } from "./job";
import { refuse } from "./refusals";
import { hasSettler, type StipendedTransfer, settlerCall, settlerGas, settlerResults } from "./settler";

/** A settlement and how it is sent. `kind`: how the payer's current code verifies the signature. */
export type Item = StipendedTransfer & Sending & { settlement: Settlement };

/** Builds the call of each settlement. Omits those whose call cannot be built and counts the failure on them. */
export async function itemsOf(job: RelayerJob, settlements: Settlement[]): Promise<Item[]> {
  const payers = [...new Set(settlements.map((row) => row.payer))];
  const payerCodes = await job.chain.codes(payers);
  const codes = new Map<Address, Hex>(payers.map((payer, index) => [payer, payerCodes[index] ?? "0x"]));
  const items = await Promise.all(
    settlements.map((settlement) =>
      guarded(job, settlement, (): Item => {
        const transfer = transferCall(settlement);
        if (!isHex(transfer.data)) throw new Error("the settlement's signature is not hex");
        const deployment = deploymentOf(job.system.config, settlement);
        const code = codes.get(settlement.payer) ?? "0x";
        const kind = payerKind(settlement.network, code, settlement.payee, deployment);
        const { signature } = settlement;
        const sending = sendingOf(kind, transfer, deployment);
        return { settlement, authorization: authorizationOf(settlement), signature, ...sending };
      }),
    ),
  );
  return items.filter((item) => item !== null);
}

/** The longest prefix of `items` that fits one transaction. */
export function fitting(items: readonly Item[]): Item[] {
  for (let count = items.length; count > 1; count--) {
    const prefix = items.slice(0, count);
    const call = batchCall(prefix);
    if (size(call.data) <= CALLDATA_BYTES_MAX && settlerGas(call, prefix) <= TRANSACTION_GAS_MAX) return prefix;
  }
  return items.slice(0, 1);
}

/** One call for all items, which are on one network. */
export const batchCall = (items: readonly Item[], isAllOrNothing = false): Call =>
  settlerCall(items[0]?.call.to as Address, items, { isAllOrNothing });

/** Simulates an item with the gas limit of its own transaction. */
export const simulateItem = (job: RelayerJob, item: Item): Promise<CallResult> =>
  simulateTransfer(job.chain, job.signer, item);

/** Simulates all items, one after another on one state. */
export async function simulateItems(job: RelayerJob, items: Item[]): Promise<CallResult[]> {
  const [first] = items;
  if (!first) return [];
  if (items.length === 1) return [await simulateItem(job, first)];
  const call = batchCall(items);
  const gas = settlerGas(call, items);
  if (!(await hasSettler(job.chain))) {
    const calls = items.map((item) => item.call);
    return job.chain.simulate(job.signer, calls, gas);
  }
  const result = await job.chain.simulateAlone(job.signer, call, gas);
  if (!result.ok) throw new Error(`the settler refused a simulation: ${result.reason}`);
  return settlerResults(result.data, items.length);
}

/** Returns the items that a joint simulation accepts; declines or postpones the rejected ones. */
export async function simulateTogether(job: RelayerJob, items: Item[]): Promise<Item[]> {
  // Rejected: the node failed, so it is unknown whether the token would accept the item.
  const results = await simulateItems(job, items).then(
    (all) => all.map((value): PromiseSettledResult<CallResult> => ({ status: "fulfilled", value })),
    async (err: unknown) => {
      job.system.log.warn({ network: job.network, items: items.length, err }, "relayer.batch_simulation_failed");
      return Promise.allSettled(items.map((item) => simulateItem(job, item)));
    },
  );
  const hasAnswered = results.some(({ status }) => status === "fulfilled");
  const ready: Item[] = [];
  for (const [index, item] of items.entries()) {
    const result = results[index];
    if (result === undefined) {
      await blame(job, [item.settlement], new Error("the simulation returned no result for it"));
    } else if (result.status === "rejected") {
      // If the node answered for other items, its failure for this one is not an outage.
      const cause = result.reason;
      const fault = hasAnswered ? new Error("the node cannot simulate this transfer", { cause }) : cause;
      await blame(job, [item.settlement], fault);
    } else if (result.value.ok) ready.push(item);
    else await refuse(job, item.settlement, result.value.reason);
  }
  return ready;
}
