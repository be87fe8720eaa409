import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import * as sample from "@/lib/samples";
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
  description:
    "For makers of wallets. Anybody may read it; each entry names a descriptor and the messages that it describes.",
  auth: "none",
  surface: "resource",
  response: z.object({
    descriptors: z.array(z.object({ url: z.string(), messages: z.array(z.string()) })),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        descriptors: [
          { url: `${sample.ORIGIN}/.well-known/erc7730/eip712-mandate.json`, messages: ["SpendingMandate"] },
        ],
      },
    },
  },
});

export const getDescriptor = endpoint({
  method: "GET",
  path: "/.well-known/erc7730/{file}",
  summary: "One descriptor: how a wallet shows these messages in words",
  description:
    "`{file}` is the last part of a `url` in the list. It changes with a release only, so it may be cached for an hour.",
  auth: "none",
  surface: "resource",
  params: z.object({ file: z.string() }),
  response: descriptor,
  errors: clearSigningErrors.table,
  example: {
    responses: {
      200: {
        $schema: "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json",
        context: { $id: "Spending mandate", eip712: { domain: { name: "Agent Spending Mandate" } } },
        metadata: { owner: "Tessera" },
        display: { formats: {} },
      },
    },
  },
});

/** Descriptors change only with a release. Wallets on any origin may read them. */
export const publicHeaders = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" };
