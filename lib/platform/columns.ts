import { customType, timestamp } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { type Credits, toCredits } from "@/lib/x402/credits";

/** Atomic USDC as numeric(78,0): room for any uint256. */
export const usdc = customType<{ data: Usdc; driverData: string }>({
  dataType: () => "numeric(78,0)",
  fromDriver: (value) => toUsdc(BigInt(value)),
  toDriver: (value) => value.toString(),
});

/** Sums of atomic USDC. Read as text: the driver reads numeric arrays as floating-point numbers. */
export const sums = customType<{ data: Usdc[]; driverData: string | string[] }>({
  dataType: () => "numeric(78,0)[]",
  fromDriver: (value) => (Array.isArray(value) ? value : []).map((sum) => toUsdc(BigInt(sum))),
  toDriver: (value) => `{${value.join(",")}}`,
});

/** Service credits in hundredths. */
export const credits = customType<{ data: Credits; driverData: string }>({
  dataType: () => "numeric(38,0)",
  fromDriver: (value) => toCredits(BigInt(value)),
  toDriver: (value) => value.toString(),
});

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A uint256 that is not money: EIP-3009 times. */
export const uint256 = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(78,0)",
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
});

/** Checksummed: equal addresses are equal text. */
export const address = customType<{ data: Address; driverData: string }>({
  dataType: () => "text",
  fromDriver: (value) => toAddress(value),
  toDriver: (value) => value,
});

export const hex = customType<{ data: Hex; driverData: string }>({
  dataType: () => "text",
  fromDriver: (value) => value as Hex,
  toDriver: (value) => value,
});

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
