import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import type { Upstream } from "../upstream/rules";
import {
  admittedBy,
  isStillSold,
  leastUnits,
  type PassState,
  passIn,
  passToken,
  passWords,
  settlementOf,
  statusOf,
  termsOf,
  unansweredAmount,
  unitsLeft,
  unitsOf,
  unusedAmount,
  validUntil,
} from "./rules";

const SETTLED = new Date("2026-11-29T12:00:00Z");
const after = (hours: number) => new Date(SETTLED.getTime() + hours * 3_600_000);
const pass = (part: Partial<PassState> = {}): PassState => ({
  isByUse: false,
  units: 10n,
  leastUnits: 1n,
  hours: null,
  unitsTaken: 0n,
  unitsUnderWay: 0n,
  unitsFailed: 0n,
  settledAt: SETTLED,
  isRefunded: null,
  ...part,
});

describe("a token", () => {
  const keyFor = (id: string) => Buffer.from(id.padEnd(32).slice(-32)).toString("base64url");
  const id = "stl_9uYtR4eWqAsD2fGhJkLz6XcV";

  test("names its payment, and none if a character differs", () => {
    const token = passToken(id, keyFor);
    expect(settlementOf(token, keyFor)).toBe(id);
    for (let place = 0; place < token.length; place += 1) {
      const changed = token.slice(0, place) + (token[place] === "x" ? "y" : "x") + token.slice(place + 1);
      expect(settlementOf(changed, keyFor)).toBeNull();
    }
    for (const text of [`${token}x`, token.slice(0, -1), ` ${token}`, "pass_", ""])
      expect(settlementOf(text, keyFor)).toBeNull();
  });

  test.each([
    ["Bearer pass_a", "pass_a"],
    ["bearer  pass_a_b", "pass_a_b"],
    ["Bearer eyJhbGciOi", null],
    ["Payment pass_a", null],
    ["Bearer pass_a pass_b", null],
  ])("is read from %s", (authorization, expected) => {
    expect(passIn(new Request("http://localhost", { headers: { authorization } }))).toBe(expected);
  });
});

test.each<[Partial<PassState>, number, string, bigint]>([
  [{}, 1_000, "usable", 1_000n],
  [{ unitsTaken: 3n }, 0, "usable", 700n],
  [{ units: 3n, unitsTaken: 1n }, 0, "usable", 666n],
  [{ unitsTaken: 10n }, 0, "used_up", 0n],
  [{ isRefunded: true }, 0, "refunded", 0n],
  [{ isRefunded: false, unitsTaken: 3n }, 0, "held", 700n],
  [{ units: null, hours: 4 }, 0, "usable", 1_000n],
  [{ units: null, hours: 4, unitsTaken: 9_999n }, 1, "usable", 750n],
  [{ units: null, hours: 4 }, 4, "over", 0n],
  [{ hours: 4, unitsTaken: 9n }, 1, "usable", 100n],
  [{ hours: 4, unitsTaken: 1n }, 3, "usable", 250n],
  [{ unitsTaken: 10n, unitsFailed: 92n }, 0, "used_up", 200n],
  [{ unitsTaken: 10n, unitsUnderWay: 3n }, 0, "used_up", 300n],
  [{ isByUse: true, units: 1_000n, leastUnits: 300n, unitsTaken: 700n }, 0, "usable", 300n],
  [{ isByUse: true, units: 1_000n, leastUnits: 301n, unitsTaken: 700n }, 0, "used_up", 300n],
  [{ isByUse: true, units: 1_000n, unitsTaken: 1_000n, unitsUnderWay: 50n, unitsFailed: 9_007n }, 0, "used_up", 57n],
  // The clock of this server may be behind the chain's.
  [{ units: null, hours: 4 }, -1, "usable", 1_000n],
])("of %o, after %s hours: %s, and %s of 1000 are unused", (part, hours, status, unused) => {
  expect(statusOf(pass(part), after(hours))).toBe(status);
  expect(unusedAmount(pass(part), toUsdc(1_000n), after(hours))).toBe(unused);
});

test.each<[Partial<PassState>, bigint]>([
  [{ unitsTaken: 3n }, 700n],
  [{ units: 3n, unitsTaken: 2n }, 333n],
  [{ unitsTaken: 10n }, 0n],
  [{ unitsTaken: 10n, unitsUnderWay: 3n }, 300n],
  // Failed calls that came back are not taken; nine times ten do, and those after them are paid back.
  [{ unitsTaken: 3n, unitsFailed: 90n }, 700n],
  [{ unitsTaken: 10n, unitsFailed: 92n }, 200n],
  [{ unitsTaken: 10n, unitsFailed: 100n }, 1_000n],
  // Hours that have passed can be paid back, calls that were taken cannot.
  [{ units: null, hours: 1, unitsTaken: 99n }, 1_000n],
  [{ hours: 1, unitsTaken: 5n }, 500n],
])("a refund of %o gives back at most %s of 1000", (part, most) => {
  expect(unansweredAmount(pass(part), toUsdc(1_000n))).toBe(most);
});

