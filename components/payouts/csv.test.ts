import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, parseCsv } from "./csv";

const cellsIn = (text: string) => {
  const read = parseCsv(text);
  return read.type === "valid" ? read.lines.map(({ cells }) => cells) : read;
};

test.each([
  [
    "a,b\r\n1,2\r\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\r1,2\r",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "\ufeffa;b\r\n1;2,5\r\n",
    [
      ["a", "b"],
      ["1", "2,5"],
    ],
  ],
  [
    'a,b\n"x, ""y""\nz",2\n',
    [
      ["a", "b"],
      ['x, "y"\nz', "2"],
    ],
  ],
  [
    "a,b\n,\n\n1,\n",
    [
      ["a", "b"],
      ["1", ""],
    ],
  ],
  ['"",x', [["", "x"]]],
  ["", []],
])("the CSV text %j is read as its records", (text, cells) => {
  expect(cellsIn(text)).toEqual(cells);
});

test("a record knows the line on which it begins, also after quoted line breaks", () => {
  const read = parseCsv('a,b\n"1\r\n2",x\n\n3,y\n');
  expect(read.type === "valid" && read.lines.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test.each([
  ['a\n"open', { line: 2, fault: "A quoted cell is not closed." }],
  ['a\nb\n"x"y\n', { line: 3, fault: "A quoted cell is followed by more text." }],
  ['a\nx"y"\n', { line: 2, fault: "A cell that is not quoted contains a quote." }],
])("the CSV text %j is refused with the position of its error", (text, fault) => {
  expect(parseCsv(text)).toEqual({ type: "invalid", ...fault });
});

test("written CSV is read back unchanged, except for formulas", () => {
  const cell = fc.string({ unit: fc.constantFrom(..."ab1,;\"'\n\r =+-@\t".split("")) });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 4 }), (rows) => {
      // A first record of our own names the separator.
      const text = [["id", "to", "of"], ...rows].map(csvLine).join("");
      const safe = rows.map((row) => row.map((each) => (/^[=+\-@\t\r]/.test(each) ? `'${each}` : each)));
      expect(cellsIn(text)).toEqual([
        ["id", "to", "of"],
        ...safe.filter((row) => row.some((each) => each.trim() !== "")),
      ]);
    }),
  );
});
