import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import { agentId as agentIdText } from "@/lib/core/id-text";
import type { Ctx } from "@/lib/platform/context";
import type { SaleOffer } from "@/lib/settlements/service";
import type { Discovery } from "@/lib/x402/discovery";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { uplErrors } from "./errors";
import { requestedAmount } from "./rules";

/** Catalogues get one entry for all agents, because no owner has asked for a listing of their agent. */
const DISCOVERY: Discovery = {
  method: "GET",
  input: {
    example: { amount: "1000000", asset: "usdc" },
    schema: {
      type: "object",
      properties: {
        amount: { type: "string", pattern: "^[1-9][0-9]{0,77}$", description: "USDC in atomic units" },
        asset: { type: "string", enum: ["usdc", "USDC"] },
      },
      required: ["amount", "asset"],
    },
  },
  output: {
    success: true,
    settledAmount: "1000000",
    network: DEFAULT_NETWORK,
    settlementId: "stl_000000000000000000000000",
  },
  isListed: true,
  routeTemplate: "/unifypaymentlink/agentid/:agentId",
};

/**
 * The payment requirement of an agent's UPL. Looks up the payee on every request: the receiving address may change, the URL
 * does not. Throws the codes of `uplErrors`.
 */
export async function offer(
  ctx: Ctx,
  agentId: string,
  query: { amount?: unknown; asset?: unknown },
  pathAndQuery: string,
): Promise<SaleOffer> {
  const amount = requestedAmount(query);
  const id = agentIdText.safeParse(agentId);
  if (!id.success) throw uplErrors.AGENT_NOT_FOUND();
  const receiver = await agents.receiverOf(ctx, id.data, DEFAULT_NETWORK);
  if (receiver === "missing") throw uplErrors.AGENT_NOT_FOUND();
  if (receiver === "no_wallet") {
    const authorizationUrl = addAgentUrl(ctx.config.baseUrl, { agentId: id.data });
    throw uplErrors.WALLET_NOT_LINKED({ authorizationUrl });
  }
  return {
    purpose: "upl",
    subject: receiver.agentId,
    agentId: receiver.agentId,
    ownerId: receiver.ownerId,
    requirement: {
      network: DEFAULT_NETWORK,
      amount,
      payTo: receiver.address,
      resource: `${ctx.config.baseUrl}${pathAndQuery}`,
      description: `Payment to ${receiver.name}`,
      discovery: DISCOVERY,
    },
  };
}
