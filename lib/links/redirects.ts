import { agentById } from "@/lib/agents/service";
import type { AgentId } from "@/lib/core/ids";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { provedOrigins } from "@/lib/sellers/service";
import { linkErrors } from "./errors";
import { isRedirectOrigin, type Link, redirectTarget } from "./rules";

/** Where a link sends people. Allowed are the operator's configured origins and those that the link's owner has verified. */
export type Targets = { redirectUrl: string | null; cancelUrl: string | null };

/** The link's targets, each null if it is no longer allowed. */
export async function targetsOf(system: System, { agentId, redirectUrl, cancelUrl }: Link): Promise<Targets> {
  return {
    redirectUrl: await findTarget(system, agentId, redirectUrl),
    cancelUrl: await findTarget(system, agentId, cancelUrl),
  };
}

/** Where the buyer goes after paying; null if that is no longer allowed. */
export const redirectOf = (system: System, { agentId, redirectUrl }: Link): Promise<string | null> =>
  findTarget(system, agentId, redirectUrl);

/** Origins of other sites that the owner's links may redirect to. */
export async function redirectOrigins(ctx: Ctx<Owner>): Promise<string[]> {
  const proved = await provedOrigins(ctx, ctx.actor.ownerId);
  return [...new Set([...ctx.config.redirectOrigins.filter(isRedirectOrigin), ...proved])];
}

/** Returns the targets, normalised. Throws REDIRECT_ORIGIN_NOT_ALLOWED. */
export async function allowedTargets<T extends { [K in keyof Targets]?: string | null | undefined }>(
  system: System,
  agentId: AgentId,
  targets: T,
): Promise<T> {
  const checked = { ...targets };
  for (const name of ["redirectUrl", "cancelUrl"] as const) {
    const text = targets[name];
    if (typeof text !== "string") continue;
    const target = await findTarget(system, agentId, text);
    if (target === null) throw linkErrors.REDIRECT_ORIGIN_NOT_ALLOWED();
    checked[name] = target;
  }
  return checked;
}

/** The origins that the agent's owner has verified; none for an agent without an owner. */
export async function provedByOwnerOf(system: System, agentId: AgentId): Promise<string[]> {
  const ownerId = (await agentById(system.db, agentId))?.ownerId;
  return ownerId ? provedOrigins(system, ownerId) : [];
}

async function findTarget(system: System, agentId: AgentId, text: string | null): Promise<string | null> {
  if (text === null) return null;
  const own = new URL(system.config.baseUrl).origin;
  // The operator's origins need no query.
  const target = redirectTarget(text, { allowed: system.config.redirectOrigins, own });
  return target ?? redirectTarget(text, { allowed: await provedByOwnerOf(system, agentId), own });
}
