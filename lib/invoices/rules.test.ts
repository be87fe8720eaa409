import { describe, expect, test } from "vitest";
import { toUsdc, type Usdc } from "@/lib/core/usdc";
import {
  daysUntil,
  endOf,
  isPercent,
  isQuantity,
  lastAfter,
  numberText,
  plainDecimal,
  readNumber,
  stateOf,
  stepOf,
  type Tax,
  totalsOf,
} from "./rules";

const usdc = (atomic: bigint | number): Usdc => toUsdc(BigInt(atomic));
const line = (quantity: string, unitAmount: bigint | number) => ({
  description: "x",
  quantity,
  unitAmount: usdc(unitAmount),
});
const percent = (of: string) => ({ label: "VAT", percent: of });

describe("quantities and percentages", () => {
  test.each(["1", "0.001", "999999999.999", "1.5", "10", "0.50"])("accept %s as a quantity", (text) => {
    expect(isQuantity(text)).toBe(true);
  });
  test.each(["0", "0.000", "-1", "+1", "1.", ".5", "01", "1e3", "1,5", "1.2345", "1000000000", "", " 1", "1\n", "１"])(
    "reject %j as a quantity",
    (text) => {
      expect(isQuantity(text)).toBe(false);
    },
  );
  test.each(["0", "7.7", "19", "8.125", "99.999", "100", "100.000"])("accept %s as a percentage", (text) => {
    expect(isPercent(text)).toBe(true);
  });
  test.each(["-1", "100.001", "101", "1000", "07", "7,7", "7.1234", "", "1e1", "19%", "19\n"])(
    "reject %j as a percentage",
    (text) => {
      expect(isPercent(text)).toBe(false);
    },
  );
  test.each([
    ["1.50", "1.5"],
    ["2.000", "2"],
    ["100", "100"],
    ["0.001", "0.001"],
  ])("write %s as %s", (text, plain) => {
    expect(plainDecimal(text)).toBe(plain);
  });
});

describe("the sums of an invoice", () => {
  const sumsOf = (lines: Parameters<typeof totalsOf>[0], tax: Tax | null = null) => {
    const sums = totalsOf(lines, tax);
    if (sums.type === "unpayable") throw new Error("no total");
    return { lines: sums.lines.map(({ amount }) => amount), tax: sums.tax, total: sums.total };
  };

  test("are in whole cents: each line and a tax in percent are rounded half up", () => {
    expect(sumsOf([line("1", 134_380_000)], percent("23"))).toEqual({
      lines: [134_380_000n],
      tax: 30_910_000n,
      total: 165_290_000n,
    });
    expect(sumsOf([line("2.375", 12_500_000), line("0.5", 10_000), line("0.499", 10_000)]).lines).toEqual([
      29_690_000n,
      10_000n,
      0n,
    ]);
    expect(sumsOf([line("1", 1_000_000)], percent("0.5")).tax).toBe(10_000n);
    expect(sumsOf([line("1", 1_000_000)], percent("0.499")).tax).toBe(0n);
    expect(sumsOf([line("1", 1_000_000)], { label: "VAT", amount: usdc(70_000) }).tax).toBe(70_000n);
  });

  test("are in atomic units if a price or a fixed tax is finer than a cent", () => {
    expect(stepOf([line("1", 10_000), line("1", 10_001)], null)).toBe(1n);
    expect(sumsOf([line("1", 134_380_001)], percent("23")).tax).toBe(30_907_400n);
    expect(sumsOf([line("2.375", 12_500_000)], { label: "VAT", amount: usdc(7) })).toEqual({
      lines: [29_687_500n],
      tax: 7n,
      total: 29_687_507n,
    });
    expect(sumsOf([line("1", 10)], percent("5")).tax).toBe(1n);
    expect(sumsOf([line("1", 9)], percent("5")).tax).toBe(0n);
  });

  test("refuse a line that is finer than an atomic unit", () => {
    expect(sumsOf([line("0.001", 1000)]).lines).toEqual([1n]);
    expect(totalsOf([line("0.001", 1001)], null)).toEqual({ type: "unpayable", line: 0 });
    expect(totalsOf([line("1.500", 1)], null)).toEqual({ type: "unpayable", line: 0 });
    expect(sumsOf([line("999999999.999", 10n ** 60n)]).lines).toEqual([999_999_999_999n * 10n ** 57n]);
  });

  test("have a total of exactly the lines and the tax, for many invoices", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 500; round++) {
      const lines = Array.from({ length: 1 + random(50) }, () =>
        line(`${1 + random(999)}.${String(random(1000)).padStart(3, "0")}`, (1n + BigInt(random(10 ** 9))) * 1000n),
      );
      const sums = totalsOf(lines, percent(`${random(100)}.${String(random(1000)).padStart(3, "0")}`));
      if (sums.type === "unpayable") throw new Error("no total");
      expect(sums.total).toBe(sums.lines.reduce((sum, { amount }) => sum + amount, 0n) + sums.tax);
      expect(sums.total).toBe(sums.subtotal + sums.tax);
    }
  });

  test("name the line that is too large, or the total", () => {
    expect(totalsOf([line("1", 1), line("0.5", 1)], null)).toEqual({ type: "unpayable", line: 1 });
    const most = 2n ** 256n - 1n;
    expect(totalsOf([line("1", most)], null)).toMatchObject({ total: most });
    expect(totalsOf([line("1", most), line("1", 1)], null)).toEqual({ type: "unpayable", line: null });
    expect(totalsOf([line("2", most)], null)).toEqual({ type: "unpayable", line: null });
    expect(totalsOf([line("1", most)], percent("0.001"))).toEqual({ type: "unpayable", line: null });
  });
});

