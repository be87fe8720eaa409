import { agentById } from "@/lib/agents/service";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import * as mandates from "@/lib/mandates/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";

/**
 * Rules for every request that the service sends to a URL named by an agent. Anyone can register an agent, so the service must
 * not be usable as a proxy.
 */

const YOUNG_SECONDS = 86_400;

/** The service's own headers, which contain no input of the agent. The user agent links to the agent's page. */
export const headersFor = ({ config, actor: { agentId } }: Ctx<Agent>): Record<string, string> => ({
  accept: "application/json, */*;q=0.8",
  "user-agent": `Tessera (+${config.baseUrl}/agent/${agentId})`,
});

/** Whether an owner has signed a mandate for the agent. Before that, nobody is accountable for the agent's requests. */
export const isSignedFor = async ({ db, actor: { agentId, ownerId } }: Ctx<Agent>): Promise<boolean> =>
  ownerId !== null && (await mandates.listSignedFor(db, ownerId, [agentId])).length > 0;

/**
 * Counts one request to a host for the agent. An owner costs nothing until their money has moved, so all agents of such owners that are
 * younger than a day share a limit with others at their client's address. It is wide, because hosts connect for thousands of users from
 * few addresses. Throws rate_limited.
 */
export async function takeOutboundTurn(ctx: Ctx<Agent>, url: URL): Promise<void> {
  const { agentId } = ctx.actor;
  const waits = [
    (await isProven(ctx)) ? null : await takeTurn(ctx, "outbound_per_address", ctx.caller ?? "unknown"),
    await takeTurn(ctx, "outbound_per_agent", agentId),
    await takeTurn(ctx, "outbound_per_host", url.hostname),
  ].filter((seconds) => seconds !== null);
  if (waits.length > 0) throw edgeErrors.rate_limited({ retryAfterSeconds: Math.max(...waits) });
}

async function isProven(ctx: Ctx<Agent>): Promise<boolean> {
  const { agentId, ownerId } = ctx.actor;
  if (ownerId === null) return false;
  const agent = await agentById(ctx.db, agentId);
  const isOld = agent !== null && agent.createdAt <= addSeconds(ctx.now(), -YOUNG_SECONDS);
  return isOld || mandates.hasSpent(ctx.db, ownerId);
}
