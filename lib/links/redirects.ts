import { agentById } from "@/lib/agents/service";
import type { AgentId } from "@/lib/core/ids";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { provedOrigins } from "@/lib/sellers/service";
import { linkErrors } from "./errors";
import { isRedirectOrigin, type Link, type RedirectRules, redirectTarget } from "./rules";

/** Where a link may send people: to origins that the operator allows, and to those that its owner has proved. */
export type Targets = { redirectUrl: string | null; cancelUrl: string | null };

/** The link's targets, each null if it is not allowed any more. */
export async function targetsOf(system: System, { agentId, redirectUrl, cancelUrl }: Link): Promise<Targets> {
  const allowed = ofAgent(system, agentId);
  return { redirectUrl: await targetIn(allowed, redirectUrl), cancelUrl: await targetIn(allowed, cancelUrl) };
}

/** The target of someone who has paid. */
export const redirectOf = (system: System, { agentId, redirectUrl }: Link): Promise<string | null> =>
  targetIn(ofAgent(system, agentId), redirectUrl);

/** Origins of other sites that the owner's links may redirect to. */
export async function redirectOrigins(ctx: Ctx<Owner>): Promise<string[]> {
  const proved = await provedOrigins(ctx, ctx.actor.ownerId);
  return [...new Set([...ctx.config.redirectOrigins.filter(isRedirectOrigin), ...proved])];
}

/** The targets that were given, normalised. Throws REDIRECT_ORIGIN_NOT_ALLOWED. */
export async function allowedTargets<T extends { [K in keyof Targets]?: string | null | undefined }>(
  system: System,
  agentId: AgentId,
  targets: T,
): Promise<T> {
  const allowed = ofAgent(system, agentId);
  const checked = { ...targets };
  for (const name of ["redirectUrl", "cancelUrl"] as const) {
    const text = targets[name];
    if (typeof text !== "string") continue;
    const target = await targetIn(allowed, text);
    if (target === null) throw linkErrors.REDIRECT_ORIGIN_NOT_ALLOWED();
    checked[name] = target;
  }
  return checked;
}

/** The origins that the owner of an agent has proved; none for an agent without an owner. */
export async function provedByOwnerOf(system: System, agentId: AgentId): Promise<string[]> {
  const ownerId = (await agentById(system.db, agentId))?.ownerId;
  return ownerId ? provedOrigins(system, ownerId) : [];
}

/** The rules of the operator, then with what the agent's owner has proved. Only the second takes queries. */
type Allowed = { plain: RedirectRules; withProved: () => Promise<RedirectRules> };

function ofAgent(system: System, agentId: AgentId): Allowed {
  const plain = { allowed: system.config.redirectOrigins, own: new URL(system.config.baseUrl).origin };
  const withProved = async () => ({ ...plain, allowed: await provedByOwnerOf(system, agentId) });
  return { plain, withProved };
}

async function targetIn({ plain, withProved }: Allowed, text: string | null): Promise<string | null> {
  if (text === null) return null;
  return redirectTarget(text, plain) ?? redirectTarget(text, await withProved());
}
