import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import type { Upstream } from "../upstream/rules";
import {
  admittedBy,
  callsLeft,
  isAdmitted,
  type PassState,
  passIn,
  passToken,
  passWords,
  settlementOf,
  statusOf,
  termsOf,
  unansweredAmount,
  unusedAmount,
  validUntil,
} from "./rules";

const SETTLED = new Date("2026-11-29T12:00:00Z");
const after = (hours: number) => new Date(SETTLED.getTime() + hours * 3_600_000);
const pass = (part: Partial<PassState> = {}): PassState => ({
  calls: 10,
  hours: null,
  callsTaken: 0,
  callsUnderWay: 0,
  callsFailed: 0,
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
  [{ callsTaken: 3 }, 0, "usable", 700n],
  [{ calls: 3, callsTaken: 1 }, 0, "usable", 666n],
  [{ callsTaken: 10 }, 0, "used_up", 0n],
  [{ isRefunded: true }, 0, "refunded", 0n],
  [{ isRefunded: false, callsTaken: 3 }, 0, "held", 700n],
  [{ calls: null, hours: 4 }, 0, "usable", 1_000n],
  [{ calls: null, hours: 4, callsTaken: 9_999 }, 1, "usable", 750n],
  [{ calls: null, hours: 4 }, 4, "over", 0n],
  [{ hours: 4, callsTaken: 9 }, 1, "usable", 100n],
  [{ hours: 4, callsTaken: 1 }, 3, "usable", 250n],
  [{ callsTaken: 10, callsFailed: 92 }, 0, "used_up", 200n],
  [{ callsTaken: 10, callsUnderWay: 3 }, 0, "used_up", 300n],
  // The clock of this server may be behind the chain's.
  [{ calls: null, hours: 4 }, -1, "usable", 1_000n],
])("of %j, after %s hours: %s, and %s of 1000 are unused", (part, hours, status, unused) => {
  expect(statusOf(pass(part), after(hours))).toBe(status);
  expect(unusedAmount(pass(part), toUsdc(1_000n), after(hours))).toBe(unused);
});

test.each<[Partial<PassState>, bigint]>([
  [{ callsTaken: 3 }, 700n],
  [{ calls: 3, callsTaken: 2 }, 333n],
  [{ callsTaken: 10 }, 0n],
  [{ callsTaken: 10, callsUnderWay: 3 }, 300n],
  // Failed calls that came back are not taken; nine times ten do, and those after them are paid back.
  [{ callsTaken: 3, callsFailed: 90 }, 700n],
  [{ callsTaken: 10, callsFailed: 92 }, 200n],
  [{ callsTaken: 10, callsFailed: 100 }, 1_000n],
  // Hours that have passed can be paid back, calls that were taken cannot.
  [{ calls: null, hours: 1, callsTaken: 99 }, 1_000n],
  [{ hours: 1, callsTaken: 5 }, 500n],
])("a refund of %j gives back at most %s of 1000", (part, most) => {
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
  expect(isAdmitted(admittedBy(sold), { ...sold, ...changed }, { method: "GET", path })).toBe(expected);
});

test("its terms differ with everything that a buyer agrees to, and only with that", () => {
  const offer = { calls: 10, hours: null, amount: "5", isRefundable: false };
  const sold: Pick<Upstream, "methods" | "paths"> = {
    methods: ["GET", "POST"],
    paths: [
      { path: "/a", amount: "1" },
      { path: "/b", amount: null },
    ],
  };
  const { methods, paths } = sold;
  const terms = termsOf(sold, offer);
  const others = [
    termsOf(sold, { ...offer, calls: 9 }),
    termsOf(sold, { ...offer, calls: null, hours: 10 }),
    termsOf(sold, { ...offer, hours: 1 }),
    termsOf(sold, { ...offer, amount: "6" }),
    termsOf(sold, { ...offer, isRefundable: true }),
    termsOf({ methods, paths: paths.slice(0, 1) }, offer),
    termsOf({ methods: ["GET"], paths }, offer),
  ];
  expect(new Set([terms, ...others]).size).toBe(8);
  const sameOffer = { methods: methods.toReversed(), paths: paths.map(({ path }) => ({ path, amount: "9" })) };
  expect(termsOf(sameOffer, offer)).toBe(terms);
  expect(terms).toMatch(/^[\w-]{22}$/);
});

test("its calls and hours are absent where they have no limit", () => {
  expect([callsLeft(pass({ callsTaken: 4 })), callsLeft(pass({ calls: null, hours: 1 }))]).toEqual([6, null]);
  expect([validUntil(pass()), validUntil(pass({ hours: 2 }))]).toEqual([null, after(2)]);
});

test.each([
  [{ calls: 1, hours: null }, "A pass for 1 call"],
  [{ calls: 1_000, hours: null }, "A pass for 1000 calls"],
  [{ calls: null, hours: 1 }, "A pass for 1 hour"],
  [{ calls: 50, hours: 24 }, "A pass for 50 calls in 24 hours"],
])("%j is called: %s", (limits, words) => {
  expect(passWords(limits)).toBe(words);
});
