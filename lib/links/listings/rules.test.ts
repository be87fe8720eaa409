import { expect, test } from "vitest";
import { LISTINGS_MAX, LISTINGS_MIN, listingsAllowed } from "./rules";

test.each([
  [0, false, LISTINGS_MIN],
  [1, false, LISTINGS_MIN + 1],
  [1_000_000, false, LISTINGS_MAX],
  [0, true, LISTINGS_MAX],
])(
  "an owner with %d sales and a verified domain (%s) may have %d links in the directory",
  (sales, hasDomain, allowed) => {
    expect(listingsAllowed({ sales, hasDomain })).toBe(allowed);
  },
);
