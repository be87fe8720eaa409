import { getAddress, type Hex, pad, toHex } from "viem";
import { expect, test } from "vitest";
import { checksummed } from "./chain/accounts.ts";
import { plainName } from "./x402/signed.ts";

/** More than fit into the cache, each of them twice. */
const MANY = Array.from({ length: 700 }, (_, index) => index % 350);

test("addresses are normalised to the same result, cached or not", () => {
  for (const index of MANY) {
    const address: Hex = pad(toHex(0xabcdef0123456789n * BigInt(index + 1)), { size: 20, dir: "right" });
    expect(checksummed(address)).toBe(getAddress(address));
    expect(checksummed(`0x${address.slice(2).toUpperCase()}`)).toBe(getAddress(address));
  }
});

test("names are normalised to the same result, cached or not", () => {
  for (const index of MANY) expect(plainName(`X-Pay_${index}`)).toBe(`xpay${index}`);
  expect([plainName("__proto__"), plainName("constructor"), plainName("x".repeat(65))]).toEqual([
    "proto",
    "constructor",
    "",
  ]);
});
