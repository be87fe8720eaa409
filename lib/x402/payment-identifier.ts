/**
 * The x402 extension `payment-identifier`: an idempotency key that the client puts into its payment payload. Source:
 * specs/extensions/payment_identifier.md of the protocol's repository.
 */
export const PAYMENT_IDENTIFIER = "payment-identifier";

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
