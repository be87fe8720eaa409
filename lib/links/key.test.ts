import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { opensContent } from "./key";

const issued = "k".repeat(43);
const sale = { issued, nonce: `0x${"ab".repeat(32)}` } as const;

test("the key we issued a buyer opens that sale and no other", () => {
  expect(opensContent(issued, sale)).toBe(true);
  expect(opensContent(issued, { ...sale, issued: "l".repeat(43) })).toBe(false);
});

test("the secret behind the nonce that a buyer signed opens the sale", () => {
  const secret = "0f".repeat(32);
  const nonce = `0x${createHash("sha256").update(secret).digest("hex")}` as const;
  expect(opensContent(secret, { ...sale, nonce })).toBe(true);
  expect(opensContent(secret, sale)).toBe(false);
});

test.each(["", "x", sale.nonce, sale.nonce.slice(2), "ab".repeat(32), "é".repeat(43), "k".repeat(42)])(
  "%j, which anybody could know, opens nothing",
  (key) => {
    expect(opensContent(key, sale)).toBe(false);
  },
);
