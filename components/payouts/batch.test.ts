import { expect, test } from "vitest";
import { bodyOf, readBatch, resultFile, TEMPLATE, totalsOf } from "./batch";

const ALICE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HEAD = "payout_id,to_address,amount,network,description,biz_id";

test("a file of payouts is read with separate totals for each network", () => {
  const { rows, faults } = readBatch(
    `${HEAD}\na-1,${ALICE.toLowerCase()},12.5,,"Work, November",\na-2,${ALICE},0.000001,eip155:84532,,INV-2\na-3,${ALICE},1,base,,\n`,
  );
  expect(faults).toEqual([]);
  expect(rows.map(bodyOf)).toEqual([
    { payoutId: "a-1", toAddress: ALICE, amount: "12500000", network: "base", description: "Work, November" },
    { payoutId: "a-2", toAddress: ALICE, amount: "1", network: "base-sepolia", bizId: "INV-2" },
    { payoutId: "a-3", toAddress: ALICE, amount: "1000000", network: "base" },
  ]);
  expect(totalsOf(rows)).toEqual([
    { network: "base", sum: 13_500_000n, count: 2 },
    { network: "base-sepolia", sum: 1n, count: 1 },
  ]);
});

test("the columns of a file may be in any order, and optional columns may be missing", () => {
  const { rows } = readBatch(`Amount; to_address ;PAYOUT_ID\r\n1.5;${ALICE};x\r\n`);
  expect(rows).toMatchObject([{ line: 2, payoutId: "x", amount: 1_500_000n, network: "base" }]);
});

test("each invalid row is reported with its line, field and reason, and the other rows are still read", () => {
  const { rows, faults } = readBatch(
    [
      HEAD,
      `,${ALICE},1,,,`,
      `a b,${ALICE},1,,,`,
      `c,0x12,1,,,`,
      `d,${ALICE.replace("C8", "C9")},1,,,`,
      `e,${ALICE},"1,50",,,`,
      `f,${ALICE},-1,polygon,,`,
      `g,${ALICE},1`,
      `h,${ALICE},1,,${"x".repeat(501)},${"y".repeat(101)}`,
      `ok,${ALICE},1,,,`,
      `ok,${ALICE},1,,,`,
    ].join("\n"),
  );
  expect(rows.map(({ payoutId }) => payoutId)).toEqual(["ok"]);
  expect(faults.map(({ line, field }) => [line, field])).toEqual([
    [2, "payout_id"],
    [3, "payout_id"],
    [4, "to_address"],
    [5, "to_address"],
    [6, "amount"],
    [7, "amount"],
    [7, "network"],
    [8, null],
    [9, "description"],
    [9, "biz_id"],
    [11, "payout_id"],
  ]);
  expect(faults.at(-1)?.reason).toBe("It is already on line 10.");
});

test.each([
  ["", "file is empty"],
  ["payout_id,amount\n", "Missing: to_address"],
  [`${HEAD},iban\n`, "“iban”"],
  [`${HEAD},amount\n`, "twice"],
  [`${HEAD}\n`, "There are no rows"],
  [`${HEAD}\n"open`, "is not closed"],
  [`${HEAD}\n${"a,b,1,,,\n".repeat(5_001)}`, "more than 5000 rows"],
])("a file in an invalid format is refused as a whole: %#", (text, reason) => {
  const { rows, faults } = readBatch(text);
  expect(rows).toEqual([]);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.reason).toContain(reason);
});

test("the template has the expected columns, and is not a valid payout itself", () => {
  const { rows, faults } = readBatch(TEMPLATE);
  expect(rows).toEqual([]);
  expect(faults.map(({ line, field }) => [line, field])).toEqual([[2, "to_address"]]);
});

test("the file of results contains no spreadsheet formula", () => {
  const row = { line: 2, payoutId: "a", result: "refused", reason: '=1+1, "x"', recordId: "" };
  expect(resultFile([row])).toBe(`line,payout_id,result,reason,record_id\r\n2,a,refused,"'=1+1, ""x""",\r\n`);
});
