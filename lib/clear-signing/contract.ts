import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { clearSigningErrors } from "./errors";

/** The subset of ERC-7730 that this service's descriptors use. */

const field = z.strictObject({
  path: z.string(),
  label: z.string(),
  format: z.enum(["raw", "addressName", "tokenAmount", "date", "duration"]),
  params: z
    .union([z.strictObject({ tokenPath: z.string() }), z.strictObject({ encoding: z.literal("timestamp") })])
    .optional(),
});

export const descriptor = z.strictObject({
  $schema: z.string(),
  context: z.strictObject({
    $id: z.string(),
    eip712: z.strictObject({
      /** Each member must equal that of the message's domain. */
      domain: z.strictObject({ name: z.string(), version: z.string().optional() }).optional(),
      /** The message's domain must have one of these chains and verifying contracts. */
      deployments: z.array(z.strictObject({ chainId: z.int(), address: z.string() })).optional(),
    }),
  }),
  metadata: z.strictObject({
    owner: z.string(),
    contractName: z.string().optional(),
    token: z.strictObject({ name: z.string(), ticker: z.string(), decimals: z.int() }).optional(),
    info: z.strictObject({ url: z.string() }).optional(),
  }),
  display: z.strictObject({
    /** Keyed by the encodeType of the message (EIP-712). */
    formats: z.record(
      z.string(),
      z.strictObject({ intent: z.string(), interpolatedIntent: z.string(), fields: z.array(field) }),
    ),
  }),
});

export type Descriptor = z.output<typeof descriptor>;
export type DescriptorField = z.output<typeof field>;

export const listDescriptors = endpoint({
  method: "GET",
  path: "/.well-known/erc7730",
  summary: "The descriptors (ERC-7730) of every EIP-712 message that this service asks people to sign",
  auth: "none",
  surface: "resource",
  response: z.object({
    descriptors: z.array(z.object({ url: z.string(), messages: z.array(z.string()) })),
  }),
  errors: {},
});

export const getDescriptor = endpoint({
  method: "GET",
  path: "/.well-known/erc7730/{file}",
  summary: "One descriptor: how a wallet shows these messages in words",
  auth: "none",
  surface: "resource",
  params: z.object({ file: z.string() }),
  response: descriptor,
  errors: clearSigningErrors.table,
});

/** Descriptors change only with a release. Wallets on any origin may read them. */
export const publicHeaders = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" };
