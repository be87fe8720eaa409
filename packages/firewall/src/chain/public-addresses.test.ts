import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress } from "./public-addresses.ts";

test.each<[chain: string, address: string, mistyped: string]>([
  ["Solana", "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNs"],
  ["Solana, with zeros", "So11111111111111111111111111111111111111112", "So111111111111111111111111111111111111111112"],
  ["EVM", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291"],
  [
    "Sui",
    "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC",
    "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC::more",
  ],
  ["Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6"],
  ["TON", "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs", "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt"],
  [
    "Stellar",
    "CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75",
    "CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI76",
  ],
])("an address of %s is told by its form, and its checksum if it has one", (_chain, address, mistyped) => {
  expect([isPublicAddress(address), isPublicAddress(mistyped)]).toEqual([true, false]);
});

test("every number of 32 bytes is one on Solana, and no other", () => {
  const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const encoded = (bytes: Uint8Array): string => {
    let number = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
    let text = "";
    for (; number > 0n; number /= 58n) text = `${base58[Number(number % 58n)]}${text}`;
    return `${"1".repeat(bytes.findIndex((byte) => byte !== 0))}${text}`;
  };
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).filter((some) => some.some((byte) => byte !== 0));
  fc.assert(fc.property(bytes(32), (some) => isPublicAddress(encoded(some))));
  fc.assert(fc.property(fc.constantFrom(28, 31, 33).chain(bytes), (some) => !isPublicAddress(encoded(some))));
});
