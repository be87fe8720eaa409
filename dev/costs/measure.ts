import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/figures";
import { type Received, type Sending, send } from "./send";
import type { CostWorld } from "./world";

/** What one call costs. Each figure is the median of the repetitions, but a block is the shortest: a busy machine only adds to it. */
export type Cost = {
  status: string;
  cpuMs: number;
  databaseMs: number;
  blockMs: number;
  memoryBytes: number;
  sentBytes: number;
  storedBytes: number;
  statements: number;
  rows: number;
  pages: number;
  rpc: number;
  outbound: number;
};

export type Measuring = {
  repetitions: number;
  /** Calls at once whose memory counts. */
  together: number;
};

/** What the process does after the response, such as writing its log. */
const AFTERWARDS_MS = 4;

/** `next`: another request of the same kind. `read`: what a response says, for the table. */
export async function measure(
  { stack, probe, statements }: CostWorld,
  next: () => Promise<Sending>,
  read: (received: Received) => string,
  { repetitions, together }: Measuring,
): Promise<Cost> {
  // The first loads the route, and fills caches that honest calls find filled.
  for (const sending of [await next(), await next()]) await send(stack.baseUrl, sending);
  const all: Cost[] = [];
  for (let turn = 0; turn < repetitions; turn++) {
    const sendings = await Promise.all(Array.from({ length: turn === 0 ? together : 1 }, next));
    await statements.reset();
    await probe.start();
    const [received] = await Promise.all(sendings.map((sending) => send(stack.baseUrl, sending)));
    await sleep(AFTERWARDS_MS);
    const { cpuMs, blockMs, memoryBytes, rpc, outbound } = await probe.stop();
    const { databaseMs, statements: count, rows, pages, stored } = await statements.read();
    if (!received) continue;
    all.push({
      ...{ status: read(received), sentBytes: received.bytes, memoryBytes, cpuMs, databaseMs, blockMs },
      ...{ storedBytes: stored, statements: count, rows, pages, rpc, outbound },
    });
  }
  const [burst, ...single] = all;
  if (!burst || single.length === 0) throw new Error("there are too few repetitions");
  const usual = (figure: (cost: Cost) => number) => median(single.map(figure));
  return {
    status: single.at(-1)?.status ?? "",
    cpuMs: usual(({ cpuMs }) => cpuMs),
    databaseMs: usual(({ databaseMs }) => databaseMs),
    blockMs: Math.min(...single.map(({ blockMs }) => blockMs)),
    memoryBytes: burst.memoryBytes,
    sentBytes: usual(({ sentBytes }) => sentBytes),
    storedBytes: usual(({ storedBytes }) => storedBytes),
    statements: usual(({ statements }) => statements),
    rows: usual(({ rows }) => rows),
    pages: usual(({ pages }) => pages),
    rpc: usual(({ rpc }) => rpc),
    outbound: usual(({ outbound }) => outbound),
  };
}
