import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { amount, formatUsdc } from "@/lib/core/money";
import { pageSize } from "@/lib/core/page";
import { capView, toCapView } from "@/lib/mandates/caps/contract";
import { mandateView, toMandateView } from "@/lib/mandates/responses";
import type { KeyFor } from "@/lib/platform/secrets";
import * as sample from "@/lib/samples";
import { formatCredits } from "@/lib/x402/credits";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { ok } from "./contract";
import { paymentView, toPaymentView } from "./responses";
import type { SelfStatus } from "./service";

/** Hundredths of a credit; negative after a reorganisation removed a purchase whose credits were spent. */
const creditBalance = z.object({ available: z.string().regex(/^-?\d+$/), availableFormatted: z.string() });
const balance = z.object({ available: amount, availableFormatted: z.string() });

export const selfStatus = endpoint({
  method: "GET",
  path: "/api/agent/self/status",
  summary: "The agent, its wallet, its mandates and its latest payments",
  description:
    "A good first call after a login: whether a person has linked the agent, what it can spend, and how its last payments ended. `txLimit` is the number of payments.",
  work: 60,
  auth: "agent",
  surface: "wallet",
  query: z.object({ network: networkText.default(DEFAULT_NETWORK), txLimit: pageSize(20) }),
  response: z.object({
    status: ok,
    network: z.enum(NETWORK_NAMES),
    agent: z.object({
      id: agentId,
      externalAgentId: agentId,
      name: z.string(),
      isAuthorized: z.boolean(),
      /** Null: the link to an owner does not expire. */
      authorizationExpiry: z.null(),
      walletAddress: addressText.nullable(),
      /** The account that the agent is linked to. If it is not the user's account, call POST /api/agent/self/unlink. */
      ownerAddress: addressText.nullable(),
    }),
    balances: z.object({ usdc: balance, credits: creditBalance }),
    mandates: z.object({
      open: z.number(),
      total: z.number(),
      items: z.array(mandateView),
      itemsTruncated: z.boolean(),
    }),
    spendingCaps: z
      .array(capView)
      .describe("The owner's limits that hold for the agent besides its mandates, with what is left of each"),
    recentTransactions: z.object({ items: z.array(paymentView), limit: z.number(), hasMore: z.boolean() }),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        network: sample.NETWORK,
        agent: {
          id: sample.AGENT,
          externalAgentId: sample.AGENT,
          name: "Research agent",
          isAuthorized: true,
          authorizationExpiry: null,
          walletAddress: sample.WALLET,
          ownerAddress: sample.OWNER,
        },
        balances: {
          usdc: { available: "12500000", availableFormatted: "12.50" },
          credits: { available: "0", availableFormatted: "0.00" },
        },
        mandates: { open: 1, total: 1, items: [sample.mandate], itemsTruncated: false },
        spendingCaps: [],
        recentTransactions: { items: [sample.payment], limit: 20, hasMore: false },
      },
    },
  },
});

export function toSelfStatusResponse(
  self: SelfStatus,
  network: NetworkName,
  txLimit: number,
  now: Date,
  baseUrl: string,
  tokenOf: KeyFor,
): z.output<typeof selfStatus.response> {
  const { open, total, items } = self.mandates;
  return {
    status: "ok",
    network,
    agent: {
      id: self.agent.id,
      externalAgentId: self.agent.id,
      name: self.agent.name,
      isAuthorized: self.agent.isAuthorized,
      authorizationExpiry: null,
      walletAddress: self.walletAddress,
      ownerAddress: self.ownerAddress,
    },
    balances: {
      usdc: { available: self.balance, availableFormatted: formatUsdc(self.balance) },
      credits: { available: self.credits.toString(), availableFormatted: formatCredits(self.credits) },
    },
    mandates: {
      open,
      total,
      items: items.map((mandate) => toMandateView(mandate, now, baseUrl, tokenOf)),
      itemsTruncated: items.length < total,
    },
    spendingCaps: self.caps.map((row) => toCapView({ row, network }, now)),
    recentTransactions: {
      items: self.recent.rows.map(toPaymentView),
      limit: txLimit,
      hasMore: self.recent.next !== null,
    },
  };
}
