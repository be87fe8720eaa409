import { z } from "zod";

/**
 * The x402 extension `payment-identifier`: an idempotency key that the client puts into its payment payload. Source:
 * specs/extensions/payment_identifier.md of the protocol's repository.
 */
export const PAYMENT_IDENTIFIER = "payment-identifier";

const ID = /^[a-zA-Z0-9_-]{16,128}$/;

/** The declaration in a 402. The client repeats it and adds `info.id`. */
export const paymentIdentifierDeclaration = {
  info: { required: false },
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      required: { type: "boolean" },
      id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" },
    },
    required: ["required"],
  },
} as const;

const withId = z.object({ [PAYMENT_IDENTIFIER]: z.object({ info: z.object({ id: z.unknown().optional() }) }) });

/** The id in the extensions of a payment payload: null if there is none, "invalid" if it is not 16 to 128 of [A-Za-z0-9_-]. */
export function paymentIdOf(extensions: unknown): { id: string } | "invalid" | null {
  const read = withId.safeParse(extensions);
  const id = read.success ? read.data[PAYMENT_IDENTIFIER].info.id : undefined;
  if (id === undefined) return null;
  return typeof id === "string" && ID.test(id) ? { id } : "invalid";
}

/** Adds `id` to the extensions that a payment repeats, where the seller declares the extension and they have no id yet. */
export function withPaymentId(extensions: Record<string, unknown>, id: string): Record<string, unknown> {
  const declared = declaration.safeParse(extensions[PAYMENT_IDENTIFIER]);
  if (!declared.success || "id" in declared.data.info || !ID.test(id)) return extensions;
  return { ...extensions, [PAYMENT_IDENTIFIER]: { ...declared.data, info: { ...declared.data.info, id } } };
}

const declaration = z.looseObject({ info: z.looseObject({ required: z.boolean() }) });