test.each<[string, object, string, boolean]>([
  ["what was sold", {}, "/sold", true],
  ["nothing that is sold since", { paths: [{ path: "/new", amount: null }] }, "/new", false],
  ["what is no longer sold", { paths: [{ path: "/new", amount: null }] }, "/sold", true],
  ["at another URL what is still sold", { url: "https://b.example" }, "/sold", true],
  [
    "at another URL nothing else",
    { url: "https://b.example", paths: [{ path: "/new", amount: null }] },
    "/sold",
    false,
  ],
  ["at another URL no other method", { url: "https://b.example", methods: ["POST"] }, "/sold", false],
])("it admits %s", (_, changed, path, expected) => {
  const sold: Pick<Upstream, "url" | "methods" | "paths"> = {
    url: "https://a.example",
    methods: ["GET"],
    paths: [{ path: "/sold", amount: "1" }],
  };
  const admitted = admittedBy(sold, toUsdc(5n));
  const request = { method: "GET" as const, path };
  const isSold = unitsOf({ isByUse: false, admitted }, request) !== null;
  expect(isSold && isStillSold(admitted, { ...sold, ...changed }, request)).toBe(expected);
});

test("a request takes one call, or its price at the sale from a pass by use", () => {
  const paths = [
    { path: "/a/{b}", amount: "7" },
    { path: "/c", amount: null },
  ];
  const admitted = admittedBy({ url: "https://a.example", methods: ["GET"], paths }, toUsdc(5n));
  const unitsAt = (path: string, isByUse: boolean) => unitsOf({ isByUse, admitted }, { method: "GET", path });
  expect(["/a/x", "/c", "/d", "/a/%7Bb%7D"].map((path) => unitsAt(path, true))).toEqual([7n, 5n, null, null]);
  expect(["/a/x", "/c", "/d"].map((path) => unitsAt(path, false))).toEqual([1n, 1n, null]);
  expect([leastUnits(true, admitted), leastUnits(false, admitted)]).toEqual([5n, 1n]);
});

test("its terms differ with everything that a buyer agrees to, and only with that", () => {
  const offer = { calls: 10, hours: null, isByUse: false, amount: "5", isRefundable: false };
  const price = toUsdc(3n);
  const sold: Pick<Upstream, "methods" | "paths"> = {
    methods: ["GET", "POST"],
    paths: [
      { path: "/a", amount: "1" },
      { path: "/b", amount: null },
    ],
  };
  const { methods, paths } = sold;
  const terms = termsOf(sold, offer, price);
  const others = [
    termsOf(sold, { ...offer, calls: 9 }, price),
    termsOf(sold, { ...offer, calls: null, hours: 10 }, price),
    termsOf(sold, { ...offer, hours: 1 }, price),
    termsOf(sold, { ...offer, amount: "6" }, price),
    termsOf(sold, { ...offer, isRefundable: true }, price),
    termsOf({ methods, paths: paths.slice(0, 1) }, offer, price),
    termsOf({ methods: ["GET"], paths }, offer, price),
  ];
  expect(new Set([terms, ...others]).size).toBe(8);
  const sameOffer = { methods: methods.toReversed(), paths: paths.map(({ path }) => ({ path, amount: "9" })) };
  expect(termsOf(sameOffer, offer, toUsdc(4n))).toBe(terms);
  const byUse = { ...offer, calls: null, isByUse: true };
  const ofPrices = [sold, sameOffer].flatMap((seller) => [price, toUsdc(4n)].map((own) => termsOf(seller, byUse, own)));
  expect(new Set(ofPrices).size).toBe(3);
  expect(terms).toMatch(/^[\w-]{22}$/);
});

test("its calls and hours are absent where they have no limit", () => {
  expect([unitsLeft(pass({ unitsTaken: 4n })), unitsLeft(pass({ units: null, hours: 1 }))]).toEqual([6n, null]);
  expect([validUntil(pass()), validUntil(pass({ hours: 2 }))]).toEqual([null, after(2)]);
});

test.each([
  [{ calls: 1, hours: null, isByUse: false }, "A pass for 1 call"],
  [{ calls: 1_000, hours: null, isByUse: false }, "A pass for 1000 calls"],
  [{ calls: null, hours: 1, isByUse: false }, "A pass for 1 hour"],
  [{ calls: 50, hours: 24, isByUse: false }, "A pass for 50 calls in 24 hours"],
  [{ calls: null, hours: 720, isByUse: false }, "A pass for 30 days"],
  [{ calls: null, hours: null, isByUse: true }, "A pass for calls by use"],
  [{ calls: null, hours: 24, isByUse: true }, "A pass for calls by use in 24 hours"],
])("%j is called: %s", (limits, words) => {
  expect(passWords(limits)).toBe(words);
});
