import { expect, test } from "vitest";
import { differenceOf } from "./lookalike";

test("the different part of two addresses is marked from its first to its last letter, in any case", () => {
  expect(differenceOf("0xAbcd1191ef", "0xabCD2192EF")).toEqual([
    { head: "0xAbcd", middle: "1191", tail: "ef" },
    { head: "0xabCD", middle: "2192", tail: "EF" },
  ]);
});

test("in two equal addresses nothing is marked", () => {
  expect(differenceOf("0xAB", "0xab").map(({ middle }) => middle)).toEqual(["", ""]);
});
