import { expect, test } from "vitest";
import { effectOf, loosens, payeeOf } from "./rules";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

test.each([
  [ADDRESS, ADDRESS],
  [` ${ADDRESS.toLowerCase()}\n`, ADDRESS],
  ["API.Example.com.", "api.example.com"],
  ["api.example.com:8443", "api.example.com:8443"],
  ["bücher.example", "xn--bcher-kva.example"],
  [ADDRESS.replace("C8", "c8"), null],
  [ADDRESS.slice(0, -1), null],
  ["0x70997970", null],
  [ADDRESS.slice(2), null],
  ["shop.eth", null],
  ["https://api.example.com", null],
  ["*.example.com", null],
  ["a b", null],
  ["", null],
])("%j is kept as %j", (text, payee) => {
  expect(payeeOf(text)).toBe(payee);
});

const current = { entries: new Set(["a.example"]), isAllowListOn: true };

test("a change counts only what it changes, and adding goes before removing", () => {
  expect(
    effectOf({ add: ["a.example", "b.example", "b.example"], remove: ["a.example", "c.example"] }, current),
  ).toEqual({
    added: ["b.example"],
    removed: [],
    turned: null,
  });
  expect(effectOf({ add: [], remove: ["a.example"], isAllowListOn: true }, current)).toEqual({
    added: [],
    removed: ["a.example"],
    turned: null,
  });
  expect(effectOf({ add: [], remove: [], isAllowListOn: false }, current).turned).toBe(false);
});

const effect = { added: [], removed: [], turned: null };
test.each([
  ["deny", { ...effect, added: ["a.example"] }, false],
  ["deny", { ...effect, removed: ["a.example"] }, true],
  ["allow", { ...effect, added: ["a.example"] }, true],
  ["allow", { ...effect, removed: ["a.example"] }, false],
  ["allow", { ...effect, turned: true }, false],
  ["deny", { ...effect, turned: false }, true],
  ["allow", effect, false],
] as const)("on the %s list, %o loosens: %s", (list, change, isLooser) => {
  expect(loosens(list, change)).toBe(isLooser);
});
