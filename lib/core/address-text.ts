import type { Hex } from "viem";
import { z } from "zod";
import { ADDRESS, type Address, toAddress } from "./address";

const HEX32 = /^0x[0-9a-fA-F]{64}$/;

/** An address on the wire. Reads any letter case, because agents copy wrong checksums; writes the checksummed form. */
export const addressText = z.codec(
  z.string({ error: "must be a 20-byte 0x address" }).regex(ADDRESS, "must be a 20-byte 0x address"),
  z.custom<Address>((value) => typeof value === "string"),
  { decode: toAddress, encode: (value) => value },
);

/** An address that money is sent to. Refuses a wrong EIP-55 checksum, a sign of a typo. An address in one letter case has no checksum. */
export const recipientText = z.codec(
  z
    .string({ error: "must be a 20-byte 0x address" })
    .regex(ADDRESS, { error: "must be a 20-byte 0x address", abort: true })
    .refine(
      (text) => {
        const digits = text.slice(2);
        const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
        return isOneCase || toAddress(text) === text;
      },
      { error: "has a wrong EIP-55 checksum: copy the address again, or send it in lower case" },
    ),
  z.custom<Address>((value) => typeof value === "string"),
  { decode: toAddress, encode: (value) => value },
);

/** 32 bytes as lower-case 0x hex. */
export const bytes32 = z
  .string({ error: "must be 32 bytes of 0x hex" })
  .regex(HEX32, "must be 32 bytes of 0x hex")
  .transform((text) => text.toLowerCase() as Hex);
