import { z } from "zod";
import { isStorable, NOT_STORABLE } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { QUERY_MAX, QUERY_MIN, RESULT_KINDS } from "./limits";

const result = z.object({
  kind: z.enum(RESULT_KINDS),
  /** The id of the agent, mandate or link; `paymentRecordId` for a payment, `paymentId` for a sale. */
  id: z.string(),
  /** Untrusted text from agents and sellers: render it as plain text. */
  title: z.string(),
  detail: z.string(),
});

export const search = endpoint({
  method: "GET",
  path: "/api/search",
  summary:
    "Find one's own agents, mandates, links, payments and sales by a part of their texts, hosts, addresses or ids",
  description:
    "At most five of each kind, the newest first. Searched are the newest 500 of a kind, payments and links at most 50 for each of the newest 50 mandates or agents; an entire id is found whatever its age.",
  work: 30,
  tag: "Owners",
  auth: "owner",
  surface: "wallet",
  query: z.object({
    query: z
      .string("must be given once")
      .trim()
      .min(QUERY_MIN, `must have at least ${QUERY_MIN} characters`)
      .max(QUERY_MAX, `must have at most ${QUERY_MAX} characters`)
      .refine(isStorable, NOT_STORABLE),
  }),
  response: z.object({ status: z.literal("ok"), results: z.array(result) }),
  errors: { rate_limited: edgeErrors.table.rate_limited },
  example: {
    responses: {
      200: {
        ...sample.OK,
        results: [{ kind: "agent", title: "Research agent", detail: "Linked", id: sample.AGENT }],
      },
    },
  },
});
