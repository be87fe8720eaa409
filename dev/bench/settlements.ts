import { setTimeout as sleep } from "node:timers/promises";
import { createPublicClient, type Hex, http } from "viem";
import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import type { Requirement } from "../actors/agents";
import { type Bench, mint, PRICE, priceOf, signedMandate, signV3 } from "./actors";
import { alone, atLeastTimes, compared, type Figure, median, quantile } from "./figures";
import { inLanes, openClient } from "./load";
import { openReference } from "./reference";

const AT_ONCE = 1_000;
const PER_SECOND_MIN = 200;
/** Settlements whose latency is measured, a few at a time. The 99th percentile needs many. */
const TIMED = 240;
const TIMED_LANES = 4;
const REFERENCE_ALONE = 10;
const REFERENCE_TOGETHER = 40;
const REFERENCE_LANES = 8;

const settled = z.object({ txHash: z.custom<Hex>() });

/** Transfers on a chain with a block every `blockSeconds`, compared with the facilitator of the npm package x402. */
export async function settlementFigures(bench: Bench, blockSeconds: number): Promise<Figure[]> {
  const { stack, api, rounds, progress } = bench;
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const rpcUrl = stack.env.BASE_RPC_URL ?? "";
  const payTo = toAddress(wanted.payTo);
  const requirement = { network: "base", amount: PRICE, payTo, resource: wanted.resource, description: "" } as const;
  const reference = await openReference(rpcUrl, requirement);
  await mint(api, reference.payer, 10_000_000n);
  progress(`Reference: ${REFERENCE_ALONE} settlements one at a time`);
  const theirsAlone = await reference.run(REFERENCE_ALONE, 1);
  const all = { ours: [] as Run[], theirs: [] as Run[] };
  for (let round = 1; round <= rounds; round++) {
    progress(`Ours: ${AT_ONCE} settlements at once, blocks of ${blockSeconds} s, round ${round} of ${rounds}`);
    const proofs = await inLanes(Array.from({ length: AT_ONCE }), 16, () => signV3(bench, mandateId, wanted));
    all.ours.push(await settleAll(bench, wanted, proofs));
    progress(`Reference: ${REFERENCE_TOGETHER} settlements, ${REFERENCE_LANES} at once`);
    const theirs = await reference.run(REFERENCE_TOGETHER, REFERENCE_LANES);
    for (const [reason, count] of tally(theirs.failures)) progress(`  ${count} failed: ${reason}`);
    all.theirs.push(theirs);
  }

  const is = `facilitator of npm x402, ${REFERENCE_LANES} at once`;
  const what = (of: string) => `${of}, ${AT_ONCE} at once, blocks of ${blockSeconds} s`;
  const shares = [shareOf(all.ours), shareOf(all.theirs)] as const;
  const rates = [median(all.ours.map(perSecond)), median(all.theirs.map(perSecond))] as const;
  const hashes = all.ours.flatMap((run) => run.hashes);
  const gas = [await gasEach(rpcUrl, { hashes }), await gasEach(rpcUrl, theirsAlone)] as const;
  return [
    compared(what("settlements"), rates, { unit: "/s", is, goal: atLeastTimes(35) }),
    alone(what("settlements"), rates[0], { unit: "/s", goal: { atLeast: PER_SECOND_MIN } }),
    compared(what("share that succeeded"), shares, { unit: "%", is, goal: { atLeast: 100 } }),
    compared(`gas of a settlement, blocks of ${blockSeconds} s`, gas, {
      unit: "gas",
      is: "facilitator of npm x402, one at a time",
    }),
  ];
}

type Run = { attempted: number; settled: number; seconds: number; hashes: Hex[] };

const perSecond = (run: { settled: number; seconds: number }) => run.settled / run.seconds;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shareOf = (runs: readonly { settled: number; attempted: number }[]) =>
  (100 * sum(runs.map(({ settled }) => settled))) / sum(runs.map(({ attempted }) => attempted));

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
  for (const [message, count] of tally(replies.filter(({ status }) => status !== 200).map(({ text }) => text))) {
    progress(`  ${count} did not settle: ${message}`);
  }
  return { attempted: proofs.length, settled: hashes.length, seconds, hashes };
}

/** Gas of all transactions of a run, per payment. */
async function gasEach(rpcUrl: string, { hashes }: Pick<Run, "hashes">): Promise<number> {
  const chain = createPublicClient({ transport: http(rpcUrl, { batch: true }) });
  const receipts = await Promise.all([...new Set(hashes)].map((hash) => chain.getTransactionReceipt({ hash })));
  return sum(receipts.map(({ gasUsed }) => Number(gasUsed))) / hashes.length;
}

function tally(texts: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text.slice(0, 120), (counts.get(text.slice(0, 120)) ?? 0) + 1);
  return [...counts];
}

/** How long a buyer waits for the response after the block with the transfer appears. */
export async function latencyFigures(bench: Bench, blockSeconds: number): Promise<Figure[]> {
  const { stack, client, progress } = bench;
  progress(`${TIMED} settlements, ${TIMED_LANES} at a time, blocks of ${blockSeconds} s`);
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const chain = createPublicClient({ transport: http(stack.env.BASE_RPC_URL ?? "") });
  const blocks = watchBlocks(chain);
  const one = async (turn: number): Promise<number | null> => {
    const proof = await signV3(bench, mandateId, wanted);
    // Spreads the proofs over the time between two blocks.
    await sleep((turn * 137) % (blockSeconds * 1_000));
    const { status, text } = await client.send({ path, headers: { "x-payment": proof } });
    const answered = performance.now();
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    const { blockNumber } = await chain.getTransactionReceipt({ hash: settled.parse(JSON.parse(text)).txHash });
    const seen = blocks.seenAt(blockNumber);
    return seen === null ? null : answered - seen;
  };
  const turns = Array.from({ length: TIMED }, (_, turn) => turn);
  const waits = await inLanes(turns, TIMED_LANES, one).finally(blocks.stop);
  const known = waits.filter((wait) => wait !== null);
  if (known.length < TIMED) progress(`  the blocks of ${TIMED - known.length} were not seen in time`);
  const description = `a settlement's answer after its block, blocks of ${blockSeconds} s`;
  return [
    alone(`${description}, median`, median(known), { unit: "ms", goal: { atMost: 150 } }),
    alone(`${description}, p99 of ${known.length}`, quantile(known, 0.99), { unit: "ms", goal: { atMost: 400 } }),
  ];
}

const LOOK_MS = 5;

/** The time at which each block was first seen. */
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
    /** Null if the next block appeared before this one was seen. */
    seenAt: (block: bigint): number | null => seen.get(block) ?? null,
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}
