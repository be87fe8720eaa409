import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { opensContent } from "./key";

const issued = "k".repeat(43);
const sale = { issued, nonce: `0x${"ab".repeat(32)}` } as const;

test("an issued content key grants access only to its own sale", () => {
  expect(opensContent(issued, sale)).toBe(true);
  expect(opensContent(issued, { ...sale, issued: "l".repeat(43) })).toBe(false);
});

test("the preimage of the signed nonce grants access to the content", () => {
  const secret = "0f".repeat(32);
  const nonce = `0x${createHash("sha256").update(secret).digest("hex")}` as const;
  expect(opensContent(secret, { ...sale, nonce })).toBe(true);
  expect(opensContent(secret, sale)).toBe(false);
});

test.each(["", "x", sale.nonce, sale.nonce.slice(2), "ab".repeat(32), "é".repeat(43), "k".repeat(42)])(
  "the text %j, which is not secret, grants no access to the content",
  (key) => {
    expect(opensContent(key, sale)).toBe(false);
  },
);
