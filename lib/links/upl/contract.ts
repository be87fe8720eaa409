import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { requiredParameter } from "@/lib/core/json-forms";
import { positiveAmountText } from "@/lib/core/money";
import * as sample from "@/lib/samples";
import { proofErrors } from "@/lib/settlements/errors";
import { paymentResponses, settlementResult } from "@/lib/settlements/responses";
import { uplErrors } from "./errors";

/** Path and statuses follow the UPL section of the interface; the error codes of 400 and 402 are the service's own. */
export const getUpl = endpoint({
  method: "GET",
  path: "/unifypaymentlink/agentid/{agentId}",
  summary: "An agent's permanent address (UPL): 402 with the payment requirement; settles the proof sent back",
  description:
    "Anybody may pay an agent there, any amount, without a link: `?amount=` in atomic units and `&asset=usdc`. `resource` of the requirement is the URL for the retry. Present the same proof again after a 202, a 5xx or a lost connection: it is never taken twice.",
  auth: "none",
  surface: "resource",
  work: 4,
  params: z.object({ agentId: z.string() }),
  query: z.object({
    amount: z
      .unknown()
      .optional()
      .meta({
        ...positiveAmountText,
        description: "Atomic units",
        ...requiredParameter,
      }),
    asset: z
      .unknown()
      .optional()
      .meta({ enum: ["usdc", "USDC"], ...requiredParameter }),
  }),
  response: paymentResponses(settlementResult, {}),
  errors: { ...uplErrors.table, ...proofErrors },
  example: { responses: { 200: sample.settledPayment, 202: sample.pending } },
});
