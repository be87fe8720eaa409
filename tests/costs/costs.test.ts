import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallCost } from "@/dev/costs/measure";
import { playable, playCalls, rows } from "@/dev/costs/play";
import { recordedCosts } from "@/dev/costs/table";
import { type CostWorld, inCostWorld } from "@/dev/costs/world";

/**
 * Every endpoint, page and tool costs what docs/operations.md says, and not much more. Times depend on the machine, so that CPU counts in
 * calls of /healthz in the same run. A row that fails costs more than before: mend it, or write the table again (`npm run costs -- --write`).
 */
const START_MS = 600_000;
const REPETITIONS = 2;
const TURNS = 3;
const UNIT = "GET /healthz";
const UNIT_REPETITIONS = 15;

const all = rows();
const recorded = recordedCosts();

let world: CostWorld;
let unitMs: number;
let close: () => Promise<void>;

beforeAll(async () => {
  let end = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  world = await new Promise<CostWorld>((ready, failed) => {
    over = inCostWorld(
      () => {},
      async (opened) => {
        ready(opened);
        await ending;
      },
    );
    over.catch(failed);
  });
  close = async () => {
    end();
    await over;
  };
  const unit = all.find(({ name }) => name === UNIT);
  if (!unit) throw new Error(`there is no ${UNIT}`);
  unitMs = (await playCalls(world, unit, UNIT_REPETITIONS)).cpuMs;
}, START_MS);
afterAll(() => close?.(), START_MS);

/** What a figure may be: some more than it was, and a little in any case. */
const BOUNDS: readonly {
  name: string;
  of: (cost: CallCost) => number;
  was: (name: string) => number;
  most: (was: number) => number;
}[] = [
  {
    name: "times the CPU of /healthz",
    of: ({ cpuMs }) => cpuMs / unitMs,
    was: (name) => row(name).ratio,
    most: (was) => 3 * was + 15,
  },
  {
    name: "statements",
    of: ({ statements }) => statements,
    was: (name) => row(name).statements,
    most: (was) => was + 3,
  },
  { name: "rows", of: ({ rows: read }) => read, was: (name) => row(name).rows, most: (was) => 1.2 * was + 10 },
  // PostgreSQL plans by its statistics, which it renews when it likes.
  { name: "pages", of: ({ pages }) => pages, was: (name) => row(name).pages, most: (was) => 3 * was + 200 },
  {
    name: "bytes sent",
    of: ({ sentBytes }) => sentBytes,
    was: (name) => row(name).sentBytes,
    most: (was) => 1.2 * was + 2_000,
  },
  {
    name: "bytes stored",
    of: ({ storedBytes }) => storedBytes,
    was: (name) => row(name).storedBytes,
    most: (was) => 1.2 * was + 2_000,
  },
  { name: "RPC calls", of: ({ rpc }) => rpc, was: (name) => row(name).rpc, most: (was) => was },
  { name: "outbound requests", of: ({ outbound }) => outbound, was: (name) => row(name).outbound, most: (was) => was },
];

function row(name: string) {
  const match = recorded.get(name);
  if (!match) throw new Error(`docs/operations.md has no costs of ${name}`);
  return match;
}

// What else runs on the machine adds to no figure: each is of the service's own process, database and chain.
describe("a call costs no more than docs/operations.md says", () => {
  test.each(playable(all).map((each) => [each.name, each] as const))("%s", async (name, each) => {
    const readAbove = async () => {
      const cost = await playCalls(world, each, REPETITIONS);
      return BOUNDS.flatMap((bound) => {
        const [is, most] = [bound.of(cost), bound.most(bound.was(name))];
        return is > most ? [`${is.toFixed(1)} ${bound.name}, at most ${most.toFixed(1)}`] : [];
      });
    };
    let above = await readAbove();
    // What else the machine does only ever adds to a cost.
    for (let turn = 1; turn < TURNS && above.length > 0; turn++) above = await readAbove();
    expect(above).toEqual([]);
  });
});
