import { scanX402 } from "@tessera/firewall";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { JsonError, parseJson } from "@/lib/core/json";
import { isRecord } from "@/lib/core/record";
import { PROMPT_LENGTH_MAX, promptRequest, transactionRequest, x402Request } from "./requests";

const saidOf = (schema: z.ZodType, body: unknown): string | null => {
  const issue = schema.safeParse(body).error?.issues[0];
  return issue ? [issue.path.join("."), issue.message].filter(Boolean).join(": ") : null;
};

const NOT_OBJECTS = [null, [], "text", 5, true];
const TO = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

describe("a request to scan a transaction", () => {
  test.each<[name: string, body: unknown]>([
    ["a destination alone", { to: TO }],
    ["calldata alone", { data: "0x" }],
    ["an empty destination", { to: "" }],
    ["what is not well-formed", { to: "me", data: "0xabc", valueWei: "-1", amount: "much" }],
    ["aliases that disagree", { to: TO, chainId: 1, chain_id: 2, value: "1", valueWei: "2" }],
    ["a chain by its other names", { to: TO, chainID: "0x1", networkId: 1, chain: { id: 1 } }],
    ["null for what is absent", { to: null, data: "0x", context: null, chainId: null }],
  ])("is accepted and judged by the scan with %s", (_name, body) => {
    expect(transactionRequest.parse(body)).toEqual(body);
  });

  test("may have unknown members, which are ignored", () => {
    expect(transactionRequest.parse({ to: TO, gas: 21_000, nonce: "1" })).toEqual({ to: TO });
  });

  test.each<[body: unknown, said: string]>([
    [{}, "to or data is required"],
    [{ to: null, chainId: 1 }, "to or data is required"],
    [{ to: 5 }, "to: must be a text"],
    [{ to: [TO] }, "to: must be a text"],
    [{ to: TO, data: 0 }, "data: must be a text"],
    [{ to: TO, valueWei: 0 }, "valueWei: must be a text"],
    [{ to: TO, value: 1 }, "value: must be a text"],
    [{ to: TO, amount: 1_000_000 }, "amount: must be a text"],
    [{ to: TO, context: {} }, "context: must be a text"],
    [{ to: TO, functionName: false }, "functionName: must be a text"],
    [{ to: TO, chainId: "8453" }, "chainId: must be a whole number"],
    [{ to: TO, chain_id: 1.5 }, "chain_id: must be a whole number"],
    [{ to: TO, chainId: 1e300 }, "chainId: must be a whole number"],
    [{ to: TO, authorizationList: {} }, "authorizationList: must be a list"],
    ...NOT_OBJECTS.map((body) => [body, "must be an object"] as [unknown, string]),
  ])("is refused for %j: %s", (body, message) => {
    expect(saidOf(transactionRequest, body)).toBe(message);
  });
});

describe("a request to scan an x402 requirement", () => {
  test.each<[name: string, body: unknown]>([
    ["an object", { paymentRequired: { x402Version: 1, accepts: [] } }],
    ["a body that is no object", { paymentRequired: "<html>" }],
    ["a body that is null", { paymentRequired: null, expected: null }],
    ["an expectation that is not well-formed", { paymentRequired: {}, expected: { maxAmountAtomic: "much" } }],
    ["members it does not know", { paymentRequired: {}, xPaymentB64: "e30=", expected: { note: 1 } }],
  ])("is accepted and judged by the scan with %s", (_name, body) => {
    expect(x402Request.parse(body)).toEqual(body);
  });

  test.each<[body: unknown, said: string]>([
    [{}, "paymentRequired is required"],
    [{ expected: {} }, "paymentRequired is required"],
    [{ paymentRequired: {}, expected: "cheap" }, "expected: must be an object"],
    [{ paymentRequired: {}, expected: { maxAmountAtomic: 5 } }, "expected.maxAmountAtomic: must be a text"],
    [{ paymentRequired: {}, expected: { network: 8453 } }, "expected.network: must be a text"],
    ...NOT_OBJECTS.map((body) => [body, "must be an object"] as [unknown, string]),
  ])("is refused for %j: %s", (body, message) => {
    expect(saidOf(x402Request, body)).toBe(message);
  });

  test("is accepted with ten thousand options", () => {
    const paymentRequired = { x402Version: 1, accepts: Array(10_000).fill({ scheme: "exact" }) };
    expect(scanX402(x402Request.parse({ paymentRequired })).verdict).toBe("block");
  });
});

describe("a request to scan a text", () => {
  test.each<[body: unknown, input: unknown]>([
    [{ text: "hello" }, { text: "hello" }],
    [
      { prompt: "hello", source: "mail" },
      { text: "hello", source: "mail" },
    ],
    [{ text: "hello", prompt: "hello", source: null, lang: "en" }, { text: "hello" }],
    [{ text: null, prompt: "" }, { text: "" }],
  ])("reads %j as %j", (body, input) => {
    expect(promptRequest.parse(body)).toEqual(input);
  });

  test.each(["a", "é", "字", "😀"])("has at most 24,000 characters, and %s counts as one", (character) => {
    const longest = character.repeat(PROMPT_LENGTH_MAX);
    expect(promptRequest.parse({ text: longest })).toEqual({ text: longest });
    expect(saidOf(promptRequest, { text: `${longest}a` })).toBe("text: must have at most 24000 characters");
  });

  test.each<[body: unknown, said: string]>([
    [{}, "text is required"],
    [{ text: null }, "text is required"],
    [{ source: "mail" }, "text is required"],
    [{ text: "a", prompt: "b" }, "text and its alias prompt disagree"],
    [{ text: "a", prompt: "" }, "text and its alias prompt disagree"],
    [{ text: 5 }, "text: must be a text"],
    [{ prompt: ["a"] }, "prompt: must be a text"],
    [{ text: "a", source: 5 }, "source: must be a text"],
    [{ text: "a\ud800" }, "text: must be Unicode without lone surrogates"],
    [{ prompt: "\udc00\ud800" }, "prompt: must be Unicode without lone surrogates"],
    ...NOT_OBJECTS.map((body) => [body, "must be an object"] as [unknown, string]),
  ])("is refused for %j: %s", (body, message) => {
    expect(saidOf(promptRequest, body)).toBe(message);
  });
});

