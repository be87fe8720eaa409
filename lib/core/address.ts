import { getAddress, type Hex } from "viem";

declare const address: unique symbol;

/** An EVM address with EIP-55 checksum: equal strings are equal addresses. */
export type Address = Hex & { readonly [address]: true };

export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export const isAddressText = (text: string) => ADDRESS.test(text);

/** Converts an address in any letter case to its checksummed form. Throws when `text` is not 20 bytes of 0x hex. */
export function toAddress(text: string): Address {
  if (!ADDRESS.test(text)) throw new Error("not an address");
  return getAddress(`0x${text.slice(2).toLowerCase()}`) as Address;
}

export const ZERO_ADDRESS = toAddress("0x0000000000000000000000000000000000000000");
