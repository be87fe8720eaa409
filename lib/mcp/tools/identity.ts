import { z } from "zod";
import { registerAgent } from "@/lib/identity/contract";
import { selfStatus } from "@/lib/payments/status-contract";
import { DEFAULT_NETWORK, NETWORK_NAMES } from "@/lib/x402/networks";
import { openTool, tool } from "../tool";

export const identityTools = [
  openTool(
    "init_agent_id",
    {
      title: "Register this agent",
      description:
        "Register an agent once. Returns its permanent token, which is shown only now: the user puts it into this server's configuration.",
      input: z.strictObject({
        agent_name: z.string().min(1).max(100).describe("A name that the user recognises").optional(),
        client_info: z.string().max(500).describe("The program that acts for the user, and its version").optional(),
      }),
    },
    async ({ api, agent }, { agent_name = "MCP agent", client_info = "MCP client" }) => {
      if (agent) return { status: "ok", agentId: agent.agentId, message: "This agent is registered already" };
      const { body } = await api.call(registerAgent, { json: { agent_name, client_info } });
      return {
        status: "ok",
        agentId: body.agent_id,
        token: body.token,
        message: "Registered. The token is shown only now, and anyone who has it acts as this agent",
        nextStep:
          "Ask the user to add the header Authorization: Bearer <token> to this server's configuration and to connect again",
      };
    },
  ),
  tool(
    "get_agent_status",
    {
      title: "Status of this agent",
      description:
        "The agent, its owner and wallet, its balance in USDC and service credits, its mandates, the owner's limits over all spending (what is left may be less than what a mandate has left) and latest payments.",
      input: z.strictObject({
        network: z.enum(NETWORK_NAMES).default(DEFAULT_NETWORK),
        payments: z.int().min(1).max(20).default(5).describe("How many of the latest payments"),
      }),
      readOnly: true,
    },
    async ({ api }, { network, payments }) => {
      const { body } = await api.call(selfStatus, { query: { network, txLimit: String(payments) } });
      const { mandates, spendingCaps, recentTransactions, agent, balances } = statusBody.parse(body);
      return {
        status: "ok",
        network,
        agent,
        balances,
        mandates: { open: mandates.open, total: mandates.total, items: mandates.items.slice(0, MANDATES_MAX) },
        spendingCaps,
        recentPayments: recentTransactions.items,
      };
    },
  ),
];

const MANDATES_MAX = 10;

/** The parts of the status that a model needs. */
const statusBody = z.object({
  agent: z.object({
    id: z.string(),
    name: z.string(),
    isAuthorized: z.boolean(),
    walletAddress: z.string().nullable(),
    ownerAddress: z.string().nullable(),
  }),
  balances: z.unknown(),
  mandates: z.object({
    open: z.number(),
    total: z.number(),
    items: z.array(
      z.object({
        mandateId: z.string(),
        status: z.string(),
        isEnabled: z.boolean(),
        naturalLanguage: z.string(),
        network: z.string(),
        remainingAmount: z.string(),
        validUntil: z.string(),
        hostAllowlist: z.array(z.string()).nullable(),
      }),
    ),
  }),
  spendingCaps: z.unknown(),
  recentTransactions: z.object({
    items: z.array(
      z.object({
        paymentRecordId: z.string(),
        status: z.string(),
        amountFormatted: z.string(),
        currency: z.string(),
        payTo: z.string(),
        host: z.string(),
        txHash: z.string().nullable(),
        createdAt: z.string(),
      }),
    ),
  }),
});
