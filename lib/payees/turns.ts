import { edgeErrors } from "@/lib/http/errors";
import type { Agent, Ctx } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";

/** Counts one request that is sent for the agent to a host. Throws rate_limited. */
export async function takeOutboundTurn(ctx: Ctx<Agent>, url: URL): Promise<void> {
  const waits = [
    await takeTurn(ctx, "outbound_per_agent", ctx.actor.agentId),
    await takeTurn(ctx, "outbound_per_host", url.hostname),
  ].filter((seconds) => seconds !== null);
  if (waits.length > 0) throw edgeErrors.rate_limited({ retryAfterSeconds: Math.max(...waits) });
}
