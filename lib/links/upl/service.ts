import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import { agentId as agentIdText } from "@/lib/core/ids";
import type { Ctx } from "@/lib/platform/context";
import type { Offer } from "@/lib/settlements/service";
import { uplErrors } from "./errors";
import { requestedAmount } from "./rules";

/**
 * The payment requirement of an agent's UPL. Looks up the payee on every request: the receiving address may change, the URL
 * does not. Throws the codes of `uplErrors`.
 */
export async function offer(
  ctx: Ctx,
  agentId: string,
  query: { amount?: unknown; asset?: unknown },
  pathAndQuery: string,
): Promise<Offer> {
  const amount = requestedAmount(query);
  const id = agentIdText.safeParse(agentId);
  if (!id.success) throw uplErrors.AGENT_NOT_FOUND();
  const receiver = await agents.receiverOf(ctx, id.data, "base");
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
      network: "base",
      amount,
      payTo: receiver.address,
      resource: `${ctx.config.baseUrl}${pathAndQuery}`,
      description: `Payment to ${receiver.name}`,
    },
  };
}
