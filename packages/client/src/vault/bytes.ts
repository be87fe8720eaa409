import { keccak256 } from "./keccak.ts";

export type Hex = `0x${string}`;

export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** The bytes of hexadecimal text, with or without 0x. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.replace(/^0x/, "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** A number, or hexadecimal text, as big-endian bytes. */
export const padded = (value: bigint | number | string, size: number): Uint8Array =>
  fromHex((typeof value === "string" ? value.replace(/^0x/, "") : value.toString(16)).padStart(2 * size, "0"));

export const hashOf = (data: Uint8Array | Hex): Hex =>
  toHex(keccak256(typeof data === "string" ? fromHex(data) : data));

/** With the checksum of EIP-55: equal addresses are equal text. */
export function checksummed(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = hashOf(new TextEncoder().encode(digits)).slice(2);
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/** Data of a call: the selector of `signature`, then `args` of 32 bytes. */
export function callData(signature: string, ...args: (bigint | number | string)[]): Hex {
  const selector = keccak256(new TextEncoder().encode(signature)).slice(0, 4);
  return toHex(concat(selector, ...args.map((arg) => padded(arg, 32))));
}
