import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonError, parseForeignJson, parseJson } from "./json";

const faultOf = (text: string): string | null => {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    if (error instanceof JsonError) return error.fault;
    throw error;
  }
};

const RESERVED = new Set(["__proto__", "constructor", "prototype"]);
/** Any JSON value without reserved member names. */
const json = fc.jsonValue({ maxDepth: 8 }).filter((value) => !hasReserved(value));

function hasReserved(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => RESERVED.has(name) || hasReserved(member));
}

describe("JSON with duplicate members, which two readers could understand differently,", () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"\\u0061":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"\\/":1,"/":2}',
    '{"x":{"a":1,"a":2}}',
    '[[[{"x":[{"a":1,"a":2}]}]]]',
    '{ "a" : 1 , "a" : 2 }',
    '{"a":{"b":1},"c":[],"a":"}"}',
    '{"é":1,"\\u00e9":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
  ])("is refused: %s", (text) => {
    expect(faultOf(text)).toBe("duplicate_key");
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":":","b":"\\\\"}',
    '{"a":1,"A":2}',
    '{"a":1,"a ":2}',
  ])("is distinguished from JSON without duplicates: %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("is refused at any depth", () => {
    fc.assert(
      fc.property(json, fc.string(), json, json, (outer, name, a, b) => {
        fc.pre(!RESERVED.has(name));
        const twice = `{${JSON.stringify(name)}:${JSON.stringify(a)},${JSON.stringify(name)}:${JSON.stringify(b)}}`;
        expect(faultOf(`[${JSON.stringify(outer)},${twice}]`)).toBe("duplicate_key");
      }),
    );
  });
});

describe("JSON with a member name that reaches a prototype", () => {
  test.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"a":{"__proto__":null}}',
    '[{"constructor":{"prototype":{}}}]',
    '{"prototype":1}',
    '{"__pro\\u0074o__":1}',
  ])("is refused: %s", (text) => {
    expect(faultOf(text)).toBe("reserved_key");
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });

  test("is accepted if the name occurs only in a value", () => {
    expect(parseJson('{"a":"__proto__"}')).toEqual({ a: "__proto__" });
  });
});

test.each([
  "",
  " ",
  "{",
  "{}}",
  "{'a':1}",
  "{a:1}",
  '{"a":1,}',
  "[1,]",
  "NaN",
  "undefined",
  "01",
  "+1",
  "1.",
  '"\u0001"',
  '"\\x"',
  "\ufeff{}",
  "{}\u0000",
  "{} {}",
  "//x\n{}",
])("invalid JSON like %j is a syntax error", (text) => {
  expect(faultOf(text)).toBe("syntax");
});

test("the parser agrees with JSON.parse on all JSON without duplicate or reserved names", () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("the parser accepts 32 levels of nesting and no more, of any kind", () => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
  expect(faultOf(nested(32, "[", "]"))).toBeNull();
  expect(faultOf(nested(33, "[", "]"))).toBe("too_deep");
  expect(faultOf(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`)).toBe("too_deep");
  expect(faultOf(nested(10_000, "[", "]"))).toBe("too_deep");
  expect(faultOf(`[${"[],".repeat(10_000)}[]]`)).toBeNull();
});

test("the parser's time grows linearly with the length of the text", () => {
  const SHORT = 2 ** 14;
  const TIMES = 64;
  /** Linear time would give 1, quadratic time 64; caches and a busy machine add some. */
  const GROWTH_MAX = 24;
  const shapes: Record<string, (size: number) => string> = {
    "one string": (size) => `"${"a".repeat(size)}"`,
    escapes: (size) => `"${"\\\\".repeat(size / 2)}"`,
    "many members": (size) => `{${Array.from({ length: size / 13 }, (_, index) => `"k${index}":0`).join(",")}}`,
    "many objects": (size) => `[${'{"a":1},'.repeat(size / 9)}0]`,
    "many brackets": (size) => `[${"[],".repeat(size / 3)}0]`,
  };
  const shortest = (text: string) => {
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      expect(faultOf(text)).toBeNull();
      return performance.now() - started;
    });
    return Math.min(...times);
  };
  for (const [shape, textOf] of Object.entries(shapes)) {
    const [short, long] = [shortest(textOf(SHORT)), shortest(textOf(TIMES * SHORT))];
    expect(long / TIMES / Math.max(short, 0.05), shape).toBeLessThan(GROWTH_MAX);
  }
});

describe("JSON of a third party that is only inspected", () => {
  test("may have member names that reach a prototype, without reaching one", () => {
    const value = parseForeignJson('{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}');
    expect(Object.keys(Object(value))).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each(['{"a":1,"a":2}', '{"__proto__":1,"__proto__":2}', `${"[".repeat(33)}${"]".repeat(33)}`, "{"])(
    "follows all other rules: %s is refused",
    (text) => {
      expect(() => parseForeignJson(text)).toThrow(JsonError);
    },
  );
});
