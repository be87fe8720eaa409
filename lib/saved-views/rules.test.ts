import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { filterFaults, isSameFilter } from "./rules";

test("a view has filters that its list has, with values that it takes", () => {
  expect(
    filterFaults("payments_made", { status: "settled", mandate: newId("mandate"), host: "api.example.com" }),
  ).toEqual([]);
  expect(filterFaults("payments_received", { status: "refunded", from: "2026-11-01" })).toEqual([]);
  expect(filterFaults("payments_made", { status: "refunded" })).toMatchObject([{ name: "status" }]);
  expect(filterFaults("payments_received", { host: "api.example.com" })).toHaveLength(1);
  expect(filterFaults("payments_received", { from: "yesterday" })).toMatchObject([{ name: "from" }]);
});

test("two filters are the same whatever their order", () => {
  expect(isSameFilter({ a: "1", b: "2" }, { b: "2", a: "1" })).toBe(true);
  expect(isSameFilter({ a: "1" }, { a: "1", b: "2" })).toBe(false);
  expect(isSameFilter({ a: "1" }, { b: "1" })).toBe(false);
  expect(isSameFilter({ a: "1" }, { a: "2" })).toBe(false);
});
