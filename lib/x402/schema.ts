import { z } from "zod";
import { addressText, bytes32 } from "@/lib/core/address-text";

const UINT256_MAX = 2n ** 256n - 1n;

const uint = z
  .string()
  // `abort`: a refinement runs even after a failed check, and BigInt throws for other text.
  .regex(/^(0|[1-9]\d{0,77})$/, { error: "must be a decimal integer string", abort: true })
  .refine((text) => BigInt(text) <= UINT256_MAX, "does not fit uint256");

export const authorizationWire = z.object({
  from: addressText,
  to: addressText,
  value: uint.refine((text) => text !== "0", "must be greater than zero"),
  validAfter: uint,
  validBefore: uint,
  nonce: bytes32,
});

/** At most 4 KB: enough for ERC-1271 wallets, too little to smuggle a payload. */
export const signatureHex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, "must be 0x hex")
  .transform((text) => text as `0x${string}`);

const exactPayload = z.object({ signature: signatureHex, authorization: authorizationWire });

/** `X-PAYMENT` of x402 v1, scheme exact on EVM, after base64 and JSON. */
export const paymentV1 = z.object({
  x402Version: z.literal(1),
  scheme: z.string(),
  network: z.string(),
  payload: exactPayload,
});

/** `PAYMENT-SIGNATURE` of x402 v2. */
export const paymentV2 = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    amount: z.string().optional(),
    asset: z.string().optional(),
    payTo: z.string().optional(),
  }),
  payload: exactPayload,
  resource: z.unknown().optional(),
  extensions: z.unknown().optional(),
});

/** One entry of `accepts` of an x402 v2 requirement, as other servers send it to agents. */
export const requirementV2 = z.object({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number().int().nonnegative().optional(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});

export const paymentRequiredV2 = z.object({
  x402Version: z.literal(2),
  resource: z.object({ url: z.string(), description: z.string().nullish(), mimeType: z.string().nullish() }),
  accepts: z.array(requirementV2).min(1).max(64),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

export type PaymentRequiredV2 = z.output<typeof paymentRequiredV2>;
