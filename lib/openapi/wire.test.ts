import { describe, expect, test } from "vitest";
import { isRecord } from "@/lib/core/record";
import { EVENT_TYPES, entryOf } from "@/lib/webhooks/catalogue";
import { messageOf } from "@/lib/webhooks/messages";
import { openApi } from "./document";
import { ENDPOINTS } from "./endpoints";
import { isPaid } from "./failures";

type Node = Record<string, unknown>;
const document = openApi("https://wallet.test");

/** Every object of the document. */
const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(nodesIn)
    : isRecord(value)
      ? [value as Node, ...Object.values(value).flatMap(nodesIn)]
      : [];

test("no pattern uses a property of Unicode, which readers of patterns without the flag u read as letters", () => {
  const patterns = nodesIn(document).flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\p\{/i.test(pattern))).toEqual([]);
});

describe("a webhook's message", () => {
  const membersOf = (type: string): Record<string, Node> => {
    const { properties } =
      nodesIn(Reflect.get(document.webhooks, type)).find((node) => isRecord(node.properties)) ?? {};
    return (properties as { data: { properties: Record<string, Node> } }).data.properties;
  };

  test.each(Object.keys(document.webhooks))("%s has a type for each member", (type) => {
    for (const member of Object.values(membersOf(type))) expect(member.type).toBeDefined();
  });

  test("has the type that the document states for values that are no text", () => {
    const meta = { metadata: { a: "b" }, answers: { name: "Ada" }, quantity: 2 };
    const event = { subject: "lnk_1", agentId: null, createdAt: new Date(0), meta };
    const { data } = JSON.parse(messageOf({ ...event, type: "payment_link.paid" })?.body ?? "");
    const typeOf = (value: unknown) => (Number.isInteger(value) ? "integer" : typeof value);
    for (const name of Object.keys(meta))
      expect(membersOf("payment_link.paid")[name]?.type).toContain(typeOf(data[name]));
    expect(membersOf("payment_link.updated").changed?.type).toContain("array");
    expect(membersOf("mandate.narrowed").confirmPayees?.type).toContain("boolean");
  });

  test("lists what the catalogue lists", () => {
    for (const type of EVENT_TYPES) {
      const { subject, data } = entryOf(type);
      expect(Object.keys(membersOf(type))).toEqual([subject, "agentId", ...Object.keys(data)]);
    }
  });
});

test("payable operations, and only they, have MPP's x-payment-info and a 402", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const payable = operations.filter(({ operation }) => "x-payment-info" in operation);
  const paid = ENDPOINTS.filter(({ endpoint }) => isPaid(endpoint));
  const names = paid.map(({ endpoint: { method, path } }) => `${method} ${path}`);
  expect(payable.map(({ name }) => name).sort()).toEqual([...names, "GET /pay/{linkId}"].sort());
  for (const { operation } of payable) {
    expect(operation).toMatchObject({
      "x-payment-info": {
        offers: [
          { intent: "charge", method: "evm", amount: null, currency: expect.stringMatching(/^0x[\da-f]{40}$/i) },
        ],
      },
      responses: { 402: expect.anything() },
    });
  }
});

test("typed data in a response has the type of its domain", () => {
  const typed = nodesIn(document).flatMap(({ properties }) =>
    isRecord(properties) && isRecord(properties.primaryType) && isRecord(properties.types) ? [properties.types] : [],
  );
  expect(typed.length).toBeGreaterThan(5);
  for (const types of typed) expect(types.required).toContain("EIP712Domain");
  const examples = nodesIn(document).filter(
    ({ primaryType, types }) => typeof primaryType === "string" && isRecord(types),
  );
  expect(examples.length).toBeGreaterThan(2);
  for (const { domain, types } of examples)
    expect((types as { EIP712Domain: Node[] }).EIP712Domain.map(({ name }) => name)).toEqual(
      Object.keys(domain as Node),
    );
});
