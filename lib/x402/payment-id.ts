import { z } from "zod";
import { PAYMENT_IDENTIFIER } from "./payment-identifier";

// Apart from the declaration: pages use that one in the browser, where zod's objects test whether eval works.

const ID = /^[a-zA-Z0-9_-]{16,128}$/;

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
  if (!declared.success || Object.hasOwn(declared.data.info, "id") || !ID.test(id)) return extensions;
  return { ...extensions, [PAYMENT_IDENTIFIER]: { ...declared.data, info: { ...declared.data.info, id } } };
}

const declaration = z.looseObject({ info: z.looseObject({ required: z.boolean() }) });
