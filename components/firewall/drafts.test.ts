import { describe, expect, test } from "vitest";
import { type Draft, EMPTY, readDraft, type TransactionDraft, type TransactionFields, turnOver } from "./drafts";

const KB64 = 65_536;
const TO = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

const read = (draft: Draft, bodyBytesMax = KB64) => readDraft(draft, bodyBytesMax);
const form = (fields: Partial<TransactionFields>): TransactionDraft => ({
  ...EMPTY.transaction,
  fields: { ...EMPTY.transaction.fields, ...fields },
});
const json = (text: string): TransactionDraft => ({ ...EMPTY.transaction, json: text });
const body402 = (paymentRequired: string): Draft => ({ ...EMPTY.x402, paymentRequired });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const prompt = (text: string, source = ""): Draft => ({ scanner: "prompt", text, source });

describe("a draft in the playground becomes a request", () => {
  test("with the filled-in fields, and without the empty ones", () => {
    expect(read(form({ chainId: " 8453 ", to: ` ${TO}\n`, data: "0x", context: " a  b " }))).toEqual({
      type: "valid",
      request: { scanner: "transaction", body: { chainId: 8453, to: TO, data: "0x", context: "a  b" } },
    });
  });

  test("with the typed JSON, unchanged", () => {
    expect(read(json(`{"data":"0x","value":5,"more":[1]}`))).toEqual({
      type: "valid",
      request: { scanner: "transaction", body: { data: "0x", value: 5, more: [1] } },
    });
  });

  test("with a 402 body and the expectations", () => {
    const draft = {
      ...EMPTY.x402,
      paymentRequired: `{"x402Version":1}`,
      expected: { ...EMPTY.x402.expected, payTo: TO },
    };
    expect(read(draft)).toEqual({
      type: "valid",
      request: { scanner: "x402", body: { paymentRequired: { x402Version: 1 }, expected: { payTo: TO } } },
    });
  });

  test("with a 402 body nested as deep as the service allows", () => {
    expect(read(body402(nested(31)))).toMatchObject({ type: "valid" });
  });

  test("with a text, unchanged, up to the limit in code points", () => {
    const text = ` 🦊\n${"a".repeat(23_995)}🦊 `;
    expect(read(prompt(text, " mail "))).toEqual({
      type: "valid",
      request: { scanner: "prompt", body: { text, source: "mail" } },
    });
  });
});

test.each<[name: string, draft: Draft]>([
  ["a transaction", EMPTY.transaction],
  ["spaces", form({ to: "  " })],
  ["no JSON", json(" ")],
  ["a requirement", EMPTY.x402],
  ["a prompt", EMPTY.prompt],
])("an empty %s draft is not an error", (_, draft) => {
  expect(read(draft)).toEqual({ type: "empty" });
});

describe("an error in a draft is displayed at its field, in words", () => {
  test.each<[name: string, draft: Draft, field: string, words: string]>([
    ["a chain in words", form({ chainId: "base", to: TO }), "chainId", "whole number"],
    ["neither destination nor calldata", form({ valueWei: "1" }), "to", "destination or calldata"],
    ["JSON that ends early", json(`{"to":\n`), "json", "not JSON yet"],
    ["JSON that is a list", json("[]"), "json", "in braces"],
    ["a member named twice", json(`{"to":"${TO}","to":"0x"}`), "json", "named twice"],
    ["a member named twice in a 402 body", body402(`{"a":{"b":1,"b":1}}`), "paymentRequired", "named twice"],
    ["a member that reaches a prototype", json(`{"to":"","__proto__":{}}`), "json", "__proto__"],
    ["the same in a 402 body", body402(`{"constructor":1}`), "paymentRequired", "constructor"],
    ["more than one value", body402(`1},"paymentRequired":{`), "paymentRequired", "not JSON yet"],
    ["nested too deeply", body402(nested(20_000)), "paymentRequired", "too deeply"],
    ["nested one level too deeply", body402(nested(32)), "paymentRequired", "too deeply"],
    [
      "expectations alone",
      { ...EMPTY.x402, expected: { ...EMPTY.x402.expected, network: "base" } },
      "paymentRequired",
      "402",
    ],
    [
      "a character too many",
      prompt("🦊".repeat(24_001)),
      "text",
      "24,000 characters at most, and this text has 24,001",
    ],
    ["half a character", prompt("a\ud83e"), "text", "half a character"],
    ["a source alone", prompt("", "mail"), "text", "Paste"],
  ])("%s", (_, draft, field, words) => {
    const reading = read(draft);
    expect(reading).toMatchObject({ type: "invalid", faults: { [field]: expect.stringContaining(words) } });
  });

  test("for JSON, at the position where it breaks off", () => {
    expect(read(body402(`{\n  "a": 1,,\n  "b": 2 }`))).toEqual({
      type: "invalid",
      faults: { paymentRequired: "This is not JSON yet. See line 2, column 10." },
    });
  });

  test("for too many bytes, however few the characters", () => {
    const bytes = JSON.stringify({ text: "ü".repeat(100) }).length + 100;
    expect(read(prompt("ü".repeat(100)), bytes)).toMatchObject({ type: "valid" });
    expect(read(prompt("ü".repeat(100)), bytes - 1)).toMatchObject({ type: "invalid" });
    expect(read(form({ data: `0x${"00".repeat(40_000)}` }))).toMatchObject({
      faults: { to: "The service reads 64 KB at most, and this request has 79 KB." },
    });
  });
});

describe("a form and its JSON", () => {
  test("can be converted into each other", () => {
    const draft = form({ chainId: "8453", to: TO, context: "a" });
    const turned = turnOver(draft);
    expect(turned?.json).toBe(JSON.stringify({ chainId: 8453, to: TO, context: "a" }, null, 2));
    expect(turned && turnOver(turned)).toEqual(draft);
    expect(turnOver(json(" "))).toEqual(EMPTY.transaction);
  });

  test.each([`{"to":"0x"`, "[]", `{"more":"1"}`, `{"to":1}`, `{"chainId":1.5}`, `{"__proto__":"1"}`])(
    "stay in JSON if the form would lose something: %s",
    (text) => {
      expect(turnOver(json(text))).toBeNull();
    },
  );
});
