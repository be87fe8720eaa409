import { afterEach, describe, expect, test, vi } from "vitest";
import { JsonError, parseJson } from "@/lib/core/json";
import { transactionRequest, x402Request } from "@/lib/firewall/requests";
import { buildRefusal, type Draft, EMPTY, readDraft } from "./drafts";
import { judge } from "./engine";

const LIMIT = 65_536;
const TO = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/** The playground's error for a draft; null when it gives a verdict. */
function refusalOf(draft: Draft): string | null {
  const reading = readDraft(draft, LIMIT);
  if (reading.type === "empty") return "empty";
  if (reading.type === "invalid") return Object.values(reading.faults).join();
  const judged = judge(reading.request);
  return judged.type === "invalid" ? judged.refusal : null;
}

/** Whether the service accepts the same body. */
function isRead(text: string, request: typeof transactionRequest | typeof x402Request): boolean {
  try {
    return request.safeParse(parseJson(text)).success;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

describe("the playground refuses exactly what the service refuses", () => {
  const members = [
    ["chainId", `8453`, `"8453"`, `1.5`, `1e300`, `null`],
    ["chain_id", `1`, `true`],
    ["to", `"${TO}"`, `"me"`, `""`, `5`, `null`, `["${TO}"]`],
    ["data", `"0x"`, `0`, `{}`],
    ["valueWei", `"1"`, `1`],
    ["value", `"-1"`, `1`],
    ["amount", `"much"`, `1000000`],
    ["context", `"a"`, `{}`],
    ["functionName", `null`, `false`],
    ["authorizationList", `[]`, `{}`, `"x"`],
    ["gas", `21000`],
    ["__proto__", `{}`],
  ] as const;
  const bodies = [
    ...members.flatMap(([name, ...values]) =>
      values.flatMap((value) => [`{"${name}":${value}}`, `{"data":"0x00","to":"","${name}":${value}}`]),
    ),
    ...["{}", "[]", "null", `"text"`, `{"to":"${TO}",}`, `{"data":"0x","more":{"a":1,"a":1}}`],
    `{"to":"${TO}","more":${"[".repeat(31)}${"]".repeat(31)}}`,
    `{"to":"${TO}","more":${"[".repeat(32)}${"]".repeat(32)}}`,
  ];

  test("for a transaction's JSON", () => {
    const played = bodies.map((json) => [json, refusalOf({ ...EMPTY.transaction, json }) === null]);
    expect(played).toEqual(bodies.map((json) => [json, isRead(json, transactionRequest)]));
    expect(new Set(played.map(([, isTaken]) => isTaken))).toEqual(new Set([true, false]));
  });

  test("for a 402 body", () => {
    const texts = ["null", "5", `"<html>"`, "[]", "{", `{"a":1,"a":1}`, `{"prototype":1}`, `{"accepts":[{}]}`];
    const played = texts.map((paymentRequired) => [
      paymentRequired,
      refusalOf({ ...EMPTY.x402, paymentRequired }) === null,
    ]);
    expect(played).toEqual(texts.map((text) => [text, isRead(`{"paymentRequired":${text}}`, x402Request)]));
  });

  test.each([
    [`{"to":"${TO}","chainId":"8453"}`, "chainId must be a whole number."],
    [`{"to":5}`, "to must be a text."],
    [`{"to":"${TO}","value":1}`, "value must be a text."],
    [`{"to":"${TO}","authorizationList":{}}`, "authorizationList must be a list."],
    [`{"to":null}`, "to or data is required."],
  ])("and explains %s in words: %s", (json, words) => {
    expect(refusalOf({ ...EMPTY.transaction, json })).toBe(words);
  });

  test.each<[Draft, string]>([
    [{ ...EMPTY.transaction, json: "{}" }, "json"],
    [EMPTY.x402, "paymentRequired"],
    [EMPTY.prompt, "text"],
  ])("and displays the error at its field", (draft, field) => {
    expect(buildRefusal(draft, "words")).toEqual({ type: "invalid", faults: { [field]: "words" } });
  });
});

describe("under a content policy without eval", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test("the scan engine never tries to compile code from text", async () => {
    const created = vi.fn();
    vi.stubGlobal(
      "Function",
      class extends Function {
        constructor(...code: string[]) {
          created(code);
          super(...code);
        }
      },
    );
    vi.resetModules();
    vi.stubGlobal("__zod_globalConfig", {});
    const engine = await import("./engine");
    engine.judge({ scanner: "transaction", body: { to: TO } });
    engine.judge({ scanner: "x402", body: { paymentRequired: {}, expected: {} } });
    engine.judge({ scanner: "prompt", body: { text: "a" } });
    expect(created).not.toHaveBeenCalled();
  });
});
