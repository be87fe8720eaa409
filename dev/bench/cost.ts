import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, priceOf, signedMandate, signV3 } from "./actors";
import { alone, type Figure, median } from "./figures";
import { loadsOf } from "./loads";

/** Figures for capacity planning: CPU and memory of the server's processes, without PostgreSQL, the chain and the client. */
const TICKS_A_SECOND = 100;
const PAYMENTS_A_SECOND = 40;
const SAMPLE_SECONDS = 10;
/** Two minutes, after which memory must be flat: the median of the next two minutes is compared with that of the last two. */
const WARM_SAMPLES = 120 / SAMPLE_SECONDS;
/** How far garbage collection alone moves the median. */
const FLAT_MB = 20;

/** A process and its descendants. Linux only. */
function treeOf(pid: number): number[] {
  const children = (parent: number): number[] =>
    readdirSync(`/proc/${parent}/task`).flatMap((task) =>
      readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  return [pid, ...children(pid).flatMap(treeOf)];
}

/** User and system time of a process since its start: proc_pid_stat(5). */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_000;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const cpuOf = (pid: number) => sum(treeOf(pid).map(cpuSeconds));

export async function cpuFigures(bench: Bench): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  const { stack, progress } = bench;
  const figures: Figure[] = [];
  for await (const { what, run } of loadsOf(bench)) {
    progress(`CPU of ${what}`);
    const cpuBefore = cpuOf(stack.pid);
    const times = await run();
    const used = ((cpuOf(stack.pid) - cpuBefore) * 1_000) / times;
    figures.push(alone(`CPU of the server for 1,000 ${what}`, used, { unit: "s" }));
  }
  return figures;
}

/** The server's memory at 40 payments per second, each signed, presented and settled. */
export async function memoryFigures(bench: Bench, minutes: number): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  const { stack, client, progress } = bench;
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const samples: number[] = [];
  const open = new Set<Promise<void>>();
  let failed = 0;
  const pay = async () => {
    const proof = await signV3(bench, mandateId, wanted);
    const { status } = await client.send({ path, headers: { "x-payment": proof } });
    if (status !== 200) failed++;
  };
  const began = performance.now();
  for (let turn = 0; performance.now() - began < minutes * 60_000; turn++) {
    const due = began + (turn * 1_000) / PAYMENTS_A_SECOND;
    if (due > performance.now()) await sleep(due - performance.now());
    const one = pay()
      .catch((error: unknown) => {
        failed++;
        progress(`a payment failed: ${error}`);
      })
      .finally(() => open.delete(one));
    open.add(one);
    if (turn % (SAMPLE_SECONDS * PAYMENTS_A_SECOND) !== 0) continue;
    samples.push(sum(treeOf(stack.pid).map(residentMegabytes)));
    progress(`${turn} payments, ${open.size} under way, ${Math.round(samples.at(-1) ?? 0)} MB`);
  }
  await Promise.all(open);
  const description = `memory at ${PAYMENTS_A_SECOND} payments a second for ${minutes} minutes`;
  const figures = [
    alone(`${description}, most`, Math.max(...samples), { unit: "MB", goal: { atMost: 350 } }),
    alone(`payments without a 200 in these ${minutes} minutes`, failed, { unit: "", goal: { atMost: 0 } }),
  ];
  const [afterwards, atTheEnd] = [samples.slice(WARM_SAMPLES, 2 * WARM_SAMPLES), samples.slice(-WARM_SAMPLES)];
  if (samples.length < 3 * WARM_SAMPLES) return figures;
  const growth = Math.max(0, median(atTheEnd) - median(afterwards));
  return [
    ...figures,
    alone(`${description}, growth after the first two`, growth, { unit: "MB", goal: { atMost: FLAT_MB } }),
  ];
}
