import { type Exercise, exercises, type Group, type Timed, timed, withData } from "./data";
import { atMostTimes, compared, type Figure, median, quantile } from "./figures";
import { sizeOf } from "./seed-data";

/** Enough for a full page in every list of the heavy owner and agent, as in the large database: an empty page costs less. */
const SMALL = 1_000;
const ROUNDS = 50;
const GROUPS: readonly Group[] = ["hot paths", "lists", "pages"];
const SHOWN = 8;

/** How much slower lists, pages and hot paths are with `payments` payments than in a small database, one request at a time. */
export async function growthFigures(payments: number, say: (line: string) => void): Promise<Figure[]> {
  const measuredBefore = await measured(SMALL, say);
  const measuredAfter = await measured(payments, say);
  const is = `${SMALL.toLocaleString("en")} payments`;
  const many = `with ${payments.toLocaleString("en")} payments`;
  const figures = GROUPS.map((group) => {
    const p99 = (of: readonly Timed[]) =>
      quantile(
        timesOf(of, (each) => each.group === group),
        0.99,
      );
    return compared(`p99 of ${group} ${many}`, [p99(measuredAfter), p99(measuredBefore)], {
      unit: "ms",
      is,
      goal: atMostTimes(2),
    });
  });
  const slower = [...new Set(measuredAfter.map(({ path }) => path))]
    .map((path) => {
      const medianOf = (of: readonly Timed[]) => median(timesOf(of, (each) => each.path === path));
      return { path, ours: medianOf(measuredAfter), other: medianOf(measuredBefore) };
    })
    .toSorted((a, b) => b.ours / b.other - a.ours / a.other);
  for (const { path, ours, other } of slower.slice(0, SHOWN))
    say(`  ${(ours / other).toFixed(1)}× ${other.toFixed(0)} → ${ours.toFixed(0)} ms  ${path}`);
  const [worst] = slower;
  if (!worst) return figures;
  const name = worst.path.replaceAll(/_[0-9a-z]{10,}|[0-9a-f-]{36}/g, "…");
  const both = [worst.ours, worst.other] as const;
  return [...figures, compared(`median of what grows most ${many}: ${name}`, both, { unit: "ms", is })];
}

const timesOf = (all: readonly Timed[], is: (each: Timed) => boolean) => all.filter(is).map(({ ms }) => ms);

function measured(payments: number, say: (line: string) => void): Promise<Timed[]> {
  const play = async (all: Exercise[]): Promise<Timed[]> => {
    // The first rounds load routes and fill caches.
    for (let round = 0; round < 3; round++) for (const each of all) await timed(each);
    const times: Timed[] = [];
    for (let round = 0; round < ROUNDS; round++) for (const each of all) times.push(await timed(each));
    const failed = times.filter(({ status }) => status !== 200 && status !== 402);
    for (const { path, status } of failed.slice(0, SHOWN)) say(`  ${path} answered ${status}`);
    if (failed.length > 0) throw new Error(`${failed.length} requests failed with ${payments} payments`);
    return times;
  };
  say(`Lists, pages and hot paths with ${payments} payments`);
  return withData(sizeOf(payments), say, (service) => play(exercises(service)), { isExplained: false });
}
