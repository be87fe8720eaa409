import { z } from "zod";
import { toUsdc, type Usdc } from "./usdc";

export * from "./usdc";

const UINT256_MAX = 2n ** 256n - 1n;
const MANDATE_LIMIT_MAX = 2n ** 96n - 1n;

const amountCodec = (pattern: RegExp, max: bigint, message: string) =>
  z.codec(
    z.string({ error: message }).regex(pattern, message),
    z.custom<Usdc>((value) => typeof value === "bigint" && value <= max, message),
    { decode: (text) => toUsdc(BigInt(text)), encode: (value) => value.toString() },
  );

const UNIT = "Atomic USDC: 1000000 is 1.00 USDC";

const POSITIVE = /^[1-9]\d{0,77}$/;

/** The JSON Schema of a positive amount. */
export const positiveAmountText = { type: "string", pattern: POSITIVE.source } as const;

/** A positive amount on the wire: decimal digits, no sign, no leading zero, fits uint256. */
export const positiveAmount = amountCodec(
  POSITIVE,
  UINT256_MAX,
  "must be a positive integer string in USDC atomic units (1000000 = 1.0 USDC)",
).describe(UNIT);

/** A mandate's limit: 1 to 2^96-1 atomic units. */
export const limitAmount = amountCodec(
  /^[1-9]\d{0,28}$/,
  MANDATE_LIMIT_MAX,
  "must be an integer string from 1 to 2^96-1 in USDC atomic units (1000000 = 1.0 USDC)",
).describe(UNIT);

/** Any amount in a response, zero included. */
export const amount = amountCodec(/^(0|[1-9]\d{0,77})$/, UINT256_MAX, "must be an integer string in atomic units");