describe("the state of an invoice", () => {
  const terms = { cancelledAt: null, dueDate: "2026-12-31", isPayableAfterDue: true };
  const before = new Date("2026-12-31T23:59:59.999Z");
  const after = new Date("2027-01-01T00:00:00Z");
  const cancelled = { ...terms, cancelledAt: before };

  test("follows the chain first, then the seller, then the calendar", () => {
    expect(stateOf(terms, null, before)).toBe("open");
    expect(stateOf(terms, null, after)).toBe("overdue");
    expect(stateOf({ ...terms, isPayableAfterDue: false }, null, after)).toBe("expired");
    expect(stateOf(terms, { isSettled: false }, after)).toBe("payment_under_way");
    expect(stateOf(terms, { isSettled: true }, after)).toBe("paid");
    expect(stateOf(cancelled, null, before)).toBe("cancelled");
    expect(stateOf(cancelled, { isSettled: false }, before)).toBe("payment_under_way");
    expect(stateOf(cancelled, { isSettled: true }, before)).toBe("paid");
  });

  test("changes at the end of calendar days in UTC", () => {
    expect(endOf("2026-12-31")).toEqual(after);
    expect(daysUntil("2026-12-31", before)).toBe(0);
    expect(daysUntil("2026-12-31", after)).toBe(-1);
    expect(daysUntil("2028-03-01", new Date("2028-02-28T12:00:00Z"))).toBe(2);
  });
});

describe("invoice numbers", () => {
  test("are read only in exactly the written form", () => {
    expect(numberText(2026, 1n)).toBe("INV-2026-0001");
    expect(numberText(2026, 12_345n)).toBe("INV-2026-12345");
    expect(readNumber("INV-2026-0042")).toEqual({ year: 2026, count: 42n });
    for (const count of [1n, 9999n, 10_000n, 12_345n, 999_999_999n, 1_000_000_000n, 10n ** 30n])
      expect(readNumber(numberText(2026, count))).toEqual({ year: 2026, count });
    for (const other of ["INV-2026-00042", "INV-2026-0000", "INV-2026-42", "inv-2026-0001", "INV-1999-0001", "7"])
      expect(readNumber(other)).toBeNull();
  });

  test("continue after a number that the seller chose, if it is near", () => {
    expect(lastAfter(8n, 41n)).toBe(41n);
    expect(lastAfter(8n, 108n)).toBe(108n);
    expect(lastAfter(8n, 109n)).toBe(8n);
    expect(lastAfter(8n, 999_999_999n)).toBe(8n);
    expect(lastAfter(8n, 3n)).toBe(8n);
  });
});
