import { z } from "zod";

declare const usdc: unique symbol;

/** USDC in atomic units (6 decimals): the only representation of money inside the service. */
export type Usdc = bigint & { readonly [usdc]: true };

const UINT256_MAX = 2n ** 256n - 1n;
const MANDATE_LIMIT_MAX = 2n ** 96n - 1n;
const DECIMALS = 6;

/** Brands a value that is known to be an amount in atomic USDC. */
export const toUsdc = (atomic: bigint): Usdc => atomic as Usdc;

export const ZERO = toUsdc(0n);

export const add = (a: Usdc, b: Usdc): Usdc => toUsdc(a + b);
export const subtract = (a: Usdc, b: Usdc): Usdc => toUsdc(a - b);

const amountCodec = (pattern: RegExp, max: bigint, message: string) =>
  z.codec(
    z.string({ error: message }).regex(pattern, message),
    z.custom<Usdc>((value) => typeof value === "bigint" && value <= max, message),
    { decode: (text) => toUsdc(BigInt(text)), encode: (value) => value.toString() },
  );

const POSITIVE = /^[1-9]\d{0,77}$/;

/** The JSON form of a positive amount. */
export const positiveAmountText = { type: "string", pattern: POSITIVE.source } as const;

/** A positive amount on the wire: decimal digits, no sign, no leading zero, fits uint256. */
export const positiveAmount = amountCodec(
  POSITIVE,
  UINT256_MAX,
  "must be a positive integer string in USDC atomic units (1000000 = 1.0 USDC)",
);

/** A mandate's limit: 1 to 2^96-1 atomic units. */
export const limitAmount = amountCodec(
  /^[1-9]\d{0,28}$/,
  MANDATE_LIMIT_MAX,
  "must be an integer string from 1 to 2^96-1 in USDC atomic units (1000000 = 1.0 USDC)",
);

/** Any amount in a response, zero included. */
export const amount = amountCodec(/^(0|[1-9]\d{0,77})$/, UINT256_MAX, "must be an integer string in atomic units");

/** Atomic units as a decimal string with at least two and at most six decimals: 12500000 → "12.50". Never rounds. */
export function formatUsdc(value: Usdc): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(DECIMALS + 1, "0");
  const decimals = digits.slice(-DECIMALS).replace(/0{1,4}$/, "");
  return `${sign}${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/** Parses an amount typed by a person ("12.5"; "12,50" is refused) to atomic units. Null unless positive with at most six decimals. */
export function parseUsdc(text: string): Usdc | null {
  const match = /^(\d{1,60})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const value = BigInt(match[1] ?? "0") * 10n ** BigInt(DECIMALS) + BigInt((match[2] ?? "").padEnd(DECIMALS, "0"));
  return value > 0n ? toUsdc(value) : null;
}
