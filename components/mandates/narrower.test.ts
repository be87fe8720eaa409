import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import { type Change, type Draft, narrower, type Terms } from "./narrower";

const now = Date.parse("2030-01-01T00:00:00Z");
const asked: Terms = {
  limitAmount: toUsdc(25_000_000n),
  maxAmountPerPayment: null,
  maxAmountPerDay: null,
  maxAmountPerMonth: toUsdc(20_000_000n),
  validUntil: new Date(now + 100_000),
  hostAllowlist: ["a.example", "b.example"],
};
const draft: Draft = {
  limit: "25.00",
  month: "20.00",
  day: "",
  cap: "",
  ends: "keep",
  moment: "",
  hosts: "",
  removed: [],
};
const lower: Terms = { ...asked, limitAmount: toUsdc(5_000_000n), hostAllowlist: ["a.example"] };
const by = (change: Partial<Draft>, current = asked) => {
  const found = narrower({ asked, current }, { ...draft, ...change }, now);
  return found.type === "invalid" ? found.fault.field : found.change;
};

describe("the form that narrows a mandate", () => {
  test.each<[string, Change | string, Change | string]>([
    ["is nothing", by({}), {}],
    ["is nothing while it ends as it does", by({ ends: "asked" }), {}],
    ["lowers the limit", by({ limit: "21" }), { limitAmount: "21000000" }],
    ["leaves a cap that was not touched to the service", by({ limit: "10" }), { limitAmount: "10000000" }],
    ["adds a cap on a day", by({ day: "20" }), { maxAmountPerDay: "20000000" }],
    ["cannot have a day above its month", by({ day: "20.000001" }), "day"],
    ["cannot have a payment above its day", by({ day: "2", cap: "3" }), "cap"],
    ["cannot raise what was asked for", by({ month: "21" }), "month"],
    ["cannot raise the limit", by({ limit: "25.000001" }), "limit"],
    ["is an amount", by({ day: "much" }), "day"],
    ["takes hosts away", by({ removed: ["b.example"] }), { hostAllowlist: ["a.example"] }],
    ["leaves a host", by({ removed: ["a.example", "b.example"] }), "hosts"],
    ["can be undone", by({}, lower), { limitAmount: "25000000", hostAllowlist: ["a.example", "b.example"] }],
    [
      "takes a cap of the owner's away",
      by({}, { ...asked, maxAmountPerDay: toUsdc(1n), maxAmountPerMonth: toUsdc(1n) }),
      { maxAmountPerDay: null, maxAmountPerMonth: "20000000" },
    ],
    [
      "puts the end back",
      by({ ends: "asked" }, { ...asked, validUntil: new Date(now + 1_000) }),
      { validUntil: asked.validUntil.toISOString() },
    ],
  ])("%s", (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test("can switch to named hosts and back to any host", () => {
    const any = { ...asked, hostAllowlist: [] };
    const named = { ...any, hostAllowlist: ["a.example"] };
    const change = (hosts: string, current: Terms) => narrower({ asked: any, current }, { ...draft, hosts }, now);
    expect(change("a.example\nb.example", any)).toEqual({
      type: "valid",
      change: { hostAllowlist: ["a.example", "b.example"] },
    });
    expect(change("", named)).toEqual({ type: "valid", change: { hostAllowlist: [] } });
    expect(change("a.example", named)).toEqual({ type: "valid", change: {} });
    expect(change("http://nope", any)).toMatchObject({ type: "invalid", fault: { field: "hosts" } });
  });
});
