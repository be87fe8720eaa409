import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { isAddressText, toAddress } from "./address";
import { addressText, bytes32, recipientText } from "./address-text";

const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((a) => `0x${Buffer.from(a).toString("hex")}`);

describe("an address", () => {
  test("is read in any letter case and written with the EIP-55 checksum", () => {
    for (const text of [
      USDC,
      USDC.toLowerCase(),
      `0x${USDC.slice(2).toUpperCase()}`,
      "0x833589fCD6Edb6E08f4c7C32D4f71b54bdA02913",
    ]) {
      expect(addressText.parse(text)).toBe(USDC);
    }
    expect(addressText.encode(toAddress(USDC))).toBe(USDC);
  });

  test("for a payee must have a valid checksum, unless all its letters have one case", () => {
    for (const text of [USDC, USDC.toLowerCase(), `0x${USDC.slice(2).toUpperCase()}`, `0x${"1".repeat(40)}`]) {
      expect(recipientText.parse(text)).toBe(toAddress(text));
    }
    for (const text of [USDC.replace("fC", "fc"), USDC.replace("eD", "Ed"), "0x", `${USDC}0`]) {
      expect(recipientText.safeParse(text).success).toBe(false);
    }
    fc.assert(
      fc.property(hexOf(20), fc.nat(39), (hex, index) => {
        const right = toAddress(hex);
        const letter = right[index + 2] ?? "";
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = `${right.slice(0, index + 2)}${other}${right.slice(index + 3)}`;
        const digits = wrong.slice(2);
        const isRefused = wrong !== right && digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
        expect(recipientText.safeParse(wrong).success).toBe(!isRefused);
      }),
    );
  });

  test("is the same text whenever it is the same account", () => {
    fc.assert(
      fc.property(hexOf(20), (hex) => {
        expect(toAddress(hex)).toBe(getAddress(hex as `0x${string}`));
        expect(toAddress(toAddress(hex))).toBe(toAddress(hex));
      }),
    );
  });

  test.each([
    "",
    "0x",
    USDC.slice(2),
    `${USDC}0`,
    USDC.slice(0, -1),
    USDC.replace("0x", "0X"),
    ` ${USDC}`,
    `${USDC}\n`,
    `0x${"g".repeat(40)}`,
    `0x${"１".repeat(40)}`,
    "vitalik.eth",
    1,
    null,
    undefined,
    [USDC],
  ])("is not read from %j", (value) => {
    expect(addressText.safeParse(value).success).toBe(false);
    if (typeof value !== "string") return;
    expect(isAddressText(value)).toBe(false);
    expect(() => toAddress(value)).toThrow();
  });
});

describe("32 bytes of hexadecimal digits", () => {
  test("become lower case, so that equal nonces are equal text", () => {
    expect(bytes32.parse(`0x${"AB".repeat(32)}`)).toBe(`0x${"ab".repeat(32)}`);
  });

  test.each(["", "0x", `0x${"0".repeat(63)}`, `0x${"0".repeat(65)}`, "0".repeat(64), `0x${"z".repeat(64)}`, 0, null])(
    "are not read from %j",
    (value) => {
      expect(bytes32.safeParse(value).success).toBe(false);
    },
  );
});
