import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { hostOfResource } from "@/lib/core/host";
import { hostHistory } from "@/lib/platform/summary";
import * as sample from "@/lib/samples";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES } from "@/lib/x402/networks";

const CHARACTERS_MAX = 4096;

export type { HostHistory } from "@/lib/platform/summary";

export const getHostHistory = endpoint({
  method: "GET",
  path: "/api/payments/host-history",
  summary: "What became of the owner's payments for a host",
  description:
    "Ask before you pay: facts of all agents of the owner, no score. Only payments that this service presented, as `pay_url` does, show whether the host delivered. `check_price` over MCP has the same.",
  auth: "agent",
  surface: "wallet",
  work: 16,
  query: z.object({
    resource: z
      .string({ error: "must be given once" })
      .max(CHARACTERS_MAX, `must have at most ${CHARACTERS_MAX} characters`)
      .refine((url) => hostOfResource(url) !== null, "must be an http or https URL without a user or password")
      .describe("The URL that you would pay for"),
    network: networkText.default(DEFAULT_NETWORK),
  }),
  response: z.object({
    status: z.literal("ok"),
    network: z.enum(NETWORK_NAMES),
    hostHistory: hostHistory.nullable().describe("Null while the agent has no owner"),
  }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, network: sample.NETWORK, hostHistory: sample.hostHistory } } },
});
