import { describe, expect, test } from "vitest";
import { fingerprintOf, isPathPattern, type PaidRequest } from "../rules";
import { isToolName, toolAt, toolPath } from "./names";
import { argumentsIn, isCheckable, toToolRequest } from "./rules";

const request = (text: string, change: Partial<PaidRequest> = {}): PaidRequest => ({
  method: "POST",
  path: "/forecast",
  search: "",
  headers: {},
  body: Buffer.from(text),
  ...change,
});

describe("the name of a tool", () => {
  test.each(["forecast", "a", "get_weather.v2-beta", "x".repeat(128), "..."])("can be sold as a path: %s", (name) => {
    expect([isToolName(name), isPathPattern(toolPath(name)), toolAt(toolPath(name))]).toEqual([true, true, name]);
  });

  test.each(["", ".", "..", "a/b", "{city}", "a b", "é", "a;b", "%2e", "x".repeat(129)])("is refused: %j", (name) => {
    expect(isToolName(name)).toBe(false);
  });
});

describe("the arguments of a call", () => {
  test("are the same in any order and with any query and type of the body, and others are another call", () => {
    const call = fingerprintOf(toToolRequest(request('{"a":1,"b":{"c":2,"d":3}}')));
    const reordered = request('{ "b": {"d":3,"c":2}, "a": 1 }', {
      search: "?x=1",
      headers: { "content-type": "text/json" },
    });
    expect(fingerprintOf(toToolRequest(reordered))).toBe(call);
    expect(fingerprintOf(toToolRequest(request('{"a":1,"b":{"c":2}}')))).not.toBe(call);
    expect(fingerprintOf(toToolRequest(request('{"a":1,"b":{"c":2,"d":3}}', { path: "/other" })))).not.toBe(call);
  });

  test("are none in an empty body, and always an object", () => {
    expect(argumentsIn(request(""))).toEqual({});
    for (const text of ["[]", "1", "null", '"a"', "{", '{"a":1,"a":2}', '{"__proto__":1}'])
      expect(() => argumentsIn(request(text))).toThrow(expect.objectContaining({ code: "invalid_json" }));
  });
});

test.each([
  [[1, { a: 2 }], 4, true],
  [[1, { a: 2 }], 3, false],
  ["a".repeat(10), 1, true],
  [Array.from({ length: 1_000_000 }, () => null), 1_000, false],
])("the values in JSON are counted", (value, valuesMax, isFew) => {
  expect(isCheckable(value, valuesMax)).toBe(isFew);
});
