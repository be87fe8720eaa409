import { keccak256 } from "./keccak.ts";

export type Hex = `0x${string}`;

export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Decodes hexadecimal text, with or without 0x. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.replace(/^0x/, "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Encodes a number or hexadecimal text as `size` big-endian bytes. */
export const padded = (value: bigint | number | string, size: number): Uint8Array =>
  fromHex((typeof value === "string" ? value.replace(/^0x/, "") : value.toString(16)).padStart(2 * size, "0"));

export const hashOf = (data: Uint8Array | Hex): Hex =>
  toHex(keccak256(typeof data === "string" ? fromHex(data) : data));

/** Returns an address with its checksum (EIP-55), so that equal addresses are equal strings. */
export function checksummed(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = hashOf(new TextEncoder().encode(digits)).slice(2);
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/** Encodes a contract call: the selector of `signature`, then `args` padded to 32 bytes each. */
export function callData(signature: string, ...args: (bigint | number | string)[]): Hex {
  const selector = keccak256(new TextEncoder().encode(signature)).slice(0, 4);
  return toHex(concat(selector, ...args.map((arg) => padded(arg, 32))));
}
