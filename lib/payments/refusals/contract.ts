import { z } from "zod";
import { isStorable, NOT_STORABLE } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import * as sample from "@/lib/samples";
import { paymentErrors } from "../errors";
import { paymentId } from "../responses";

const REASON_CHARACTERS_MAX = 2000;

export const reportRefusal = endpoint({
  method: "POST",
  path: "/api/payments/{paymentRecordId}/refusal",
  summary: "Report that a seller refused the proof of a payment",
  description:
    "For payments of mandates with a vault: some facilitators refuse contracts as payers. Send `reason` as the seller gave it, for example the `error` of its second 402. If the reason can mean that, and the chain would make the payment, the seller is remembered for this owner for 30 days, and the next payment to it goes through an ordinary account of the vault. The refused proof can still be paid until it expires: that payment waits until then.",
  auth: "agent",
  surface: "wallet",
  params: z.object({ paymentRecordId: paymentId }),
  body: z.object({
    reason: z
      .string({ error: "must be the seller's reason" })
      .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)
      .refine(isStorable, NOT_STORABLE),
  }),
  response: z.object({
    status: z.literal("ok"),
    refusesContracts: z
      .boolean()
      .describe("Whether the seller is paid through the vault's pocket from now on. Otherwise nothing has changed"),
  }),
  errors: { payment_not_found: paymentErrors.table.payment_not_found },
  example: {
    request: { reason: "invalid_exact_evm_payload_signature" },
    responses: { 200: { ...sample.OK, refusesContracts: true } },
  },
});
