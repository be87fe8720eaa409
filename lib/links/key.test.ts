import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { contentKey, opensContent } from "./key";

const SECRET = "a secret of the service";
const sale = { id: newId("settlement"), nonce: `0x${"ab".repeat(32)}` } as const;

test("the key we told a buyer opens that sale and no other", () => {
  const key = contentKey(SECRET, sale.id);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(opensContent(key, SECRET, sale)).toBe(true);
  expect(opensContent(key, SECRET, { ...sale, id: newId("settlement") })).toBe(false);
  expect(opensContent(key, "another secret", sale)).toBe(false);
});

test("the secret behind the nonce that a buyer signed opens the sale", () => {
  const secret = "0f".repeat(32);
  const nonce = `0x${createHash("sha256").update(secret).digest("hex")}` as const;
  expect(opensContent(secret, SECRET, { ...sale, nonce })).toBe(true);
  expect(opensContent(secret, SECRET, sale)).toBe(false);
});

test.each(["", "x", sale.id, sale.nonce, sale.nonce.slice(2), "ab".repeat(32), "é".repeat(43)])(
  "%j, which anybody could know, opens nothing",
  (key) => {
    expect(opensContent(key, SECRET, sale)).toBe(false);
  },
);
