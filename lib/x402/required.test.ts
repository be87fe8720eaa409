import { NETWORKS } from "@tessera/x402/networks";
import { describe, expect, test } from "vitest";
import { encodeHeader } from "./header";
import { requiredIn } from "./required";

const entry = {
  scheme: "exact",
  network: NETWORKS.base.caip2,
  amount: "5",
  asset: NETWORKS.base.usdc,
  payTo: `0x${"22".repeat(20)}`,
  maxTimeoutSeconds: 60,
};
const required = { x402Version: 2, resource: { url: "https://seller.example/r" }, accepts: [entry] };
const inHeader = (json: unknown) =>
  requiredIn({ headers: { "payment-required": encodeHeader(json) }, bytes: Buffer.from("") });
const inBody = (json: unknown) => requiredIn({ headers: {}, bytes: Buffer.from(JSON.stringify(json)) });

test("the returned bytes are exactly those that contained the payment requirements", () => {
  expect(inHeader(required)?.bytes.toString()).toBe(encodeHeader(required));
  expect(inBody(required)?.bytes.toString()).toBe(JSON.stringify(required));
});

test("an invalid x402 v2 header is ignored in favour of the body", () => {
  const headers = { "payment-required": encodeHeader({ ...required, resource: "https://seller.example/r" }) };
  expect(requiredIn({ headers, bytes: Buffer.from(JSON.stringify(required)) })?.accepts).toEqual([entry]);
});

test.each<[string, object]>([
  ["a resource that is a text", { resource: "https://seller.example/r" }],
  ["a description that is no text", { resource: { description: 5 } }],
  ["extensions that are a list", { extensions: [] }],
  ["accepts that are no list", { accepts: {} }],
])("a 402 with %s has no payment requirements", (_, change) => {
  expect(inHeader({ ...required, ...change })).toBeNull();
  expect(inBody({ ...required, ...change })).toBeNull();
});

describe("an offer is skipped", () => {
  test.each<[string, unknown]>([
    ["that is no object", "exact"],
    ["whose amount is a number", { ...entry, amount: 5 }],
    ["whose timeout is a text", { ...entry, maxTimeoutSeconds: "60" }],
    ["whose timeout is negative", { ...entry, maxTimeoutSeconds: -1 }],
    ["whose timeout has a fraction", { ...entry, maxTimeoutSeconds: 1.5 }],
    ["whose extra is a list", { ...entry, extra: [] }],
  ])("%s", (_, wrong) => {
    expect(inHeader({ ...required, accepts: [wrong, entry] })?.accepts).toEqual([entry]);
  });

  test("of x402 v1 if its description is no text", () => {
    const { amount: maxAmountRequired, ...rest } = entry;
    const v1 = { ...rest, maxAmountRequired };
    expect(inBody({ x402Version: 1, accepts: [{ ...v1, description: 5 }, v1] })?.accepts).toEqual([v1]);
  });
});
