import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { settlementErrors } from "@/lib/settlements/errors";
import { uplErrors } from "./errors";

/** Paths and statuses of the UPL section of the interface; codes of each 400 and 402 as decided for it. */
export const getUpl = endpoint({
  method: "GET",
  path: "/unifypaymentlink/agentid/{agentId}",
  summary: "An agent's permanent address: 402 with what to pay, and settlement of the proof that comes back",
  auth: "none",
  surface: "resource",
  params: z.object({ agentId: z.string() }),
  query: z.object({ amount: z.unknown().optional(), asset: z.unknown().optional() }),
  response: z.unknown(),
  errors: { ...uplErrors.table, ...settlementErrors.table },
});
