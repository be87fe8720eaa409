import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/figures";
import { type Received, type Sending, send } from "./send";
import type { CostWorld } from "./world";

/** The cost of one call. */
export type CallCost = {
  status: string;
  cpuMs: number;
  databaseMs: number;
  sentBytes: number;
  storedBytes: number;
  statements: number;
  rows: number;
  pages: number;
  rpc: number;
  outbound: number;
};
export type Cost = CallCost & {
  blockMs: number;
  /** Memory of the concurrent calls (`Measuring.together`), including garbage that is not yet collected. */
  memoryBytes: number;
};

export type Measuring = { repetitions: number; together: number };

/** Time for work after the response, such as logging. */
const AFTERWARDS_MS = 3;
/** The shortest of these counts, because garbage collection may happen during one. */
const BLOCKS = 2;

/** `create` makes another request of the same kind; `read` reduces a response to a status for the table. */
export type Calls = { create: () => Promise<Sending>; read: (received: Received) => string };

/** Medians of the repetitions. */
export async function measureCalls(
  { stack, probe, statements }: CostWorld,
  { create, read }: Calls,
  repetitions: number,
): Promise<CallCost> {
  // The first call loads the route and fills caches that normal calls find filled.
  await send(stack.baseUrl, await create());
  const costs: CallCost[] = [];
  for (let turn = 0; turn < repetitions; turn++) {
    const sending = await create();
    await statements.reset();
    let received: Received | undefined;
    const used = await probe.cpuOf(async () => {
      received = await send(stack.baseUrl, sending);
      await sleep(AFTERWARDS_MS);
    });
    if (!received) continue;
    costs.push({ status: read(received), sentBytes: received.bytes, ...used, ...(await statements.read()) });
  }
  const usual = (figure: (cost: CallCost) => number) => median(costs.map(figure));
  return {
    status: costs.at(-1)?.status ?? "",
    cpuMs: usual(({ cpuMs }) => cpuMs),
    databaseMs: usual(({ databaseMs }) => databaseMs),
    sentBytes: usual(({ sentBytes }) => sentBytes),
    storedBytes: usual(({ storedBytes }) => storedBytes),
    statements: usual(({ statements }) => statements),
    rows: usual(({ rows }) => rows),
    pages: usual(({ pages }) => pages),
    rpc: usual(({ rpc }) => rpc),
    outbound: usual(({ outbound }) => outbound),
  };
}

/** Further calls, each of which first collects all garbage. */
export async function measure(world: CostWorld, calls: Calls, { repetitions, together }: Measuring): Promise<Cost> {
  const { stack, probe } = world;
  const { create } = calls;
  const cost = await measureCalls(world, calls, repetitions);
  const blocks: number[] = [];
  for (let turn = 0; turn < BLOCKS; turn++) {
    const sending = await create();
    blocks.push((await probe.loopOf(() => send(stack.baseUrl, sending))).blockMs);
  }
  const sendings = await Promise.all(Array.from({ length: together }, create));
  const { memoryBytes } = await probe.loopOf(() =>
    Promise.all(sendings.map((sending) => send(stack.baseUrl, sending))),
  );
  return { ...cost, blockMs: Math.min(...blocks), memoryBytes };
}
