import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/figures";
import { type Received, type Sending, send } from "./send";
import type { CostWorld } from "./world";

/** The cost of one call. */
export type Cost = {
  status: string;
  cpuMs: number;
  databaseMs: number;
  blockMs: number;
  /** Memory of the concurrent calls (`Measuring.together`), including garbage that is not yet collected. */
  memoryBytes: number;
  sentBytes: number;
  storedBytes: number;
  statements: number;
  rows: number;
  pages: number;
  rpc: number;
  outbound: number;
};

export type Measuring = { repetitions: number; together: number };

/** Time for work after the response, such as logging. */
const AFTERWARDS_MS = 3;
/** The shortest of these counts, because garbage collection may happen during one. */
const BLOCKS = 2;

/** Medians of the repetitions. `next` creates another request of the same kind; `read` reduces a response to a status for the table. */
export async function measure(
  { stack, probe, statements }: CostWorld,
  next: () => Promise<Sending>,
  read: (received: Received) => string,
  { repetitions, together }: Measuring,
): Promise<Cost> {
  // The first call loads the route and fills caches that normal calls find filled.
  await send(stack.baseUrl, await next());
  const costs: Omit<Cost, "blockMs" | "memoryBytes">[] = [];
  for (let turn = 0; turn < repetitions; turn++) {
    const sending = await next();
    await statements.reset();
    let received: Received | undefined;
    const used = await probe.cpuOf(async () => {
      received = await send(stack.baseUrl, sending);
      await sleep(AFTERWARDS_MS);
    });
    if (!received) continue;
    costs.push({ status: read(received), sentBytes: received.bytes, ...used, ...(await statements.read()) });
  }
  const blocks: number[] = [];
  for (let turn = 0; turn < BLOCKS; turn++) {
    const sending = await next();
    blocks.push((await probe.loopOf(() => send(stack.baseUrl, sending))).blockMs);
  }
  const sendings = await Promise.all(Array.from({ length: together }, next));
  const { memoryBytes } = await probe.loopOf(() =>
    Promise.all(sendings.map((sending) => send(stack.baseUrl, sending))),
  );
  const usual = (figure: (cost: (typeof costs)[number]) => number) => median(costs.map(figure));
  return {
    status: costs.at(-1)?.status ?? "",
    blockMs: Math.min(...blocks),
    memoryBytes,
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
