import { expect, test } from "vitest";
import { csvLines } from "./csv";

test("CSV lines end as RFC 4180 requires, and characters that would split a cell are quoted", () => {
  expect(
    csvLines([
      ["a", "b,c"],
      ['say "hi"', "two\nlines"],
      [null, ""],
      ["", undefined],
    ]),
  ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n,\r\n,\r\n');
});

test.each([
  ["=HYPERLINK(0)", "'=HYPERLINK(0)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\uff1d1", "'\uff1d1"],
  ["\uff0b1", "'\uff0b1"],
  ["\uff0d1", "'\uff0d1"],
  ["\uff201", "'\uff201"],
  ["\tx", "'\tx"],
  ["\rx", '"\'\rx"'],
  [" =1", " '=1"],
  ["\u00a0=1", "\u00a0'=1"],
  ["\n=1", '"\n\'=1"'],
  ["\t=1", "'\t'=1"],
])("a spreadsheet formula is made harmless: %j", (hostile, inert) => {
  expect(csvLines([[hostile]])).toBe(`${inert}\r\n`);
});

test.each([
  ["Shop;=HYPERLINK(0)", "Shop;'=HYPERLINK(0)"],
  ["Shop; +1", "Shop; '+1"],
  ["Shop\t@SUM(A1)", "Shop\t'@SUM(A1)"],
  ['Shop;"=1"', '"Shop;""\'=1"""'],
  ["Shop;=1;=2", "Shop;'=1;'=2"],
])("a formula after a semicolon or tab, which may begin a cell, is made harmless: %j", (hostile, inert) => {
  expect(csvLines([[hostile]])).toBe(`${inert}\r\n`);
});

test("text that is no formula stays unchanged", () => {
  for (const text of ["Research agent", "a=b", "1+1", "me@example.com", "x - y", "a; b", "2026-11-20", "'quoted'"]) {
    expect(csvLines([[text]])).toBe(`${text}\r\n`);
  }
});

test("details are JSON that can be parsed back, and no semicolon in them begins a formula", () => {
  const details = { audience: "https://a.example/;=1\t+2", list: [1, null], quote: '"', says: "=1" };
  const line = csvLines([[details]]);
  expect(line).not.toContain(";");
  expect(line).not.toContain("\t");
  expect(JSON.parse(line.trimEnd().slice(1, -1).replaceAll('""', '"'))).toEqual(details);
});
