import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createLink, getLink, listLinks, updateLink } from "@/lib/links/contract";
import { getReceivedPayment, listLinkPayments } from "@/lib/links/received/contract";
import { createIntent } from "@/lib/mandates/contract";
import { createPayout } from "@/lib/payouts/contract";
import { endpointArguments, ownArguments } from "./arguments";
import { TOOLS } from "./handle";
import { amountText, idText } from "./tool";

const own = ownArguments(z.strictObject({ mandate_id: idText("mand_…").optional(), maxAmount: amountText }));

const invalid = (field: string, words: string) =>
  expect.objectContaining({
    code: "invalid_request",
    details: expect.objectContaining({ field, message: expect.stringContaining(words) }),
  });

test("an argument's name is accepted in camelCase and in snake_case", () => {
  const parsed = { mandate_id: "mand_1", maxAmount: "10" };
  expect(own.parse({ mandate_id: "mand_1", maxAmount: "10" })).toEqual(parsed);
  expect(own.parse({ mandateId: "mand_1", max_amount: "10" })).toEqual(parsed);
});

test.each([
  [{ maxAmount: "1.5" }, "maxAmount", "atomic USDC"],
  [{ maxAmount: 1 }, "maxAmount", "atomic USDC"],
  [{}, "maxAmount", "atomic USDC"],
  [{ maxAmount: "1", max_amount: "2" }, "", "max_amount"],
  [{ maxAmount: "1", other: 1 }, "", "other"],
  ["text", "", ""],
  [[], "", ""],
])("the arguments %j are refused with the field and the expected value", (args, field, words) => {
  expect(() => own.parse(args)).toThrow(invalid(field, words));
});

describe("the arguments of a tool for an endpoint", () => {
  const to = `0x${"a".repeat(40)}`;
  const endpoints = {
    createIntent,
    createLink,
    createPayout,
    getLink,
    getReceivedPayment,
    listLinkPayments,
    listLinks,
    updateLink,
  };
  const argumentsOf = (name: keyof typeof endpoints) => endpointArguments(endpoints[name]);

  test("become the endpoint's path, query, body and idempotency key, unchanged", () => {
    expect(argumentsOf("updateLink").parse({ link_id: "lnk_1", title: "A", maxUses: null })).toEqual({
      params: { linkId: "lnk_1" },
      json: { title: "A", maxUses: null },
      query: {},
    });
    expect(argumentsOf("listLinkPayments").parse({ linkId: "lnk_1", limit: 5, cursor: "7" })).toEqual({
      params: { linkId: "lnk_1" },
      query: { limit: "5", cursor: "7" },
    });
    expect(argumentsOf("createLink").parse({ amount: "1", idempotencyKey: "k" })).toEqual({
      params: {},
      json: { amount: "1" },
      query: {},
      idempotencyKey: "k",
    });
    expect(argumentsOf("getReceivedPayment").parse({ paymentId: 7 })).toMatchObject({ params: { paymentId: "7" } });
  });

  test.each<[keyof typeof endpoints, unknown, string, string]>([
    ["createLink", {}, "amount", "atomic units"],
    ["createLink", { amount: "1", titel: "x" }, "titel", "not an argument"],
    ["createLink", { amount: "1", customAmount: { min: "1", max: "2", step: "1" } }, "customAmount.step", "not an"],
    ["createLink", { amount: "1", fields: [{ name: "a", label: "A", kind: "b" }] }, "fields.0.kind", "not an argument"],
    ["createLink", { amount: "1", __proto__: null, constructor: 1 }, "constructor", "not an argument"],
    ["createLink", { amount: "1", idempotencyKey: " " }, "idempotencyKey", ""],
    [
      "createIntent",
      { intent: { naturalLanguage: "x", limitAmount: "1", validForSeconds: 9, max: "1" } },
      "intent.max",
      "",
    ],
    ["createPayout", { payoutId: "a", toAddress: to }, "amount", "is needed"],
    ["updateLink", { linkId: "lnk_1", amount: "5" }, "amount", "cannot be changed"],
    ["listLinks", { limit: 51 }, "limit", "50"],
    ["listLinks", { limit: "5" }, "limit", ""],
    ["getLink", { linkId: "a/b" }, "linkId", ""],
    ["getLink", "text", "", "object"],
    ["getLink", [], "", "object"],
  ])("of %s are refused for %j at %s", (name, args, field, words) => {
    expect(() => argumentsOf(name).parse(args)).toThrow(invalid(field, words));
  });

  test("can be narrowed for models", () => {
    const payout = endpointArguments(createPayout, { required: ["payoutId"], omitted: ["agentId"] });
    expect(payout.schema().required).toContain("payoutId");
    for (const payoutId of [undefined, null])
      expect(() => payout.parse({ payoutId, toAddress: to, amount: "1" })).toThrow(invalid("payoutId", "is needed"));
    expect(() => payout.parse({ payoutId: "a", toAddress: to, amount: "1", agentId: "x" })).toThrow(
      invalid("agentId", "not an argument"),
    );
  });
});

test.each([
  ["scan_prompt", {}, "text", "is needed"],
  ["scan_prompt", { text: "a", prompt: "a" }, "prompt", "not an argument"],
  ["scan_transaction", { context: "a" }, "", "to or data"],
  ["scan_transaction", { to: "0x", maxAmount: "0.5" }, "maxAmount", "atomic USDC"],
  ["scan_payment", { paymentRequired: {}, expected: { maxAmount: "1" } }, "expected.maxAmount", "not an argument"],
])("%s has the endpoint's arguments and its own: %j is refused at %s", (name, args, field, words) => {
  const tool = TOOLS.find((one) => one.name === name);
  expect(() => tool?.input.parse(args)).toThrow(invalid(field, words));
});

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  "the tool %s has a JSON Schema without references",
  (_, tool) => {
    const schema = tool.input.schema();
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    expect(() => ajv.compile(schema)).not.toThrow();
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(schema)).not.toContain("$ref");
  },
);
