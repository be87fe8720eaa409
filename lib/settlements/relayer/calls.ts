import { type Hex, isHex, size } from "viem";
import type { Address } from "@/lib/core/address";
import type { Call, CallResult } from "@/lib/platform/chain";
import {
  authorizationOf,
  CALLDATA_BYTES_MAX,
  type PayerKind,
  payerKind,
  stipendOf,
  TRANSACTION_GAS_MAX,
  transferCall,
} from "../rules";
import type { Settlement } from "../store";
import { blame, guarded } from "./faults";
import type { RelayerJob } from "./job";
import { refuse } from "./refusals";
import { aloneGas, hasSettler, type StipendedTransfer, settlerCall, settlerGas, settlerResults } from "./settler";

/** A settlement and its token call. `kind`: how the payer's current code verifies the signature. */
export type Item = StipendedTransfer & { settlement: Settlement; kind: PayerKind; call: Call };

/** Builds the call of each settlement. Omits those whose call cannot be built and counts the failure on them. */
export async function itemsOf(job: RelayerJob, settlements: Settlement[]): Promise<Item[]> {
  const payers = [...new Set(settlements.map((row) => row.payer))];
  const payerCodes = await job.chain.codes(payers);
  const codes = new Map<Address, Hex>(payers.map((payer, index) => [payer, payerCodes[index] ?? "0x"]));
  const items = await Promise.all(
    settlements.map((row) => guarded(job, row, () => itemOf(row, codes.get(row.payer) ?? "0x"))),
  );
  return items.filter((item) => item !== null);
}

/** Throws when the call cannot be built. */
function itemOf(settlement: Settlement, code: Hex): Item {
  const call = transferCall(settlement);
  if (!isHex(call.data)) throw new Error("the settlement's signature is not hex");
  const { signature } = settlement;
  const authorization = authorizationOf(settlement);
  const kind = payerKind(settlement.network, code, settlement.payee);
  return { settlement, kind, call, authorization, signature, stipend: stipendOf(kind) };
}

/** The longest prefix of `items` that fits one transaction. */
export function fitting(items: readonly Item[]): Item[] {
  let count = items.length;
  while (count > 1 && !fits(items.slice(0, count))) count -= 1;
  return items.slice(0, count);
}

function fits(items: readonly Item[]): boolean {
  const call = batchCall(items);
  return size(call.data) <= CALLDATA_BYTES_MAX && settlerGas(call, items) <= TRANSACTION_GAS_MAX;
}

const gasOf = (items: readonly Item[]) => settlerGas(batchCall(items), items);

/** One call for all items, which are on one network. */
export const batchCall = (items: readonly Item[], isAllOrNothing = false): Call =>
  settlerCall(items[0]?.call.to as Address, items, { isAllOrNothing });

/** Simulates an item with the gas limit of its own transaction. */
export const simulateItem = (job: RelayerJob, { call, stipend }: Item): Promise<CallResult> =>
  job.chain.simulateAlone(job.signer, call, aloneGas(call, stipend));

/** Simulates all items, one after another on one state. */
export async function simulateItems(job: RelayerJob, items: Item[]): Promise<CallResult[]> {
  const [first] = items;
  if (!first) return [];
  if (items.length === 1) return [await simulateItem(job, first)];
  if (!(await hasSettler(job.chain))) {
    const calls = items.map((item) => item.call);
    return job.chain.simulate(job.signer, calls, gasOf(items));
  }
  const call = batchCall(items);
  const result = await job.chain.simulateAlone(job.signer, call, settlerGas(call, items));
  if (!result.ok) throw new Error(`the settler refused a simulation: ${result.reason}`);
  return settlerResults(result.data, items.length);
}

/** `unanswered`: the node failed, so it is unknown whether the token would accept the item. */
type Simulation = { type: "answered"; call: CallResult } | { type: "unanswered"; thrown: unknown };
const answered = (call: CallResult): Simulation => ({ type: "answered", call });
const unanswered = (error: unknown): Simulation => ({ type: "unanswered", thrown: error });

/** Returns the items that a joint simulation accepts; declines or postpones the rejected ones. */
export async function simulateTogether(job: RelayerJob, items: Item[]): Promise<Item[]> {
  const results = await simulateItems(job, items).then(
    (all) => all.map(answered),
    async (err: unknown) => {
      job.system.log.warn({ network: job.network, items: items.length, err }, "relayer.batch_simulation_failed");
      return Promise.all(items.map((item) => simulateItem(job, item).then(answered, unanswered)));
    },
  );
  const hasAnswered = results.some(({ type }) => type === "answered");
  const ready: Item[] = [];
  for (const [index, item] of items.entries()) {
    const result = results[index];
    if (result === undefined)
      await blame(job, [item.settlement], new Error("the simulation returned no result for it"));
    else if (result.type === "unanswered")
      await blame(job, [item.settlement], hasAnswered ? unrunnable(result.thrown) : result.thrown);
    else if (result.call.ok) ready.push(item);
    else await refuse(job, item.settlement, result.call.reason);
  }
  return ready;
}

/** The node answered for other items, so its failure for this one is not an outage. */
const unrunnable = (cause: unknown) => new Error("the node cannot simulate this transfer", { cause });