test("member names that reach a prototype reach none, and hide no other member", () => {
  const body = JSON.parse('{"__proto__":{"to":"0x","text":"a","paymentRequired":{}},"constructor":{"prototype":{}}}');
  expect(saidOf(transactionRequest, body)).toBe("to or data is required");
  expect(saidOf(promptRequest, body)).toBe("text is required");
  expect(saidOf(x402Request, body)).toBe("paymentRequired is required");
  const read = x402Request.parse({ ...body, paymentRequired: body });
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(read.paymentRequired).toBe(body);
});

describe("a request body that readers could understand differently", () => {
  test.each<[name: string, text: string, said: string]>([
    ["nested 10,000 deep", `{"paymentRequired":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "nested too deeply"],
    ["a member twice", '{"text":"a","text":"b"}', "contains a duplicate member"],
    ["a prototype", '{"to":"","__proto__":{"data":"0x"}}', "reserved member name"],
    ["no JSON", '{"text":"a"', "not valid JSON"],
  ])("is refused before its schema is checked: %s", (_name, text, message) => {
    expect(() => parseJson(text)).toThrow(JsonError);
    expect(() => parseJson(text)).toThrow(message);
  });
});

/** Validates with the part of JSON Schema that the requests use; throws for an unknown keyword. */
function isValid(schema: unknown, value: unknown): boolean {
  return Object.entries(isRecord(schema) ? schema : {}).every(([keyword, said]) => {
    const rule = KEYWORDS[keyword];
    if (!rule) throw new Error(`unexpected keyword: ${keyword}`);
    return rule(said, value);
  });
}

const KEYWORDS: Record<string, (said: unknown, value: unknown) => boolean> = {
  $schema: () => true,
  description: () => true,
  type: (said, value) => [said].flat().some((type) => isOfType(type, value)),
  properties: (said, value) =>
    !isRecord(value) ||
    !isRecord(said) ||
    Object.entries(said).every(([name, schema]) => !Object.hasOwn(value, name) || isValid(schema, value[name])),
  additionalProperties: (said) => isRecord(said) && Object.keys(said).length === 0,
  items: (said, value) => !Array.isArray(value) || value.every((item) => isValid(said, item)),
  required: (said, value) =>
    !isRecord(value) || (Array.isArray(said) && said.every((name) => Object.hasOwn(value, name))),
  anyOf: (said, value) => Array.isArray(said) && said.some((schema) => isValid(schema, value)),
  minimum: (said, value) => typeof value !== "number" || value >= Number(said),
  maximum: (said, value) => typeof value !== "number" || value <= Number(said),
  maxLength: (said, value) => typeof value !== "string" || [...value].length <= Number(said),
};

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isRecord(value) : typeof value === type;
}

describe("the JSON Schema in the discovery document accepts exactly what the endpoint accepts, for", () => {
  const values = [null, "", "a", "8453", 0, 8453, 1.5, 1e300, true, [], {}, ["a"], { network: null }, { payTo: 5 }];
  const eachMember = (names: readonly string[], base: Record<string, unknown>) =>
    names.flatMap((name) => values.flatMap((value) => [{ [name]: value }, { ...base, [name]: value }]));
  const long = "é".repeat(PROMPT_LENGTH_MAX);

  test.each<[name: string, schema: z.ZodType, bodies: readonly unknown[]]>([
    [
      "transaction",
      transactionRequest,
      [
        ...eachMember(
          ["chainId", "chain_id", "to", "data", "valueWei", "value", "function", "functionName", "amount", "context"],
          { to: TO },
        ),
        ...eachMember(["authorizationList", "gas"], { data: "0x" }),
        ...[
          { to: null, data: null },
          { to: null, data: "" },
          { to: "", data: null },
        ],
      ],
    ],
    ["x402", x402Request, eachMember(["paymentRequired", "expected", "note"], { paymentRequired: null })],
    [
      "prompt",
      promptRequest,
      [
        ...eachMember(["source", "note"], { text: "a" }),
        ...eachMember(["text"], { prompt: null }),
        ...eachMember(["prompt"], { text: null }),
        ...[
          { text: null, prompt: null },
          { text: "a", prompt: "a" },
          { text: "a", prompt: null },
        ],
        ...[{ text: long }, { text: `${long}a` }, { prompt: `${long}a` }],
      ],
    ],
  ])("a %s scan", (_name, schema, bodies) => {
    const jsonSchema = z.toJSONSchema(schema, { io: "input" });
    const all = [...bodies, ...NOT_OBJECTS, {}];
    const read = all.map((body) => schema.safeParse(body).success);
    expect(all.map((body) => isValid(jsonSchema, body))).toEqual(read);
    expect(new Set(read)).toEqual(new Set([true, false]));
  });

  test("all scans, and describes in words what JSON Schema cannot express: equal aliases and well-formed text", () => {
    const { properties } = z.toJSONSchema(promptRequest, { io: "input" });
    expect(properties).toMatchObject({
      text: { description: expect.stringContaining("lone surrogates") },
      prompt: { description: expect.stringContaining("disagree") },
    });
  });
});
