import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { paymentErrors } from "../errors";
import { paymentId } from "../responses";

const REASON_CHARACTERS_MAX = 2000;

export const reportRefusal = endpoint({
  method: "POST",
  path: "/api/payments/{paymentRecordId}/refusal",
  summary: "Report that a seller refused the proof of a payment",
  auth: "agent",
  surface: "wallet",
  params: z.object({ paymentRecordId: paymentId }),
  body: z.object({
    reason: z
      .string({ error: "must be the seller's reason" })
      .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)
      .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be text"),
  }),
  response: z.object({
    status: z.literal("ok"),
    refusesContracts: z
      .boolean()
      .describe("Whether the seller is paid through the vault's pocket from now on. Otherwise nothing has changed"),
  }),
  errors: { payment_not_found: paymentErrors.table.payment_not_found },
});
