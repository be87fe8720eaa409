import { setTimeout as sleep } from "node:timers/promises";
import { createPublicClient, type Hex, http } from "viem";
import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import type { Requirement } from "../actors/agents";
import { type Bench, mint, PRICE, priceOf, signedMandate, signV3 } from "./actors";
import { alone, compared, type Figure, median, quantile } from "./figures";
import { inLanes, openClient } from "./load";
import { openReference } from "./reference";

const AT_ONCE = 1_000;
const ONE_BY_ONE = 40;
const REFERENCE_ALONE = 10;
const REFERENCE_TOGETHER = 40;
const REFERENCE_LANES = 8;

const settled = z.object({ txHash: z.custom<Hex>() });

/** Transfers on a chain with blocks every `blockSeconds`, beside the facilitator of the npm package x402. */
export async function settlementFigures(bench: Bench, blockSeconds: number): Promise<Figure[]> {
  const { stack, api, progress } = bench;
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const rpcUrl = stack.env.BASE_RPC_URL ?? "";
  progress(`Signing ${AT_ONCE} proofs`);
  const proofs = await inLanes(Array.from({ length: AT_ONCE }), 16, () => signV3(bench, mandateId, wanted));
  progress(`Ours: ${AT_ONCE} settlements at once, blocks of ${blockSeconds} s`);
  const ours = await settleAll(bench, wanted, proofs);

  const payTo = toAddress(wanted.payTo);
  const requirement = { network: "base", amount: PRICE, payTo, resource: wanted.resource, description: "" } as const;
  const reference = openReference(rpcUrl, requirement);
  await mint(api, reference.payer, 10_000_000n);
  progress(`Reference: ${REFERENCE_ALONE} settlements one at a time`);
  const theirsAlone = await reference.run(REFERENCE_ALONE, 1);
  progress(`Reference: ${REFERENCE_TOGETHER} settlements, ${REFERENCE_LANES} at once`);
  const theirs = await reference.run(REFERENCE_TOGETHER, REFERENCE_LANES);
  for (const [reason, count] of tally(theirs.failures)) progress(`  ${count} failed: ${reason}`);

  const is = `facilitator of npm x402, ${REFERENCE_LANES} at once`;
  const what = (of: string) => `${of}, ${AT_ONCE} at once, blocks of ${blockSeconds} s`;
  const shares = [share(ours), share(theirs)] as const;
  const rates = [perSecond(ours), perSecond(theirs)] as const;
  const gas = [await gasEach(rpcUrl, ours), await gasEach(rpcUrl, theirsAlone)] as const;
  return [
    compared(what("settlements"), rates, { unit: "/s", is, goal: { atLeast: 35 } }),
    compared(what("share that succeeded"), shares, { unit: "%", is }),
    compared("gas of a settlement", gas, { unit: "gas", is: "facilitator of npm x402, one at a time" }),
  ];
}

type Run = { attempted: number; settled: number; seconds: number; hashes: Hex[] };

const perSecond = (run: { settled: number; seconds: number }) => run.settled / run.seconds;
const share = (run: { settled: number; attempted: number }) => (100 * run.settled) / run.attempted;

async function settleAll({ stack, progress }: Bench, wanted: Requirement, proofs: string[]): Promise<Run> {
  const client = openClient(stack.baseUrl, proofs.length);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const began = performance.now();
  const present = (proof: string) => client.send({ path, headers: { "x-payment": proof } });
  const replies = await inLanes(proofs, proofs.length, present);
  const seconds = (performance.now() - began) / 1000;
  client.close();
  const hashes = replies
    .filter(({ status }) => status === 200)
    .map(({ text }) => settled.parse(JSON.parse(text)).txHash);
  for (const [said, count] of tally(replies.filter(({ status }) => status !== 200).map(({ text }) => text))) {
    progress(`  ${count} did not settle: ${said}`);
  }
  return { attempted: proofs.length, settled: hashes.length, seconds, hashes };
}

/** Gas of all transactions of a run, per payment. */
async function gasEach(rpcUrl: string, { hashes }: Pick<Run, "hashes">): Promise<number> {
  const chain = createPublicClient({ transport: http(rpcUrl, { batch: true }) });
  const receipts = await Promise.all([...new Set(hashes)].map((hash) => chain.getTransactionReceipt({ hash })));
  return receipts.reduce((sum, receipt) => sum + Number(receipt.gasUsed), 0) / hashes.length;
}

function tally(texts: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text.slice(0, 120), (counts.get(text.slice(0, 120)) ?? 0) + 1);
  return [...counts];
}

/** How long the buyer of one settlement waits after the block with the transfer was there. */
export async function latencyFigures(bench: Bench): Promise<Figure[]> {
  const { stack, client, progress } = bench;
  progress(`${ONE_BY_ONE} settlements one at a time`);
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const chain = createPublicClient({ transport: http(stack.env.BASE_RPC_URL ?? "") });
  const blocks = watchBlocks(chain);
  const waited: number[] = [];
  try {
    for (let turn = 0; turn < ONE_BY_ONE; turn++) {
      const proof = await signV3(bench, mandateId, wanted);
      // So that proofs come at any time between two blocks.
      await sleep((turn * 137) % 1_000);
      const { status, text } = await client.send({ path, headers: { "x-payment": proof } });
      const answered = performance.now();
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      const { blockNumber } = await chain.getTransactionReceipt({ hash: settled.parse(JSON.parse(text)).txHash });
      waited.push(answered - blocks.seenAt(blockNumber));
    }
  } finally {
    await blocks.stop();
  }
  return [
    alone("a settlement's answer after its block, median", median(waited), { unit: "ms", goal: { atMost: 150 } }),
    alone("a settlement's answer after its block, p99", quantile(waited, 0.99), { unit: "ms", goal: { atMost: 400 } }),
  ];
}

const LOOK_MS = 5;

/** When each block was first seen. */
function watchBlocks(chain: { getBlockNumber: (options: { cacheTime: number }) => Promise<bigint> }) {
  const seen = new Map<bigint, number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const number = await chain.getBlockNumber({ cacheTime: 0 });
      if (!seen.has(number)) seen.set(number, performance.now());
      await sleep(LOOK_MS);
    }
  })();
  return {
    seenAt: (block: bigint): number => {
      const at = seen.get(block);
      if (at === undefined) throw new Error(`block ${block} was not seen`);
      return at;
    },
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}
