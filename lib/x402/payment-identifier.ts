import { fieldsOf } from "@tessera/x402/json";
import { PAYMENT_IDENTIFIER } from "@tessera/x402/offers";

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

const ID = /^[a-zA-Z0-9_-]{16,128}$/;

/** The id in the extensions of a payment payload: null if there is none, "invalid" if it is not 16 to 128 of [A-Za-z0-9_-]. */
export function paymentIdOf(extensions: unknown): { id: string } | "invalid" | null {
  const { id } = fieldsOf(fieldsOf(fieldsOf(extensions)[PAYMENT_IDENTIFIER]).info);
  if (id === undefined) return null;
  return typeof id === "string" && ID.test(id) ? { id } : "invalid";
}
