import { describe, expect, test } from "vitest";
import type { Block } from "./chain";
import { ChainUnavailable } from "./chain";
import { clockCheck } from "./checks";
import type { System } from "./context";

const NOW = new Date("2026-01-01T00:00:00Z");
type Heads = readonly [number: number, secondsAhead: number][] | null;

/** Returns the heads in order, then the last one forever. */
function chainOf(heads: Heads) {
  let index = 0;
  const head = async (): Promise<Block> => {
    const found = heads?.[Math.min(index++, heads.length - 1)];
    if (!found) throw new ChainUnavailable("no answer");
    return { number: BigInt(found[0]), hash: "0x", time: new Date(NOW.getTime() + found[1] * 1000) };
  };
  return { head };
}

/** The parts of the system that the check uses. */
const systemWith = (mode: "devnet" | "production", base: Heads, sepolia: Heads) =>
  ({
    config: { mode },
    now: () => NOW,
    chains: { base: chainOf(base), "base-sepolia": chainOf(sepolia) },
  }) as unknown as System;

const FRESH: Heads = [[100, -2]];
const GOES_ON_AHEAD: Heads = [
  [100, 600],
  [101, 602],
];
const GOES_ON_BEHIND: Heads = [
  [100, -600],
  [101, -598],
];
const STALLED: Heads = [[100, -9_000]];
const CATCHES_UP: Heads = [
  [100, -9_000],
  [400, -8_400],
];

describe("the check of the chain's clock", () => {
  test.each<[string, "devnet" | "production", Heads, Heads, string, RegExp]>([
    ["is right by two fresh chains", "production", FRESH, FRESH, "ok", /within 30 s/],
    ["is behind both", "production", GOES_ON_AHEAD, GOES_ON_AHEAD, "fail", /clock is 600|clock is 602/],
    ["is ahead of both", "production", GOES_ON_BEHIND, GOES_ON_BEHIND, "fail", /598 s ahead of/],
    ["is behind the only one that answers", "production", GOES_ON_AHEAD, null, "fail", /behind the newest/],
    ["is not judged by chains that disagree", "production", FRESH, GOES_ON_AHEAD, "warn", /differ by/],
    ["is not judged by a stalled chain", "production", STALLED, FRESH, "ok", /within 30 s/],
    ["is not judged by a node that catches up", "production", CATCHES_UP, null, "ok", /no chain produced a new block/],
    ["is not judged when no node answers", "production", null, null, "ok", /no chain produced a new block/],
    ["is not judged by a local chain", "devnet", GOES_ON_AHEAD, GOES_ON_AHEAD, "ok", /not compared/],
  ])("%s", { timeout: 30_000 }, async (_, mode, base, sepolia, status, detail) => {
    const checkResult = await clockCheck.run(systemWith(mode, base, sepolia));
    expect(checkResult).toMatchObject({ status, detail: expect.stringMatching(detail) });
    expect(checkResult.remedy === "").toBe(status === "ok");
  });
});
