import { type AuthorizationLog, type Chain, ChainUnavailable } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { type Cancellation, keyOf, type Transfer } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "../store";

export type Facts = { transfers: Transfer[]; cancellations: Cancellation[] };

/**
 * Filters the logs for known authorizations and reads each use's transfer from its receipt. Throws ChainUnavailable when the
 * node lacks a receipt or block that it reported: missing data must not become a fact.
 */
export async function readFacts(system: System, network: NetworkName, logs: AuthorizationLog[]): Promise<Facts> {
  const keys = logs.map((log) => ({ network, from: log.payer, nonce: log.nonce }));
  const ours = new Set([
    ...(await store.findKnownKeys(system.db, network, keys)).map((key) => keyOf({ network, ...key })),
    ...(await Promise.all(system.subscribers.map((s) => s.knows?.(system.db, network, keys) ?? []))).flat(),
  ]);
  const relevant = logs.filter((log) => ours.has(keyOf({ network, from: log.payer, nonce: log.nonce })));
  return factsOf(system.chains[network], relevant);
}

export async function factsOf(chain: Chain, logs: AuthorizationLog[]): Promise<Facts> {
  const network = chain.network.name;
  const numbers = [...new Set(logs.map((log) => log.block.number))];
  const blocks = (await Promise.all(numbers.map((number) => chain.block(number)))).map(assertPresent);
  const times = new Map(blocks.map((block) => [block.hash, block.time]));
  const uses = await usesByKey(chain, logs);
  const facts: Facts = { transfers: [], cancellations: [] };
  for (const log of logs) {
    const key = { network, from: log.payer, nonce: log.nonce };
    const fact = {
      ...key,
      txHash: log.txHash,
      block: { ...log.block, time: assertPresent(times.get(log.block.hash)) },
    };
    const use = log.kind === "used" ? assertPresent(uses.get(keyOf(key))) : null;
    if (use?.transfer) facts.transfers.push({ ...fact, ...use.transfer });
    else facts.cancellations.push(fact);
  }
  return facts;
}

export function assertPresent<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new ChainUnavailable("the node lacks a block or receipt it reported");
  return value;
}

async function usesByKey(chain: Chain, logs: AuthorizationLog[]) {
  const used = new Map(logs.filter((log) => log.kind === "used").map((log) => [log.txHash, log.block.hash]));
  const receipts = await Promise.all([...used.keys()].map((hash) => chain.receipt(hash)));
  const network = chain.network.name;
  return new Map(
    receipts
      .map(assertPresent)
      .filter((receipt) => receipt.block.hash === used.get(receipt.hash))
      .flatMap((receipt) => receipt.uses)
      .map((use) => [keyOf({ network, from: use.payer, nonce: use.nonce }), use]),
  );
}
